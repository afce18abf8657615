package io.carillon.server.cluster;

/**
 * A node that has given its partitions away still holds copies of records, and another holder may
 * have died a moment ago. So it goes only when each partition has had two holders for as long as a
 * death may go unnoticed.
 *
 * <p>Owner: who asks.
 */
final class LastCopies {
    private static final long NEVER = Long.MIN_VALUE;

    private final long unnoticedNanos;
    private long wholeSince = NEVER;

    /**
     * @param unnoticedNanos how long a node may be dead before the others know
     */
    LastCopies(long unnoticedNanos) {
        this.unnoticedNanos = unnoticedNanos;
    }

    /**
     * Asked again and again, from when the partitions are with others.
     *
     * @param missing partitions of which fewer than two nodes have a copy, this one among them
     */
    boolean mayGo(int missing, long nowNanos) {
        if (missing > 0) {
            wholeSince = NEVER;
            return false;
        }
        if (wholeSince == NEVER) {
            wholeSince = nowNanos;
        }
        return nowNanos - wholeSince >= unnoticedNanos;
    }
}
