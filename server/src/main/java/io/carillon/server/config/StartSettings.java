package io.carillon.server.config;

import java.time.Duration;

/**
 * How the server starts.
 *
 * @param warmUp longest time of the calls that it makes to itself
 * @param collectorNice nice value of ZGC's threads, as setpriority(2) counts
 * @param compilerNice the same of the compiler C2
 * @param touchHeap whether the heap is taken in advance
 */
public record StartSettings(
        @Setting(
                        value =
                                "Longest time for which the server makes calls to itself before"
                                        + " READY. 0 s: none.",
                        more =
                                "With these calls, the first real calls find the server's code"
                                        + " compiled. The calls end sooner when the server has"
                                        + " made enough of them. Applications do not see these"
                                        + " calls, and nothing counts them. In a cluster it takes"
                                        + " calls over after that, half as long at most."
                                        + " Node and router then make some through a router of"
                                        + " their own, half as long at most too.",
                        standard = "4 s",
                        min = "0 s",
                        max = "5 min")
                Duration warmUp,
        @Setting(
                        value =
                                "Nice value of ZGC's threads on Linux: on a full processor the"
                                        + " calls come before the collector. 0: they are equal.",
                        more =
                                "With 5 the collector gets at least a quarter, with 10 a tenth."
                                        + " Other collectors stop the calls and are left alone.",
                        standard = "5",
                        min = "0",
                        max = "19")
                int collectorNice,
        @Setting(
                        value =
                                "Nice value of the threads of the JVM's compiler C2 on Linux. 0:"
                                        + " they are equal to the calls.",
                        more =
                                "On a full processor the calls come before the compiler. It counts from READY on. With 5 the compiler gets at least a"
                                        + " quarter of a full processor, with 10 a tenth. C1 is"
                                        + " left alone: its code is there at once.",
                        standard = "5",
                        min = "0",
                        max = "19")
                int compilerNice,
        @Setting(
                        value =
                                "Whether the server takes the heap from the system after READY, up"
                                        + " to its soft maximum.",
                        more =
                                "A thread of the lowest priority does it; else the calls of the"
                                        + " first minutes wait for the heap. It works only with"
                                        + " ZGC and a soft maximum, as the launcher starts the"
                                        + " server.",
                        standard = "true")
                boolean touchHeap) {}
