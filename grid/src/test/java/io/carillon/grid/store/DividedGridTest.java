package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.grid.Loopback;
import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A grid of two that is cut in two: both go on unprotected, and the later state stays. */
class DividedGridTest {
    private final InfinispanCluster nodes = new InfinispanCluster(2);

    @Test
    void halvesGoOnAndTheLaterStateStays() throws Exception {
        try (nodes) {
            assertThat(write(0, "both", 1).isProtected()).isTrue();
            DISCARD zero = cut(0);
            DISCARD one = cut(1);
            Loopback.until(
                    "each alone",
                    () -> nodes.store(0).holders(9) == 1 && nodes.store(1).holders(9) == 1);
            assertThat(write(0, "both", 2).isProtected()).isFalse();
            assertThat(write(1, "both", 3).isProtected()).isFalse();
            assertThat(write(0, "here", 5).failure()).isNull();
            assertThat(write(1, "there", 5).failure()).isNull();
            zero.discardAll(false);
            one.discardAll(false);
            Loopback.until(
                    "both again",
                    () -> nodes.store(0).holders(9) == 2 && nodes.store(1).holders(9) == 2);
            for (int node = 0; node < 2; node++) {
                int at = node;
                Loopback.until("the later one", () -> sequence(at, "both") == 3);
                Loopback.until("what one half wrote", () -> sequence(at, "here") == 5);
                Loopback.until("what the other half wrote", () -> sequence(at, "there") == 5);
            }
        }
    }

    private DISCARD cut(int node) throws Exception {
        DISCARD discard = new DISCARD().discardAll(true);
        nodes.store(node)
                .channel()
                .getProtocolStack()
                .insertProtocol(discard, ProtocolStack.Position.ABOVE, TP.class);
        return discard;
    }

    private Outcome write(int node, String id, long sequence) {
        AtomicReference<@Nullable Outcome> told = new AtomicReference<>();
        nodes.store(node).write(List.of(new State(9, id, 1, sequence, new byte[] {1})), told::set);
        Loopback.until("the outcome", () -> told.get() != null);
        return told.get();
    }

    private long sequence(int node, String id) {
        AtomicReference<@Nullable Long> found = new AtomicReference<>();
        nodes.store(node).read(9, id, state -> found.set(state == null ? -1L : state.sequence()));
        Loopback.until("the record", () -> found.get() != null);
        return found.get();
    }
}
