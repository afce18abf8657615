package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What leaves a node leaves it together. */
class LeavingPartitionsTest {
    private final List<BitSet> dropped = new ArrayList<>();
    private final List<Runnable> later = new ArrayList<>();
    private final List<Integer> handedOver = new ArrayList<>();
    private final LeavingPartitions leaving =
            new LeavingPartitions(dropped::add, (millis, task) -> later.add(task), handedOver::add);

    private static BitSet of(int... partitions) {
        BitSet all = new BitSet();
        for (int partition : partitions) {
            all.set(partition);
        }
        return all;
    }

    @Test
    void whatOneChangeTakesIsDroppedAtOnce() {
        leaving.lost(1);
        leaving.lost(900);
        assertThat(dropped).isEmpty();
        leaving.flush();
        leaving.flush();
        leaving.lost(2);
        leaving.flush();
        assertThat(dropped).containsExactly(of(1, 900), of(2));
    }

    @Test
    void whatIsHandedOverIsDroppedBeforeTheNextOwnerHearsOfIt() {
        leaving.handOver(1);
        leaving.handOver(2);
        leaving.flush();
        leaving.handOver(3);
        assertThat(later).hasSize(2);
        assertThat(dropped).isEmpty();
        later.getFirst().run();
        assertThat(dropped).containsExactly(of(1, 2));
        assertThat(handedOver).containsExactly(1, 2);
        later.getLast().run();
        assertThat(handedOver).containsExactly(1, 2, 3);
    }
}
