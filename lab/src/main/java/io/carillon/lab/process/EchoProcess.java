package io.carillon.lab.process;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

/**
 * Sends every datagram back to where it came from and does nothing else: what it keeps waiting, the
 * machine keeps waiting. Runs as a process of its own, pinned beside the server.
 */
public final class EchoProcess {
    private EchoProcess() {}

    /** Prints {@code READY PORT} and echoes until the process is ended. */
    public static void serve() throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress("127.0.0.1", 0));
            int port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
            System.out.println("READY " + port);
            ByteBuffer datagram = ByteBuffer.allocateDirect(2048);
            while (!Thread.currentThread().isInterrupted()) {
                datagram.clear();
                SocketAddress from = channel.receive(datagram);
                datagram.flip();
                channel.send(datagram, from);
            }
        }
    }
}
