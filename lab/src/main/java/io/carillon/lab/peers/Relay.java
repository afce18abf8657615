package io.carillon.lab.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The least that a server in the path of a call can do: it sends each datagram on to the other side
 * of the pair that it came from, and does not look into it. Its CPU per call is the price of the
 * sockets alone.
 *
 * <p>A process of its own, one thread: {@code Relay LOOP PORT LEFT:RIGHT...}, where LOOP is {@code
 * blocking} (one receive and one send per datagram, nothing else) or {@code selector} (the loop
 * that a server with more than one socket needs).
 */
public final class Relay {
    /** What it prints when it has its port. */
    public static final String READY = "relaying";

    private static final int BUFFER_BYTES = 4 * 1024 * 1024;

    private final Map<Integer, InetSocketAddress> others = new HashMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(65_535);

    Relay(String... pairs) {
        for (String pair : pairs) {
            int colon = pair.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("a pair is LEFT:RIGHT, not '" + pair + "'");
            }
            int left = Integer.parseInt(pair.substring(0, colon));
            int right = Integer.parseInt(pair.substring(colon + 1));
            others.put(left, new InetSocketAddress("127.0.0.1", right));
            others.put(right, new InetSocketAddress("127.0.0.1", left));
        }
    }

    /**
     * How it is started as a process of its own.
     *
     * @param loop blocking or selector
     * @param pairs of ports, LEFT:RIGHT
     */
    public static List<String> command(String loop, int port, String... pairs) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-cp", classes()));
        command.addAll(List.of(Relay.class.getName(), loop, Integer.toString(port)));
        command.addAll(List.of(pairs));
        return command;
    }

    /** Folder or archive that this class came from. */
    private static String classes() throws IOException {
        try {
            var source = Relay.class.getProtectionDomain().getCodeSource();
            return Path.of(source.getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IOException("the relay's classes are at no path", e);
        }
    }

    public static void main(String[] args) throws IOException {
        if (args.length < 3 || !args[0].matches("blocking|selector")) {
            System.err.println("relay: blocking|selector PORT LEFT:RIGHT...");
            System.exit(2);
        }
        try {
            String[] pairs = Arrays.copyOfRange(args, 2, args.length);
            Relay relay = new Relay(pairs);
            try (DatagramChannel channel = bound(Integer.parseInt(args[1]))) {
                System.out.println(READY);
                if (args[0].equals("blocking")) {
                    relay.blocking(channel);
                } else {
                    relay.selecting(channel);
                }
            }
        } catch (IllegalArgumentException e) {
            System.err.println("relay: " + e.getMessage());
            System.exit(2);
        }
    }

    static DatagramChannel bound(int port) throws IOException {
        DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
        channel.setOption(StandardSocketOptions.SO_SNDBUF, BUFFER_BYTES);
        return channel.bind(new InetSocketAddress("127.0.0.1", port));
    }

    private void blocking(DatagramChannel channel) throws IOException {
        while (true) {
            forward(channel);
        }
    }

    private void selecting(DatagramChannel channel) throws IOException {
        channel.configureBlocking(false);
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_READ);
            while (true) {
                selector.select(key -> {});
                while (forward(channel)) {
                    // Until the socket is empty: one wake-up may stand for several datagrams.
                }
            }
        }
    }

    /** One datagram, if there is one; from a port of no pair it goes nowhere. */
    boolean forward(DatagramChannel channel) throws IOException {
        buffer.clear();
        SocketAddress source = channel.receive(buffer);
        if (source == null) {
            return false;
        }
        InetSocketAddress to = others.get(((InetSocketAddress) source).getPort());
        if (to != null) {
            buffer.flip();
            channel.send(buffer, to);
        }
        return true;
    }
}
