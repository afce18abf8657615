package io.carillon.servlet.feature.protect;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long messages have waited for their records, whatever came of it: counted by times that say
 * whether peers would notice. Plain adders, read racy. Any thread.
 */
final class WaitTimes {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    /** The last one is as long as any waits. */
    private static final int[] MILLIS = {1, 2, 3, 5, 10, 15, 25, 50};

    private final LongAdder[] within = new LongAdder[MILLIS.length];

    WaitTimes() {
        for (int i = 0; i < within.length; i++) {
            within[i] = new LongAdder();
        }
    }

    /** One has left. */
    void add(long nanos) {
        int i = 0;
        while (i < MILLIS.length - 1 && nanos > MILLIS[i] * NANOS_PER_MILLI) {
            i++;
        }
        within[i].increment();
    }

    /** How many have waited no longer than so many milliseconds. */
    Map<Integer, Long> within() {
        Map<Integer, Long> all = new LinkedHashMap<>();
        long sum = 0;
        for (int i = 0; i < MILLIS.length; i++) {
            sum += within[i].sum();
            all.put(MILLIS[i], sum);
        }
        return all;
    }
}
