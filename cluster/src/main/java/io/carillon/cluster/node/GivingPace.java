package io.carillon.cluster.node;

import io.carillon.cluster.table.PartitionTable;

/**
 * How fast a node gives partitions to each of the others. The code of a node that has just started
 * is not compiled yet: with its whole share at once it would keep messages waiting for longer than
 * phones wait. So it gets a few at first, and twice as many in all after each {@link
 * ClusterTimes#doubling}. A node that leaves begins with four times as many.
 *
 * <p>Owner: one thread. Memory is fixed.
 */
final class GivingPace {
    /** Doubled more often it is as good as without a limit. */
    private static final int MOST_DOUBLINGS = 20;

    private static final int OF_ONE_THAT_LEAVES = 4;

    private final ClusterTimes times;
    private final int first;
    private final boolean leaving;
    private final int[] given = new int[PartitionTable.NONE];
    private final long[] beganAt = new long[PartitionTable.NONE];
    private final long[] lastAt = new long[PartitionTable.NONE];

    private GivingPace(ClusterTimes times, int first, boolean leaving) {
        this.times = times;
        this.first = first;
        this.leaving = leaving;
    }

    /** Of a node that stays. */
    static GivingPace staying(ClusterTimes times) {
        return new GivingPace(times, times.firstHandOvers(), false);
    }

    /** Of a node that leaves, whatever it has given before. */
    static GivingPace leaving(ClusterTimes times) {
        return new GivingPace(times, OF_ONE_THAT_LEAVES * times.firstHandOvers(), true);
    }

    boolean isLeaving() {
        return leaving;
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
        return first * Math.pow(2, doublings);
    }
}
