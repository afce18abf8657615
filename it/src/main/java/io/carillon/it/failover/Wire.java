package io.carillon.it.failover;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.carillon.it.line.Line;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The sockets and the timers of all phones of a run. One thread. */
final class Wire implements AutoCloseable {
    private static final int BUFFER = 4 << 20;
    private static final int DEFAULT_PORT = 5060;
    private static final long HEAR_MILLIS = 1_000;
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Selector selector;
    private final String host;
    private final InetSocketAddress server;
    private final Map<String, InetSocketAddress> addresses = new HashMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(65_535);
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long numbers;
    private final List<Line> lines = new ArrayList<>();

    /** What connections have heard; any thread. */
    private final Queue<Runnable> heard = new ConcurrentLinkedQueue<>();

    private volatile @Nullable IOException ended;
    private volatile boolean closed;

    /** Something that is done at a time, unless it is called off. */
    static final class Timer implements Comparable<Timer> {
        private final long dueAtNanos;
        private final long number;
        private final Runnable action;
        private boolean off;

        private Timer(long dueAtNanos, long number, Runnable action) {
            this.dueAtNanos = dueAtNanos;
            this.number = number;
            this.action = action;
        }

        void cancel() {
            off = true;
        }

        @Override
        public int compareTo(Timer other) {
            int order = Long.compare(dueAtNanos - other.dueAtNanos, 0);
            return order != 0 ? order : Long.compare(number, other.number);
        }
    }

    /** Where messages go. */
    interface Way {
        void send(String text);

        /** Does nothing get lost on it, so that nothing is to be repeated? */
        default boolean reliable() {
            return false;
        }
    }

    /** What phones send and hear by. */
    interface Socket {
        /** Host and port of the phones, as they stand in their messages. */
        String at();

        /** What stands in a Via. */
        String transport();

        /** What of the transport stands in a Contact. */
        String parameter();

        /** To the router. */
        Way toRouter();

        /** To the host and port of that URI, Route, or Via. */
        Way to(String uri);
    }

    /** UDP. */
    private final class Datagrams implements Socket {
        private final DatagramChannel channel;
        private final int port;

        private Datagrams(DatagramChannel channel) throws IOException {
            this.channel = channel;
            this.port = ((InetSocketAddress) channel.getLocalAddress()).getPort();
        }

        @Override
        public String at() {
            return host + ":" + port;
        }

        @Override
        public String transport() {
            return "UDP";
        }

        @Override
        public String parameter() {
            return "";
        }

        @Override
        public Way toRouter() {
            return text -> send(text, server);
        }

        @Override
        public Way to(String uri) {
            InetSocketAddress address = address(uri);
            return text -> send(text, address);
        }

        private void send(String text, InetSocketAddress address) {
            try {
                channel.send(ByteBuffer.wrap(text.getBytes(UTF_8)), address);
            } catch (PortUnreachableException e) {
                return; // as a lost datagram: it is sent again
            } catch (IOException e) {
                throw new IllegalStateException("a phone cannot send: " + e.getMessage(), e);
            }
        }
    }

    /** One connection for all messages of its phones: all they send goes to the router. */
    private final class Connection implements Socket, Way {
        private final Line line;

        Connection(Line line) {
            this.line = line;
        }

        @Override
        public String at() {
            return line.local();
        }

        @Override
        public String transport() {
            return line.transport();
        }

        @Override
        public String parameter() {
            return line.parameter();
        }

        @Override
        public Way toRouter() {
            return this;
        }

        @Override
        public Way to(String uri) {
            return this;
        }

        @Override
        public void send(String text) {
            try {
                line.send(text);
            } catch (IOException e) {
                throw new IllegalStateException("a phone cannot send: " + e.getMessage(), e);
            }
        }

        @Override
        public boolean reliable() {
            return true;
        }

        /** On a thread of its own: what it hears is dealt with by that of the phones. */
        private void hear(Consumer<SipText> receiver) {
            try {
                while (!closed) {
                    String text = line.receive(HEAR_MILLIS);
                    if (!text.isEmpty()) {
                        heard.add(() -> receiver.accept(new SipText(text)));
                        selector.wakeup();
                    }
                }
            } catch (IOException e) {
                if (!closed) {
                    ended = e;
                    selector.wakeup();
                }
            }
        }
    }

    /**
     * Opens nothing yet.
     *
     * @param host address of the phones
     * @param server the router
     */
    Wire(String host, InetSocketAddress server) throws IOException {
        this.host = host;
        this.server = server;
        this.selector = Selector.open();
    }

    /** Opens a connection to a router, by {@code tcp}, {@code tls} or {@code wss}. */
    Socket connect(String transport, InetSocketAddress router, Consumer<SipText> receiver)
            throws IOException {
        Line line = Line.open(transport, router);
        lines.add(line);
        Connection connection = new Connection(line);
        Thread.ofVirtual().start(() -> connection.hear(receiver));
        return connection;
    }

    /** Opens a socket whose messages go there. */
    Socket open(Consumer<SipText> receiver) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER);
        channel.bind(new InetSocketAddress(host, 0)).configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, receiver);
        return new Datagrams(channel);
    }

    /** There are few: the router, and the two sockets of the phones. */
    private InetSocketAddress address(String uri) {
        String at = SipText.hostPort(uri);
        return addresses.computeIfAbsent(
                at,
                _ -> {
                    int colon = at.indexOf(':');
                    return colon < 0
                            ? new InetSocketAddress(at, DEFAULT_PORT)
                            : new InetSocketAddress(
                                    at.substring(0, colon),
                                    Integer.parseInt(at.substring(colon + 1)));
                });
    }

    /** Does something so many nanoseconds from now. */
    Timer after(long nanos, Runnable action) {
        Timer timer = new Timer(System.nanoTime() + nanos, numbers++, action);
        timers.add(timer);
        return timer;
    }

    /** Receives, and does what is due, until that time or until it is done. */
    void work(long untilNanos, BooleanSupplier done) throws IOException {
        while (!done.getAsBoolean()) {
            receive();
            long now = System.nanoTime();
            while (!timers.isEmpty() && timers.peek().dueAtNanos - now <= 0) {
                Timer due = timers.remove();
                if (!due.off) {
                    due.action.run();
                }
            }
            long wait = Math.min(LONGEST_NANOS, untilNanos - now);
            if (untilNanos - now <= 0) {
                return;
            }
            if (!timers.isEmpty()) {
                wait = Math.min(wait, timers.peek().dueAtNanos - now);
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(wait);
            if (millis > 0) {
                selector.select(millis);
            } else {
                selector.selectNow();
            }
        }
    }

    @SuppressWarnings("unchecked") // a key holds what open attached to it
    private void receive() throws IOException {
        IOException end = ended;
        if (end != null) {
            throw new IOException("the phones' connection to the router has ended", end);
        }
        for (Runnable next = heard.poll(); next != null; next = heard.poll()) {
            next.run();
        }
        for (SelectionKey key : selector.keys()) {
            DatagramChannel channel = (DatagramChannel) key.channel();
            buffer.clear();
            while (read(channel)) {
                buffer.flip();
                ((Consumer<SipText>) key.attachment())
                        .accept(new SipText(UTF_8.decode(buffer).toString()));
                buffer.clear();
            }
        }
        selector.selectedKeys().clear();
    }

    private boolean read(DatagramChannel channel) throws IOException {
        try {
            return channel.receive(buffer) != null;
        } catch (PortUnreachableException e) {
            return false; // the router is not there: what was sent is sent again
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        for (Line line : lines) {
            line.close();
        }
        try (selector) {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        }
    }
}
