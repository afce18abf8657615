package io.carillon.cluster.node;

import io.carillon.cluster.table.PartitionTable;

/**
 * How fast a node gives partitions to each of the others. The code of a node that has just started
 * is not compiled yet: with its whole share at once it would keep messages waiting for longer than
 * phones wait. So it gets a few at first, and twice as many in all after each {@link
 * ClusterTimes#doubling}.
 *
 * <p>Owner: one thread. Memory is fixed.
 */
final class GivingPace {
    /** Doubled more often it is as good as without a limit. */
    private static final int MOST_DOUBLINGS = 20;

    private final ClusterTimes times;
    private final int[] given = new int[PartitionTable.NONE];
    private final long[] beganAt = new long[PartitionTable.NONE];
    private final long[] lastAt = new long[PartitionTable.NONE];

    GivingPace(ClusterTimes times) {
        this.times = times;
    }

    /** May that member be given one more now? */
    boolean may(int to, long now) {
        return given[to] == 0 || rested(to, now) || given[to] < allowed(now - beganAt[to]);
    }

    /** It is being given one. */
    void gives(int to, long now) {
        if (given[to] == 0 || rested(to, now)) {
            given[to] = 0;
            beganAt[to] = now;
        }
        given[to]++;
        lastAt[to] = now;
    }

    /** It was not given it after all. */
    void kept(int to) {
        given[to] = Math.max(0, given[to] - 1);
    }

    /** Who comes back has to be there for as long before it is given anything: it begins anew. */
    private boolean rested(int to, long now) {
        return now - lastAt[to] >= times.settle();
    }

    private double allowed(long elapsed) {
        double doublings = Math.min((double) elapsed / times.doubling(), MOST_DOUBLINGS);
        return times.firstHandOvers() * Math.pow(2, doublings);
    }
}
