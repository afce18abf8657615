package io.carillon.server.config;

import java.time.Duration;

/**
 * How the server starts.
 *
 * @param warmUp longest time of the calls that it makes to itself
 * @param collectorNice nice value of ZGC's threads, as setpriority(2) counts
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
                int collectorNice) {}
