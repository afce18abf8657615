package io.carillon.sip.overload;

import org.jspecify.annotations.Nullable;

/**
 * How many emergency calls come before all others: they cannot take all, as who calls himself one
 * may lie. Nor can one source take what is for all: those of a source beyond its fair share come
 * first only as long as half of what may come at once is left for the others.
 *
 * <p>Owner: the shard's thread, or whoever has a lock. Memory is fixed: 16 KiB, made with the first
 * emergency call.
 */
public final class EmergencyRate {
    /** Of what is let in. */
    private static final double MOST = 0.5;

    private static final double LEAST_PER_SECOND = 20;
    private static final double BURST_SECONDS = 0.1;
    private static final double NANOS = 1e-9;
    private static final int ROW_BITS = 10;

    /** Of the whole, the share that a source begins with. */
    private static final double PART = 0.25;

    private static final long LOOK_NANOS = 100_000_000;

    private final long seed;
    private @Nullable SourceRate sources;
    private double tokens;
    private long filledNanos;
    private long lookedNanos;

    /**
     * @param seed unpredictable
     * @param startNanos the time now
     */
    public EmergencyRate(long seed, long startNanos) {
        this.seed = seed;
        filledNanos = startNanos;
    }

    /**
     * Does one more come first?
     *
     * @param limit of new work, for each second
     * @param believed is it surely an emergency call? Then no share is looked at
     * @param source of {@link io.carillon.sip.guard.SourceKey}
     */
    public boolean take(double limit, boolean believed, long source, long nowNanos) {
        double most = Math.max(LEAST_PER_SECOND, MOST * limit);
        double more = Math.max(0, nowNanos - filledNanos) * NANOS * most;
        filledNanos = nowNanos;
        double burst = most * BURST_SECONDS;
        tokens = Math.min(burst, tokens + more);
        if (believed) {
            return take(1);
        }
        SourceRate shares = shares(most, nowNanos);
        boolean fair = shares.fair(source, 1, nowNanos);
        boolean taken = take(fair ? 1 : 1 + burst / 2);
        shares.decided(fair, taken);
        return taken;
    }

    private boolean take(double needed) {
        if (tokens < needed) {
            return false;
        }
        tokens--;
        return true;
    }

    private SourceRate shares(double most, long nowNanos) {
        SourceRate made = sources;
        if (made == null) {
            made = new SourceRate(seed, ROW_BITS);
            made.begin(PART * most, nowNanos);
            sources = made;
            lookedNanos = nowNanos;
        } else if (nowNanos - lookedNanos >= LOOK_NANOS) {
            made.look(most);
            lookedNanos = nowNanos;
        }
        return made;
    }
}
