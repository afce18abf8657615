package io.carillon.server.cluster;

import io.carillon.cluster.table.PartitionTable;
import io.carillon.cluster.table.Placement;
import io.carillon.sip.token.Ownership;
import java.util.function.IntFunction;

/** Where the copies of each partition lie, as the table is told. Stateless. */
final class PlacedCopies {
    private PlacedCopies() {}

    /**
     * Of all partitions.
     *
     * @param at the members that hold one, the first is asked first
     */
    static int[] of(IntFunction<int[]> at) {
        int[] holders = new int[Ownership.PARTITIONS];
        for (int partition = 0; partition < holders.length; partition++) {
            int[] members = at.apply(partition);
            holders[partition] =
                    Placement.of(
                            members.length > 0 ? members[0] : PartitionTable.NONE,
                            members.length > 1 ? members[1] : PartitionTable.NONE);
        }
        return holders;
    }
}
