package io.carillon.server.config;

import java.time.Duration;

/**
 * How the server starts.
 *
 * @param warmUp longest time of the calls that it makes to itself
 * @param collectorNice nice value of ZGC's threads, as setpriority(2) counts
 * @param touchHeap whether the heap is taken in advance
 */
public record StartSettings(
        @Setting(
                        value =
                                "Longest time for which the server makes calls to itself before READY, so that the first"
                                        + " real calls find it compiled; 0 s: none. It ends sooner when it has made"
                                        + " enough of them. Applications do not see these calls, and nothing counts them.",
                        standard = "4 s",
                        min = "0 s",
                        max = "5 min")
                Duration warmUp,
        @Setting(
                        value =
                                "Nice value of ZGC's threads on Linux: on a full processor the calls come before the"
                                        + " collector. 0: they are equal; 5: it gets a quarter at least; 10: a tenth."
                                        + " Other collectors stop the calls and are left alone.",
                        standard = "5",
                        min = "0",
                        max = "19")
                int collectorNice,
        @Setting(
                        value =
                                "Whether the heap is taken from the system behind READY, up to its soft maximum, by a thread"
                                        + " of the lowest priority: else the calls of the first minutes wait for it. Only with"
                                        + " ZGC and a soft maximum, as the launcher starts it.",
                        standard = "true")
                boolean touchHeap) {}
