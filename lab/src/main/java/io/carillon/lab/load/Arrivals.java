package io.carillon.lab.load;

import java.util.SplittableRandom;

/**
 * When calls are due: an open loop, so no answer delays the next call. Evenly spaced, or a Poisson
 * process. Owner: the engine's thread.
 *
 * <p>Even arrivals lie on a grid: above 500 calls/s those of one step are due together. Most of
 * what a call costs the load is waking up, and calls that go the same way at the same time share
 * it.
 */
final class Arrivals {
    /** Step of the grid of even arrivals. */
    static final long GRID_NANOS = 2_000_000L;

    /** No further call. */
    static final long NEVER = Long.MAX_VALUE;

    private final RatePlan rate;
    private final boolean poisson;
    private final long calls;
    private final long startNanos;
    private final long endNanos;
    private final SplittableRandom random;
    private double offset;
    private long next;
    private long taken;

    /**
     * @param calls most calls
     * @param durationNanos time after which none is due
     */
    Arrivals(
            RatePlan rate,
            boolean poisson,
            long calls,
            long startNanos,
            long durationNanos,
            long seed) {
        this.rate = rate;
        this.poisson = poisson;
        this.calls = calls;
        this.startNanos = startNanos;
        this.endNanos =
                durationNanos > Long.MAX_VALUE - startNanos ? NEVER : startNanos + durationNanos;
        random = new SplittableRandom(seed);
        next = calls > 0 && durationNanos > 0 ? startNanos : NEVER;
    }

    long startNanos() {
        return startNanos;
    }

    /** When the next call is due; {@link #NEVER} when none is. */
    long nextNanos() {
        return next;
    }

    boolean ended() {
        return next == NEVER;
    }

    /** Takes the next call: the one after it is due then. */
    void take() {
        taken++;
        // Summed as a fraction, so that 3 calls per second are 3,000 in 1,000 s.
        double gap = 1e9 / rate.at((long) offset);
        offset += poisson ? -Math.log(1 - random.nextDouble()) * gap : gap;
        long after = Math.round(offset);
        long due = startNanos + (poisson ? after : after - after % GRID_NANOS);
        next = taken >= calls || due >= endNanos ? NEVER : due;
    }

    /** No call from now on. */
    void stop() {
        next = NEVER;
    }

    /** Calls per second that are due now; 0 after the end. */
    double rateAt(long nowNanos) {
        return ended() ? 0 : rate.at(Math.max(0, nowNanos - startNanos));
    }
}
