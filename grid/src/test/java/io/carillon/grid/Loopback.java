package io.carillon.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.grid.link.ClusterKey;
import io.carillon.grid.link.Discovery;
import io.carillon.grid.link.LinkSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Free ports of this machine, and waiting for what other threads do. */
public final class Loopback {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final AtomicInteger NEXT =
            new AtomicInteger(15_000 + (int) (ProcessHandle.current().pid() % 100) * 150);

    private Loopback() {}

    /**
     * Addresses of which this port and the next are free. Below the range from which the system
     * takes ports by itself, and each once in a process.
     */
    public static List<InetSocketAddress> addresses(int count) {
        List<InetSocketAddress> all = new ArrayList<>();
        while (all.size() < count) {
            int port = NEXT.getAndAdd(2);
            if (isFree(port) && isFree(port + 1)) {
                all.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            }
        }
        return all;
    }

    /** Of a node that looks for those nodes, with a key of the cluster's name. */
    public static LinkSettings settings(String cluster, List<InetSocketAddress> nodes, int number) {
        return new LinkSettings(
                cluster,
                number,
                nodes.get(number),
                0,
                new Discovery.Nodes(nodes),
                new ClusterKey(cluster, List.of(new byte[32])));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }

    /** Waits until it is so; fails when it is not for a minute. */
    public static void until(String what, BooleanSupplier condition) {
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
}
