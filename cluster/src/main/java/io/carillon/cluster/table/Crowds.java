package io.carillon.cluster.table;

import java.util.List;

/**
 * Of each member, where it has copies: with whom its partitions have their other copy, and how many
 * do. One thread, for the length of one plan.
 */
final class Crowds {
    private final List<Integer> holders;
    private final int[][] others = new int[PartitionTable.NONE + 1][PartitionTable.NONE + 1];

    /**
     * @param holders a {@link Placement} for each partition
     */
    Crowds(TableDraft draft, List<Integer> holders) {
        this.holders = holders;
        for (int p = 0; p < draft.partitions(); p++) {
            count(p, draft.future(p), 1);
        }
    }

    /**
     * How many partitions of the member have their other copy where this one would have it; 0 where
     * the member has no copy of it.
     */
    int of(int partition, int member) {
        return holds(partition, member) ? others[member][other(partition, member)] : 0;
    }

    /** It goes from one member to another. */
    void moves(int partition, int from, int to) {
        count(partition, from, -1);
        count(partition, to, 1);
    }

    private void count(int partition, int owner, int more) {
        if (holds(partition, owner)) {
            others[owner][other(partition, owner)] += more;
        }
    }

    private boolean holds(int partition, int member) {
        return Placement.holds(holders.get(partition), member);
    }

    /** Who has the copy that this member has not. */
    private int other(int partition, int member) {
        int where = holders.get(partition);
        return Placement.first(where) == member ? Placement.second(where) : Placement.first(where);
    }
}
