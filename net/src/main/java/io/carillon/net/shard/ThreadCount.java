package io.carillon.net.shard;

/**
 * How many threads a network's loops are to have: all of them share one while they have little to
 * do, and each has its own when one thread after the other has become half busy. Twice as many at
 * once, half as many after a while of calm. Owner: who looks, one at a time.
 */
final class ThreadCount {
    /** A thread that works so much of its time is busy. */
    static final double BUSY = 0.5;

    /** Fewer threads would work less than so much of their time: it is calm. */
    static final double CALM = 0.3;

    /** So long it has been calm before there are fewer. */
    static final long CALM_NANOS = 5_000_000_000L;

    private final int loops;
    private int threads;
    private long calmSinceNanos;

    /** As many threads as loops, at first. */
    ThreadCount(int loops, long nowNanos) {
        this.loops = loops;
        this.threads = loops;
        this.calmSinceNanos = nowNanos;
    }

    int threads() {
        return threads;
    }

    /**
     * How many there are to be from now on.
     *
     * @param total what all of them have worked of the time since the last look: 1 for each that
     *     was always busy
     * @param most what the busiest one has
     */
    int next(double total, double most, long nowNanos) {
        int fewer = (threads + 1) / 2;
        if (most > BUSY) {
            threads = Math.min(loops, 2 * threads);
            calmSinceNanos = nowNanos;
        } else if (threads == 1 || total > CALM * fewer) {
            calmSinceNanos = nowNanos;
        } else if (nowNanos - calmSinceNanos >= CALM_NANOS) {
            threads = fewer;
            calmSinceNanos = nowNanos;
        }
        return threads;
    }
}
