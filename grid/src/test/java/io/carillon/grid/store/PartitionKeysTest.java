package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.port.CallStore.State;
import io.carillon.sip.token.Ownership;
import org.infinispan.distribution.ch.KeyPartitioner;
import org.junit.jupiter.api.Test;

/** Where a record lies. */
class PartitionKeysTest {
    private final KeyPartitioner keys = new PartitionKeys();

    /**
     * A batch that is under way when copies move asks for the segment of a segment
     * (EntryWrappingInterceptor.segmentAddedOwners of 16.1.4): the whole batch failed on it.
     */
    @Test
    void theSegmentOfARecordIsItsPartitionAndThatOfAPartitionIsItself() {
        for (int partition = 0; partition < Ownership.PARTITIONS; partition++) {
            State state = new State(partition, "call", 1, 1, new byte[] {1});
            assertThat(keys.getSegment(Stored.key(state.partition(), state.id())))
                    .isEqualTo(partition);
            assertThat(keys.getSegment(partition)).isEqualTo(partition);
        }
    }
}
