package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.grid.Loopback;
import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A removal whose writer has died is forgotten by those who hold it, each by itself. */
class OldRemovalsTest {
    private static final int RECORDS = 300;

    private static byte[] removal(long sequence) {
        return Stored.value(new State(1, "x", 1, sequence, null));
    }

    @Test
    void onlyWhatIsThereAtTwoLooksIsOld() {
        OldRemovals old = new OldRemovals();
        old.saw("a", removal(1));
        old.saw("b", removal(1));
        assertThat(old.looked()).isEmpty();
        old.saw("a", removal(1));
        old.saw("b", removal(2)); // another one, of the same record
        old.saw("c", removal(1));
        assertThat(old.looked()).extracting(Map.Entry::getKey).containsExactly("a");
        for (int i = 0; i < 1_000; i++) {
            old.saw("many-" + i, removal(1));
        }
        assertThat(old.looked()).isEmpty();
        for (int i = 0; i < 1_000; i++) {
            old.saw("many-" + i, removal(1));
        }
        assertThat(old.looked()).hasSize(1_000);
    }

    @Test
    void removalsOfADeadNodeDoNotStay() {
        try (InfinispanCluster nodes = new InfinispanCluster(3)) {
            write(nodes, 0, 1, false);
            write(nodes, 0, 2, true);
            write(nodes, 1, 1, false, "stays-");
            nodes.kill(0);
            nodes.untilTwoCopies(1, 0);
            assertThat(entries(nodes)).isEqualTo(4 * RECORDS);
            nodes.store(1).look();
            nodes.store(2).look();
            assertThat(entries(nodes)).as("they may still be young").isEqualTo(4 * RECORDS);
            nodes.store(1).look();
            assertThat(nodes.store(2).entries()).as("its own memory alone").isEqualTo(2 * RECORDS);
            nodes.store(2).look();
            assertThat(entries(nodes)).as("records, on two nodes").isEqualTo(2 * RECORDS);
        }
    }

    private static int entries(InfinispanCluster nodes) {
        return nodes.store(1).entries() + nodes.store(2).entries();
    }

    private static void write(InfinispanCluster nodes, int node, long sequence, boolean removes) {
        write(nodes, node, sequence, removes, "gone-");
    }

    private static void write(
            InfinispanCluster nodes, int node, long sequence, boolean removes, String name) {
        List<State> all = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            all.add(new State(i, name + i, 1, sequence, removes ? null : new byte[50]));
        }
        AtomicReference<@Nullable Outcome> told = new AtomicReference<>();
        nodes.store(node).write(all, told::set);
        Loopback.until("the outcome", () -> told.get() != null);
        Outcome outcome = told.get();
        assertThat(outcome).isNotNull();
        assertThat(outcome.failure()).isNull();
    }
}
