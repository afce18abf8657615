package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.table.Placement;
import io.carillon.sip.token.Ownership;
import org.junit.jupiter.api.Test;

class PlacedCopiesTest {
    @Test
    void twoHoldersAreTold() {
        int[] holders = PlacedCopies.of(partition -> new int[] {2, partition % 2});
        assertThat(holders).hasSize(Ownership.PARTITIONS);
        assertThat(holders[4]).isEqualTo(Placement.of(2, 0));
        assertThat(holders[5]).isEqualTo(Placement.of(2, 1));
    }

    /** A node that sees nobody, parts that are compared, and parts that have met. */
    @Test
    void aGridOnItsWayTellsNothing() {
        int[][] told = {{1}, {}, {1, 0, 2}};
        int[] holders = PlacedCopies.of(partition -> told[partition % 3]);
        assertThat(holders).containsOnly(Placement.UNKNOWN);
    }
}
