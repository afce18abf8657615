package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import io.carillon.sip.token.Ownership;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches go past Infinispan while nothing moves, and lie where it would have put them. */
class StraightWritesTest {
    private static final int RECORDS = 2 * Ownership.PARTITIONS;

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void eachHolderHasWhatWasWritten(int count) {
        try (InfinispanCluster nodes = new InfinispanCluster(count)) {
            nodes.until(
                    "the straight way",
                    () -> {
                        written(nodes, List.of(new State(5, "first", 1, 1, new byte[10])));
                        return nodes.store(0).straightBatches() > 0;
                    });
            long before = nodes.store(0).straightBatches();
            assertThat(written(nodes, states(1)).isProtected()).isTrue();
            assertThat(nodes.store(0).straightBatches()).isGreaterThan(before);
            int copies = 0;
            for (int i = 0; i < count; i++) {
                copies += nodes.store(i).entries();
            }
            assertThat(copies).isEqualTo(2 * (RECORDS + 1));
        }
    }

    @Test
    void anOlderStateChangesNothingOnAnyHolder() {
        try (InfinispanCluster nodes = new InfinispanCluster(2)) {
            nodes.until(
                    "the straight way",
                    () -> {
                        written(nodes, List.of(new State(7, "call", 2, 5, new byte[] {1})));
                        return nodes.store(0).straightBatches() > 0;
                    });
            long before = nodes.store(0).straightBatches();
            assertThat(
                            written(nodes, List.of(new State(7, "call", 2, 4, new byte[] {2})))
                                    .isProtected())
                    .isTrue();
            assertThat(
                            written(nodes, List.of(new State(7, "call", 1, 9, new byte[] {3})))
                                    .isProtected())
                    .isTrue();
            assertThat(nodes.store(0).straightBatches()).isEqualTo(before + 2);
            for (int i = 0; i < 2; i++) {
                assertThat(own(nodes, i, "call")).containsExactly(1);
            }
            assertThat(
                            written(nodes, List.of(new State(7, "call", 3, 1, new byte[] {4})))
                                    .isProtected())
                    .isTrue();
            for (int i = 0; i < 2; i++) {
                assertThat(own(nodes, i, "call")).containsExactly(4);
            }
        }
    }

    /** A holder that is gone answers nothing: the batch is written among those who are left. */
    @Test
    void whatADeadHolderDoesNotAnswerIsWrittenByInfinispan() {
        try (InfinispanCluster nodes = new InfinispanCluster(3)) {
            nodes.until(
                    "the straight way",
                    () -> {
                        written(nodes, states(1));
                        return nodes.store(0).straightBatches() > 1;
                    });
            nodes.kill(2);
            assertThat(written(nodes, states(2)).failure()).isNull();
            nodes.untilTwoCopies(0, 2);
            assertThat(written(nodes, states(3)).isProtected()).isTrue();
            for (int i = 0; i < 2; i++) {
                assertThat(own(nodes, i, "call-17")).as("node " + i).containsExactly(3);
            }
        }
    }

    private static List<State> states(int sequence) {
        List<State> states = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            int partition = i % Ownership.PARTITIONS;
            states.add(
                    new State(partition, "call-" + i, 1, sequence, new byte[] {(byte) sequence}));
        }
        return states;
    }

    private static Outcome written(InfinispanCluster nodes, List<State> states) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        nodes.store(0).write(states, outcome::complete);
        return outcome.join();
    }

    /** What that node itself has. */
    private static byte[] own(InfinispanCluster nodes, int node, String id) {
        List<byte[]> found = new ArrayList<>();
        nodes.store(node)
                .eachOwn(state -> {
                    if (state.id().equals(id)) {
                        found.add(state.bytes());
                    }
                });
        assertThat(found).hasSize(1);
        return found.getFirst();
    }
}
