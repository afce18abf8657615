package io.carillon.grid.store;

import io.carillon.grid.Loopback;
import io.carillon.grid.link.ClusterKey;
import io.carillon.grid.link.Discovery;
import io.carillon.grid.link.LinkSettings;
import io.carillon.servlet.port.CallStore;
import io.carillon.servlettest.store.StoreCluster;
import io.carillon.sip.token.Ownership;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.TP;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.Util;

/** Nodes with Infinispan in this process, over loopback. */
final class InfinispanCluster implements StoreCluster {
    private final List<InfinispanCallStore> stores = new ArrayList<>();
    private final List<InetSocketAddress> nodes;
    private boolean hurt;

    InfinispanCluster(int count) {
        nodes = Loopback.addresses(count);
        stores.add(store(nodes, 0));
        List<CompletableFuture<InfinispanCallStore>> others =
                IntStream.range(1, count)
                        .mapToObj(i -> CompletableFuture.supplyAsync(() -> store(nodes, i)))
                        .toList();
        others.forEach(other -> stores.add(other.join()));
        if (count > 1) {
            untilTwoCopies();
        }
    }

    /** Waits until all nodes say that each partition lies on two. */
    void untilTwoCopies() {
        until(
                "two copies of all",
                () -> stores.stream().allMatch(store -> store.partitionsWithoutCopy() == 0));
    }

    /** Waits until that node sees two copies of all, and the dead one with none. */
    void untilTwoCopies(int seer, int dead) {
        until("one is gone", () -> !holdsSomething(seer, dead));
        until("two copies of all", () -> stores.get(seer).partitionsWithoutCopy() == 0);
    }

    /** Does that node hold something, as the other one sees it? */
    boolean holdsSomething(int seer, int number) {
        for (int partition = 0; partition < Ownership.PARTITIONS; partition++) {
            for (int holder : stores.get(seer).placement(partition)) {
                if (holder == number) {
                    return true;
                }
            }
        }
        return false;
    }

    /** A node leaves as it should. */
    void close(int number) {
        stores.remove(number).close();
        untilTwoCopies();
    }

    /** A process that was killed comes back with nothing. */
    void comesBack(int number) {
        stores.get(number).close();
        stores.set(number, store(nodes, number));
    }

    /** It comes back, finds nobody, and begins a grid of its own, which the others find. */
    void comesBackAlone(int number) {
        stores.get(number).close();
        stores.set(number, store(List.of(nodes.get(number)), nodes.get(number), number));
    }

    private static InfinispanCallStore store(
            List<InetSocketAddress> found, InetSocketAddress address, int number) {
        return new InfinispanCallStore(settings(address, number, found), Company.NOBODY);
    }

    private static InfinispanCallStore store(List<InetSocketAddress> nodes, int number) {
        return new InfinispanCallStore(settings(nodes.get(number), number, nodes), Company.NOBODY);
    }

    /** Of a node that looks for those nodes. */
    static LinkSettings settings(
            InetSocketAddress address, int number, List<InetSocketAddress> nodes) {
        return new LinkSettings(
                "contract",
                number,
                address,
                0,
                new Discovery.Nodes(nodes),
                new ClusterKey("contract", List.of(new byte[32])));
    }

    /** Nothing goes to or from it until told otherwise. */
    DISCARD cut(int number) throws Exception {
        DISCARD discard = new DISCARD().discardAll(true);
        stores.get(number)
                .channel()
                .getProtocolStack()
                .insertProtocol(discard, ProtocolStack.Position.ABOVE, TP.class);
        return discard;
    }

    boolean isHurt() {
        return hurt;
    }

    boolean hasLeft() {
        return stores.stream().anyMatch(store -> store.holders(0) == 0);
    }

    InfinispanCallStore store(int number) {
        return stores.get(number);
    }

    @Override
    public CallStore node(int number) {
        return stores.get(number);
    }

    @Override
    public void kill(int number) {
        hurt = true;
        try {
            Util.shutdown(stores.get(number).channel());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void until(String what, BooleanSupplier condition) {
        Loopback.until(what, condition);
    }

    @Override
    public void close() {
        stores.reversed().forEach(InfinispanCallStore::close);
    }
}
