package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports for routers, each given once in this process: free for UDP and TCP, and below those that
 * Linux gives to connections of others, which would take them until the router listens.
 */
final class FreePort {
    private static final int FIRST = 27_000;
    private static final int COUNT = 3_000;
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final AtomicInteger LAST =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

    private FreePort() {}

    static int next() throws IOException {
        BindException taken = new BindException("none was tried");
        for (int attempt = 0; attempt < 100; attempt++) {
            int candidate = FIRST + Math.floorMod(LAST.incrementAndGet(), COUNT);
            try (DatagramSocket datagrams = new DatagramSocket(candidate, LOOPBACK);
                    ServerSocket connections = new ServerSocket(candidate, 1, LOOPBACK)) {
                assertThat(datagrams.getLocalPort()).isEqualTo(connections.getLocalPort());
                return candidate;
            } catch (BindException e) {
                taken = e;
            }
        }
        throw taken;
    }
}
