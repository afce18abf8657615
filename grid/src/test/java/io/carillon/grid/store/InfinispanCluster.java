package io.carillon.grid.store;

import io.carillon.grid.Loopback;
import io.carillon.grid.link.ClusterKey;
import io.carillon.grid.link.Discovery;
import io.carillon.grid.link.LinkSettings;
import io.carillon.servlet.port.CallStore;
import io.carillon.servlettest.store.StoreCluster;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jgroups.util.Util;

/** Nodes with Infinispan in this process, over loopback. */
final class InfinispanCluster implements StoreCluster {
    private final List<InfinispanCallStore> stores = new ArrayList<>();
    private boolean hurt;

    InfinispanCluster(int count) {
        List<InetSocketAddress> nodes = Loopback.addresses(count);
        stores.add(store(nodes, 0));
        List<CompletableFuture<InfinispanCallStore>> others =
                IntStream.range(1, count)
                        .mapToObj(i -> CompletableFuture.supplyAsync(() -> store(nodes, i)))
                        .toList();
        others.forEach(other -> stores.add(other.join()));
        until(
                "all nodes hold something",
                () ->
                        stores.stream()
                                .allMatch(
                                        store -> count == 1 || store.partitionsWithoutCopy() == 0));
    }

    private static InfinispanCallStore store(List<InetSocketAddress> nodes, int number) {
        ClusterKey key = new ClusterKey("contract", List.of(new byte[32]));
        return new InfinispanCallStore(
                new LinkSettings(
                        "contract", number, nodes.get(number), 0, new Discovery.Nodes(nodes), key));
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
