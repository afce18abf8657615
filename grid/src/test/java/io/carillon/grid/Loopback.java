package io.carillon.grid;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Free ports of this machine, and waiting for what other threads do. */
public final class Loopback {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private Loopback() {}

    /** Addresses of which this port and the next were free just now. */
    public static List<InetSocketAddress> addresses(int count) {
        List<InetSocketAddress> all = new ArrayList<>();
        List<ServerSocket> open = new ArrayList<>();
        try {
            while (all.size() < count) {
                ServerSocket one = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                open.add(one);
                try {
                    open.add(
                            new ServerSocket(
                                    one.getLocalPort() + 1, 1, InetAddress.getLoopbackAddress()));
                    all.add(
                            new InetSocketAddress(
                                    InetAddress.getLoopbackAddress(), one.getLocalPort()));
                } catch (IOException | IllegalArgumentException e) {
                    continue;
                }
            }
            for (ServerSocket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return all;
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
