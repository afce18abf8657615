package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What leaves a node leaves it together. */
class LeavingPartitionsTest {
    private final List<BitSet> dropped = new ArrayList<>();
    private final List<Runnable> later = new ArrayList<>();
    private final List<Integer> handedOver = new ArrayList<>();
    private final BitSet unwritten = new BitSet();

    /** Those that wait for the turns of their calls, and who hears of those that stayed. */
    private final List<Consumer<BitSet>> asked = new ArrayList<>();

    private boolean turnsAreHeld;
    private final LeavingPartitions leaving =
            new LeavingPartitions(
                    gone -> dropped.add((BitSet) gone.clone()),
                    this::unwritten,
                    (partitions, over) -> {
                        asked.add(over);
                        if (!turnsAreHeld) {
                            over.accept(new BitSet());
                        }
                    },
                    (millis, task) -> later.add(task),
                    handedOver::add);

    private BitSet unwritten(BitSet of) {
        BitSet found = (BitSet) of.clone();
        found.and(unwritten);
        return found;
    }

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

    @Test
    void aCallThatTheStoreDoesNotHaveStaysUntilItHasIt() {
        unwritten.set(2);
        leaving.handOver(1);
        leaving.handOver(2);
        leaving.flush();
        later.removeFirst().run();
        assertThat(handedOver).containsExactly(1);
        later.removeFirst().run();
        assertThat(dropped).containsExactly(of(1));
        unwritten.clear();
        later.removeFirst().run();
        assertThat(dropped).containsExactly(of(1), of(2));
        assertThat(handedOver).containsExactly(1, 2);
        assertThat(later).isEmpty();
    }

    @Test
    void theNextOwnerWaitsForTheTurnOfEachCall() {
        turnsAreHeld = true;
        leaving.handOver(1);
        leaving.handOver(2);
        leaving.flush();
        later.removeFirst().run();
        assertThat(handedOver).isEmpty();
        assertThat(dropped).isEmpty();
        // A handler has changed a call of 2 since the look.
        asked.removeFirst().accept(of(2));
        assertThat(handedOver).containsExactly(1);
        assertThat(dropped).containsExactly(of(1));
        later.removeFirst().run();
        asked.removeFirst().accept(of());
        assertThat(handedOver).containsExactly(1, 2);
        assertThat(dropped).containsExactly(of(1), of(2));
        assertThat(later).isEmpty();
    }

    @Test
    void whatIsLostWhileTurnsAreAwaitedIsNotHandedOver() {
        turnsAreHeld = true;
        leaving.handOver(1);
        leaving.handOver(2);
        leaving.flush();
        later.removeFirst().run();
        leaving.lost(1);
        leaving.back(2);
        leaving.flush();
        asked.removeFirst().accept(of(2));
        assertThat(handedOver).isEmpty();
        assertThat(dropped).containsExactly(of(1));
        assertThat(later).isEmpty();
    }

    @Test
    void whatComesBackOrIsLostMeanwhileIsNotHandedOver() {
        leaving.handOver(1);
        leaving.handOver(2);
        leaving.flush();
        leaving.back(1);
        leaving.lost(2);
        leaving.flush();
        later.removeFirst().run();
        assertThat(dropped).containsExactly(of(2));
        assertThat(handedOver).isEmpty();
        assertThat(later).isEmpty();
    }
}
