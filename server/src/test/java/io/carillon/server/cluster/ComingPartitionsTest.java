package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.token.Ownership;
import org.junit.jupiter.api.Test;

/** When messages of a partition are let in. */
class ComingPartitionsTest {
    private final ComingPartitions partitions = new ComingPartitions(Ownership.ALONE);

    @Test
    void nothingIsLetInBeforeTheRecordsAreLookedThrough() {
        assertThat(partitions.owns(7)).isFalse();
        partitions.came(7);
        assertThat(partitions.owns(7)).isTrue();
        assertThat(partitions.owns(8)).isFalse();
    }

    @Test
    void whatIsWithTheOwnerBeforeWaits() {
        partitions.came(7);
        partitions.remove(7);
        partitions.add(7);
        assertThat(partitions.has(7)).isTrue();
        assertThat(partitions.owns(7)).isFalse();
        partitions.came(7);
        assertThat(partitions.has(7)).isFalse();
        assertThat(partitions.owns(7)).isTrue();
    }
}
