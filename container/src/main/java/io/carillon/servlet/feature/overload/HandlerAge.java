package io.carillon.servlet.feature.overload;

/**
 * How long the work that is in hand has been there, from two counts alone: as many as have ended
 * were handed over by some moment, so what is in hand now came after it. Where work ends in another
 * order than it came, the age is that of an even order: the mean that Little's law gives. A load
 * that rises does not raise it; work that is not done in the time in which it comes does, at once.
 *
 * <p>For one thread at a time: the owner has a lock. Memory is fixed.
 */
final class HandlerAge {
    private static final int SAMPLES = 256;

    private final long[] nanos = new long[SAMPLES];
    private final long[] handed = new long[SAMPLES];

    /** Samples so far. */
    private int taken;

    /** So much was handed over so far; called from time to time, later each time. */
    void sample(long handedSoFar, long nowNanos) {
        int at = taken % SAMPLES;
        nanos[at] = nowNanos;
        handed[at] = handedSoFar;
        taken++;
        if (taken == 2 * SAMPLES) {
            taken = SAMPLES; // the place of the next one stays
        }
    }

    /**
     * The age of what is in hand, in nanoseconds: by the time between two samples too low, and
     * never more than the samples reach back.
     *
     * @param ended so far
     */
    long of(long ended, long nowNanos) {
        long age = 0;
        int kept = Math.min(taken, SAMPLES);
        for (int back = 1; back <= kept; back++) {
            int at = Math.floorMod(taken - back, SAMPLES);
            if (handed[at] <= ended) {
                break;
            }
            age = nowNanos - nanos[at];
        }
        return age;
    }
}
