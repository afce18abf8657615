package io.carillon.lab.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Asks every 10 ms from outside, and times the answers: how long does a peer wait at worst? The
 * question is an OPTIONS with Max-Forwards 0 (RFC 3261 16.3: a proxy answers it itself, with 483 or
 * as the addressee), so that no application has to know it. A datagram that comes back as it was
 * sent is an answer too: the control probe asks an {@link EchoProcess}.
 *
 * <p>One thread of its own asks and listens; the waits may be read from another.
 */
public final class AnswerProbe implements AutoCloseable {
    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final DatagramChannel channel;
    private final Selector selector;
    private final String local;
    private final AnswerTimes waits = new AnswerTimes((int) (LOST_NANOS / EVERY_NANOS));
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
    private final Thread thread;
    private final String run = Long.toString(System.nanoTime() & Long.MAX_VALUE, 36);
    private long unreachable;
    private volatile String fault = "";
    private volatile boolean closed;

    private AnswerProbe(DatagramChannel channel, Selector selector) throws IOException {
        this.channel = channel;
        this.selector = selector;
        InetSocketAddress own = (InetSocketAddress) channel.getLocalAddress();
        this.local = own.getAddress().getHostAddress() + ":" + own.getPort();
        this.thread = Thread.ofPlatform().name("probe").daemon().unstarted(this::run);
    }

    public static AnswerProbe start(InetSocketAddress server) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        Selector selector = Selector.open();
        InetAddress any = InetAddress.getByName("127.0.0.1");
        channel.bind(
                server.getAddress().isLoopbackAddress() ? new InetSocketAddress(any, 0) : null);
        channel.connect(server);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
        AnswerProbe probe = new AnswerProbe(channel, selector);
        probe.thread.start();
        return probe;
    }

    /** The longest wait since this was called last, nanoseconds; a lost question counts. */
    public long takeLongestNanos() {
        return waits.takeLongest();
    }

    /** Waits so far at a percentile, nanoseconds; 0 before the first answer. */
    public long percentileNanos(double percentile) {
        return waits.percentile(percentile);
    }

    /** Waits that are over. */
    public long count() {
        return waits.count();
    }

    /** Questions without an answer within 2 s. */
    public long lost() {
        return waits.lost();
    }

    /** Forgets the waits so far. */
    public void reset() {
        waits.reset();
    }

    /** Why the probe stopped by itself; empty when it did not. */
    public String fault() {
        return fault;
    }

    private void run() {
        long due = System.nanoTime();
        try {
            while (!closed) {
                if (System.nanoTime() - due >= 0) {
                    ask();
                    due += EVERY_NANOS;
                }
                // At least a millisecond: a probe that spins would be a load itself.
                long wait = TimeUnit.NANOSECONDS.toMillis(due - System.nanoTime());
                selector.select(Math.max(1, wait));
                selector.selectedKeys().clear();
                listen();
            }
        } catch (IOException | ClosedSelectorException e) {
            fault = closed ? "" : e + ", refused " + unreachable;
        }
    }

    private void ask() throws IOException {
        long number = waits.ask(System.nanoTime());
        buffer.clear();
        buffer.put(question(number).getBytes(StandardCharsets.ISO_8859_1)).flip();
        try {
            channel.write(buffer);
        } catch (PortUnreachableException e) {
            unreachable++;
        }
    }

    private void listen() throws IOException {
        while (true) {
            buffer.clear();
            if (read() <= 0) {
                return;
            }
            long now = System.nanoTime();
            buffer.flip();
            waits.answer(numberOf(StandardCharsets.ISO_8859_1.decode(buffer).toString()), now);
        }
    }

    /** Nobody listens at the server's port: the question counts as lost when its time is over. */
    private int read() throws IOException {
        try {
            return channel.read(buffer);
        } catch (PortUnreachableException e) {
            unreachable++;
            return 0;
        }
    }

    private String question(long number) {
        String id = run + "-" + number;
        return """
        OPTIONS sip:probe@127.0.0.1 SIP/2.0
        Via: SIP/2.0/UDP %1$s;branch=z9hG4bK%2$s
        From: <sip:probe@%1$s>;tag=%3$s
        To: <sip:probe@127.0.0.1>
        Call-ID: %2$s@probe
        CSeq: 1 OPTIONS
        Max-Forwards: 0
        Content-Length: 0

        """
                .formatted(local, id, run)
                .replace("\n", "\r\n");
    }

    private long numberOf(String answer) {
        String head = "Call-ID: " + run + "-";
        int start = answer.indexOf(head);
        int begin = start + head.length();
        int end = start < 0 ? -1 : answer.indexOf('@', begin);
        return end < 0 ? -1 : Long.parseLong(answer, begin, end, 10);
    }

    @Override
    public void close() throws IOException {
        closed = true;
        selector.close();
        channel.close();
    }
}
