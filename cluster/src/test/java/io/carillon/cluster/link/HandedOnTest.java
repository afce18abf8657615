package io.carillon.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.token.Ownership;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The number of a frame that says who answers for a request. */
class HandedOnTest {
    private static final int LAST = Ownership.PARTITIONS - 1;

    @Test
    void theNodeStandsAboveThePartition() {
        assertThat(new HandedOn(0, 6).number()).isEqualTo(0x1_0006);
        assertThat(new HandedOn(254, LAST).number()).isEqualTo(0xFF_0000 + LAST);
        assertThat(HandedOn.of(0x3_0007)).isEqualTo(new HandedOn(2, 7));
    }

    @Test
    void anOlderNodeNamesThePartitionAlone() {
        assertThat(HandedOn.of(7)).isEqualTo(new HandedOn(PeerId.NONE, 7));
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Ownership.PARTITIONS, 0x100_0001L, Long.MAX_VALUE})
    void anythingElseIsNone(long number) {
        assertThat(HandedOn.of(number)).isNull();
    }
}
