package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.grid.link.ClusterKey;
import io.carillon.grid.link.Discovery;
import io.carillon.grid.link.LinkSettings;
import io.carillon.servlet.port.CallStore;
import io.carillon.servlettest.store.StoreCluster;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jgroups.util.Util;

/** Nodes with Infinispan in this process, over loopback. */
final class InfinispanCluster implements StoreCluster {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<InfinispanCallStore> stores = new ArrayList<>();
    private boolean hurt;

    InfinispanCluster(int count) throws Exception {
        List<InetSocketAddress> nodes = new ArrayList<>();
        for (int port : freePorts(count)) {
            nodes.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        }
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

    private static List<Integer> freePorts(int count) throws Exception {
        List<ServerSocket> open = new ArrayList<>();
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            open.add(socket);
            ports.add(socket.getLocalPort());
        }
        for (ServerSocket socket : open) {
            socket.close();
        }
        return ports;
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
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as(what).isNegative();
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        stores.reversed().forEach(InfinispanCallStore::close);
    }
}
