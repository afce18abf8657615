package io.carillon.sip.overload;

/**
 * What those may have who ask for little while others ask for too much: a small part of the limit,
 * however long messages wait. What makes them wait is not theirs, and they hardly lengthen it.
 *
 * <p>Owner: the shard's thread. Time is given in.
 */
final class BesideRate {
    /** Of the limit. */
    static final double PART = 0.2;

    /** So much may come at once. */
    private static final double LEAST_BURST = 16;

    private static final double BURST_SECONDS = 0.02;
    private static final double NANOS = 1e-9;

    private double room;
    private long filledNanos;

    /** New work is limited from now on. */
    void begin(double limit, long nowNanos) {
        room = burst(limit);
        filledNanos = nowNanos;
    }

    /**
     * Takes one more, where there is room.
     *
     * @param modest it leaves a good part of its share: only those get the last half
     * @param limit of all, for each second
     */
    boolean takes(boolean modest, double limit, long nowNanos) {
        double most = burst(limit);
        double more = Math.max(0, nowNanos - filledNanos) * NANOS * limit * PART;
        filledNanos = nowNanos;
        room = Math.min(most, room + more);
        if (room < (modest ? 1 : 1 + most / 2)) {
            return false;
        }
        room--;
        return true;
    }

    private static double burst(double limit) {
        return Math.max(LEAST_BURST, limit * BURST_SECONDS);
    }
}
