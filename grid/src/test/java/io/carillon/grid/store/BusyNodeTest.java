package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.grid.BusyCarriers;
import io.carillon.servlet.port.CallStore;
import io.carillon.servlet.port.CallStore.Found;
import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The grid of a node whose applications compute on all virtual threads. */
class BusyNodeTest {
    @Test
    void recordsAreWrittenAndReadAllTheSame() throws Exception {
        try (InfinispanCluster nodes = new InfinispanCluster(2)) {
            try (var _ = new BusyCarriers()) {
                CallStore store = nodes.store(0);
                CompletableFuture<Outcome> written = new CompletableFuture<>();
                State state = new State(7, "call", 1, 1, new byte[] {1, 2, 3});
                store.write(List.of(state), written::complete);
                assertThat(written.get(30, TimeUnit.SECONDS).holders()).isEqualTo(2);
                CompletableFuture<Found> found = new CompletableFuture<>();
                nodes.store(1).read(7, "call", found::complete);
                assertThat(found.get(30, TimeUnit.SECONDS).state()).isNotNull();
            }
        }
    }
}
