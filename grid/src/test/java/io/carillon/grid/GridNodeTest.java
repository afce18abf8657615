package io.carillon.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two nodes and a witness. */
class GridNodeTest {
    @TempDir Path folder;

    private final List<InetSocketAddress> addresses = Loopback.addresses(3);
    private final List<GridNode> nodes = new ArrayList<>();

    private GridNode node(int number, List<String> changes) {
        GridNode node =
                GridNode.of("pair", number)
                        .listen(addresses.get(number))
                        .nodes(addresses)
                        .voters(List.of(0, 1, 2))
                        .secret(new byte[32])
                        .folder(folder)
                        .witness(2)
                        .build();
        node.voting().onApplied(change -> changes.add(new String(change)));
        return node;
    }

    @AfterEach
    void close() {
        nodes.reversed().forEach(GridNode::close);
    }

    @Test
    void twoNodesKeepCallsAndWithAWitnessOneOfThemDecides() throws Exception {
        List<String> changes = new CopyOnWriteArrayList<>();
        for (int number = 0; number < 3; number++) {
            nodes.add(node(number, number == 0 ? changes : new ArrayList<>()));
        }
        CompletableFuture<?>[] starts =
                nodes.stream()
                        .map(node ->
                                CompletableFuture.runAsync(
                                        node::start, task -> new Thread(task).start()))
                        .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(starts).get(60, TimeUnit.SECONDS);
        GridNode zero = nodes.get(0);
        GridNode one = nodes.get(1);
        GridNode witness = nodes.get(2);
        Loopback.until("all are seen", () -> zero.link().seen().size() == 3);
        Loopback.until("two copies", () -> zero.store().partitionsWithoutCopy() == 0);
        assertThatThrownBy(witness::store).hasMessageContaining("witness");
        assertThat(zero.store().placement(5)).containsExactlyInAnyOrder(0, 1);

        witness.voting().propose("1".getBytes()).toCompletableFuture().get(30, TimeUnit.SECONDS);
        AtomicReference<@Nullable Outcome> told = new AtomicReference<>();
        one.store().write(List.of(new State(5, "call", 1, 1, new byte[] {7})), told::set);
        Loopback.until("the outcome", () -> told.get() != null);
        assertThat(told.get().isProtected()).isTrue();

        one.close();
        nodes.remove(one);
        Loopback.until("one has left", () -> zero.link().seen().size() == 2);
        zero.voting().propose("2".getBytes()).toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertThat(changes).containsExactly("1", "2");
        AtomicReference<@Nullable State> found = new AtomicReference<>();
        zero.store().read(5, "call", read -> found.set(read.state()));
        Loopback.until("the record", () -> found.get() != null);
        assertThat(found.get().bytes()).containsExactly(7);
    }

    @Test
    void aNodeThatListensEverywhereIsRefused() {
        assertThatThrownBy(() ->
                        GridNode.of("pair", 0)
                                .listen(new InetSocketAddress(7000))
                                .nodes(addresses)
                                .secret(new byte[32])
                                .folder(folder)
                                .build())
                .hasMessageContaining("one address");
    }

    @Test
    void aPortThatIsTakenIsSaidInASentence() throws Exception {
        GridNode first = node(2, new ArrayList<>());
        nodes.add(first);
        first.start();
        GridNode second = node(2, new ArrayList<>());
        assertThatThrownBy(second::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("voters cannot be joined");
    }
}
