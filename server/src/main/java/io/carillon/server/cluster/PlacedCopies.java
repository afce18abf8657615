package io.carillon.server.cluster;

import io.carillon.cluster.table.Placement;
import io.carillon.sip.token.Ownership;
import java.util.function.IntFunction;

/** Where the copies of each partition lie, as the table is told. Stateless. */
final class PlacedCopies {
    private PlacedCopies() {}

    /**
     * Of all partitions. Where not two members hold one, the grid is on its way: a node that sees
     * nobody takes itself for the only holder of all, and after a division each part's holders are
     * named. Owners that followed such copies would come back soon.
     *
     * @param at the members that hold one, the first is asked first
     */
    static int[] of(IntFunction<int[]> at) {
        int[] holders = new int[Ownership.PARTITIONS];
        for (int partition = 0; partition < holders.length; partition++) {
            int[] members = at.apply(partition);
            holders[partition] =
                    members.length == 2 ? Placement.of(members[0], members[1]) : Placement.UNKNOWN;
        }
        return holders;
    }
}
