package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.feature.adopt.LeavingCalls.Told;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What leaves a node leaves it together. */
class LeavingPartitionsTest {
    private final List<BitSet> dropped = new ArrayList<>();
    private final List<Runnable> later = new ArrayList<>();
    private final List<Integer> handedOver = new ArrayList<>();
    private final BitSet unwritten = new BitSet();
    private final BitSet present = new BitSet();

    /** Who waits for the turns of calls. */
    private final List<Told> asked = new ArrayList<>();

    private final List<Integer> kept = new ArrayList<>();
    private boolean turnsAreHeld;
    private int looks;
    private int failing;

    private final LeavingPartitions leaving =
            new LeavingPartitions(
                    new LeavingPartitions.Calls() {
                        @Override
                        public void drop(BitSet partitions) {
                            dropped.add((BitSet) partitions.clone());
                        }

                        @Override
                        public BitSet unwritten(BitSet partitions) {
                            looks++;
                            if (failing-- > 0) {
                                throw new IllegalStateException("a call is being made");
                            }
                            return both(partitions, unwritten);
                        }

                        @Override
                        public void letGo(BitSet partitions, Told told) {
                            asked.add(told);
                            if (!turnsAreHeld) {
                                partitions.stream().forEach(one -> told.asked(one, true));
                            }
                        }

                        @Override
                        public BitSet present(BitSet partitions) {
                            return both(partitions, present);
                        }

                        @Override
                        public String keeps(int partition) {
                            kept.add(partition);
                            return "the record of call c1 of uas is not written";
                        }
                    },
                    (millis, task) -> later.add(task),
                    handedOver::add);

    private static BitSet both(BitSet one, BitSet other) {
        BitSet found = (BitSet) one.clone();
        found.and(other);
        return found;
    }

    /** All that is due, and what becomes due by that. */
    private void runNext() {
        List<Runnable> now = List.copyOf(later);
        later.clear();
        now.forEach(Runnable::run);
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
    void whatIsHandedOverIsDroppedTogetherBeforeTheNextOwnerHearsOfIt() {
        leaving.handOver(1);
        leaving.handOver(2);
        leaving.flush();
        leaving.handOver(3);
        assertThat(later).hasSize(2);
        runNext();
        assertThat(dropped).as("its calls were asked").isEmpty();
        assertThat(handedOver).isEmpty();
        runNext();
        assertThat(dropped).containsExactly(of(1, 2, 3));
        assertThat(handedOver).containsExactly(1, 2, 3);
        assertThat(later).isEmpty();
    }

    @Test
    void aLookThatFailsIsTakenAgain() {
        failing = 2;
        leaving.handOver(1);
        leaving.handOver(2);
        leaving.flush();
        for (int i = 0; i < 4; i++) {
            runNext();
        }
        assertThat(handedOver).containsExactly(1, 2);
        assertThat(later).isEmpty();
    }

    @Test
    void whichCallKeepsAPartitionForLongIsToldOnce() {
        unwritten.set(2);
        leaving.handOver(2);
        leaving.flush();
        for (int i = 1; i < LeavingPartitions.LONG_LOOKS; i++) {
            runNext();
        }
        assertThat(kept).isEmpty();
        runNext();
        runNext();
        assertThat(kept).containsExactly(2);
    }

    @Test
    void aCallThatTheStoreDoesNotHaveStaysUntilItHasIt() {
        unwritten.set(2);
        leaving.handOver(1);
        leaving.handOver(2);
        leaving.flush();
        runNext();
        runNext();
        assertThat(handedOver).containsExactly(1);
        assertThat(dropped).containsExactly(of(1));
        unwritten.clear();
        runNext();
        runNext();
        assertThat(dropped).containsExactly(of(1), of(2));
        assertThat(handedOver).containsExactly(1, 2);
        assertThat(later).isEmpty();
    }

    /** And a handler that runs for long in one of them keeps no other one. */
    @Test
    void theNextOwnerWaitsForTheTurnOfEachCallOfItsPartitionAlone() {
        turnsAreHeld = true;
        leaving.handOver(1);
        leaving.handOver(2);
        leaving.handOver(3);
        leaving.flush();
        runNext();
        Told told = asked.getFirst();
        told.asked(1, true);
        told.asked(2, false); // a handler has changed a call of 2 since the look
        runNext();
        assertThat(handedOver).containsExactly(1);
        assertThat(dropped).containsExactly(of(1));
        asked.getLast().asked(2, true);
        runNext();
        assertThat(handedOver).containsExactly(1, 2);
        told.asked(3, true);
        runNext();
        assertThat(handedOver).containsExactly(1, 2, 3);
        assertThat(later).isEmpty();
    }

    /** Each look walks through all calls of the node. */
    @Test
    void thoseThatStayAreLookedAtTogether() {
        turnsAreHeld = true;
        for (int partition = 0; partition < 100; partition++) {
            leaving.handOver(partition);
        }
        leaving.flush();
        runNext();
        assertThat(looks).isOne();
        Told told = asked.getFirst();
        for (int partition = 0; partition < 100; partition++) {
            told.asked(partition, partition % 2 == 0);
        }
        present.set(0, 10);
        runNext();
        assertThat(handedOver).hasSize(45);
        runNext();
        assertThat(looks).as("those changed, and those in which something began").isLessThan(4);
    }

    /** A call that began there meanwhile would be dropped unwritten. */
    @Test
    void whatHasBegunInAPartitionThatLeavesIsHandedOverAsWell() {
        leaving.handOver(1);
        leaving.flush();
        runNext();
        present.set(1);
        runNext();
        assertThat(dropped).isEmpty();
        present.clear();
        runNext();
        runNext();
        assertThat(asked).hasSize(2);
        assertThat(handedOver).containsExactly(1);
    }

    @Test
    void whatIsLostWhileTurnsAreAwaitedIsNotHandedOver() {
        turnsAreHeld = true;
        leaving.handOver(1);
        leaving.handOver(2);
        leaving.flush();
        runNext();
        leaving.lost(1);
        leaving.back(2);
        leaving.flush();
        asked.getFirst().asked(1, true);
        asked.getFirst().asked(2, true);
        runNext();
        assertThat(handedOver).isEmpty();
        assertThat(dropped).containsExactly(of(1));
        assertThat(later).isEmpty();
    }

    /** A handler of the first hand-over ends in the second one, whose calls nobody has asked. */
    @Test
    void whatIsHeardOfAHandOverDoesNotEndALaterOne() {
        turnsAreHeld = true;
        leaving.handOver(1);
        leaving.flush();
        runNext();
        leaving.back(1);
        leaving.handOver(1);
        leaving.flush();
        asked.getFirst().asked(1, true);
        runNext();
        assertThat(handedOver).isEmpty();
        asked.getLast().asked(1, true);
        runNext();
        assertThat(handedOver).containsExactly(1);
    }

    @Test
    void whatComesBackOrIsLostMeanwhileIsNotHandedOver() {
        leaving.handOver(1);
        leaving.handOver(2);
        leaving.flush();
        leaving.back(1);
        leaving.lost(2);
        leaving.flush();
        runNext();
        assertThat(dropped).containsExactly(of(2));
        assertThat(handedOver).isEmpty();
        assertThat(later).isEmpty();
    }
}
