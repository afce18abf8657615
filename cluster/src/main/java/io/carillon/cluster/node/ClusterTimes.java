package io.carillon.cluster.node;

/**
 * The times of a cluster, nanoseconds, the same on all nodes. Why these: decision 24.
 *
 * @param beat between two beats of a node
 * @param lease how long a node acts after it sent a beat that a majority acknowledged
 * @param margin how much longer a voter waits after its last acknowledgement before it suspects;
 *     more than the clocks of two nodes drift apart in a lease
 * @param again until a proposal whose outcome is not known is made again
 * @param doubt how long a suspicion stays when the suspect is heard again but holds no lease
 * @param settle how long a node has to be there before it owns something
 * @param rejoin how long a node that was declared dead waits before it joins again
 * @param fill how long the leader waits for further members before it gives partitions without an
 *     owner to those that are there
 * @param quiet how long nobody may have come or gone, and no copies moved, before partitions are
 *     moved
 * @param handOver how long a previous owner may keep calls of a partition: their messages wait, and
 *     a request that is not answered for 32 s has failed (RFC 3261 17.1)
 * @param handOvers partitions in which a node that stays is a previous owner at a time
 * @param firstHandOvers partitions that a node gives another one at first
 * @param doubling after so long it gives it as many again, and so on
 */
public record ClusterTimes(
        long beat,
        long lease,
        long margin,
        long again,
        long doubt,
        long settle,
        long rejoin,
        long fill,
        long quiet,
        long handOver,
        int handOvers,
        int firstHandOvers,
        long doubling) {
    private static final long MILLIS = 1_000_000;

    public static final ClusterTimes STANDARD =
            new ClusterTimes(
                    250 * MILLIS,
                    1_500 * MILLIS,
                    500 * MILLIS,
                    500 * MILLIS,
                    3_000 * MILLIS,
                    30_000 * MILLIS,
                    1_000 * MILLIS,
                    1_000 * MILLIS,
                    5_000 * MILLIS,
                    25_000 * MILLIS,
                    64,
                    16,
                    2_000 * MILLIS);

    /**
     * These, with another time after which a silent node counts as dead: three quarters of it are
     * the lease, the rest is the margin.
     *
     * @param within nanoseconds, four beats at least
     */
    public ClusterTimes detectingWithin(long within) {
        if (within < 4 * beat) {
            throw new IllegalArgumentException("a silent node is detected within four beats");
        }
        long shorter = within - within / 4;
        return new ClusterTimes(
                beat,
                shorter,
                within - shorter,
                again,
                doubt,
                settle,
                rejoin,
                fill,
                quiet,
                handOver,
                handOvers,
                firstHandOvers,
                doubling);
    }

    /** After so long without an answered beat a voter suspects. */
    long suspectAfter() {
        return lease + margin;
    }
}
