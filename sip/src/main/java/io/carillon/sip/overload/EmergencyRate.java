package io.carillon.sip.overload;

/**
 * How many emergency calls come before all others: they cannot take all, as who calls himself one
 * may lie. Owner: the shard's thread, or whoever has a lock.
 */
public final class EmergencyRate {
    /** Of what is let in. */
    private static final double MOST = 0.5;

    private static final double LEAST_PER_SECOND = 20;
    private static final double BURST_SECONDS = 0.1;
    private static final double NANOS = 1e-9;

    private double tokens;
    private long filledNanos;

    /**
     * @param startNanos the time now
     */
    public EmergencyRate(long startNanos) {
        filledNanos = startNanos;
    }

    /**
     * Does one more come first?
     *
     * @param limit of new work, for each second
     */
    public boolean take(double limit, long nowNanos) {
        double most = Math.max(LEAST_PER_SECOND, MOST * limit);
        double more = Math.max(0, nowNanos - filledNanos) * NANOS * most;
        filledNanos = nowNanos;
        tokens = Math.min(most * BURST_SECONDS, tokens + more);
        if (tokens < 1) {
            return false;
        }
        tokens--;
        return true;
    }
}
