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
import org.HdrHistogram.Histogram;

/**
 * Asks every 10 ms from outside, and times the answers: how long does a peer wait at worst? The
 * question is an OPTIONS with Max-Forwards 0 (RFC 3261 16.3: a proxy answers it itself, with 483 or
 * as the addressee), so that no application has to know it. A datagram that comes back as it was
 * sent is an answer too: the control probe asks an {@link Echo}.
 *
 * <p>One thread of its own asks and listens; {@link #takeLongestNanos} and the histogram may be
 * read from another.
 */
public final class AnswerProbe implements AutoCloseable {
    private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LOST_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Questions that can be under way: those of the time after which one counts as lost. */
    private static final int WINDOW = (int) (LOST_NANOS / EVERY_NANOS) + 1;

    private final DatagramChannel channel;
    private final Selector selector;
    private final String local;
    private final long[] sentAt = new long[WINDOW];
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(4096);
    private final Thread thread;
    private final String run = Long.toString(System.nanoTime() & Long.MAX_VALUE, 36);

    // Guarded by this.
    private final Histogram nanos = new Histogram(TimeUnit.SECONDS.toNanos(60), 3);
    private long longest;
    private long lost;
    private String fault = "";

    private long number;
    private long unreachable;
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

    /** The longest wait since this was called last, nanoseconds; an unanswered question counts. */
    public synchronized long takeLongestNanos() {
        long taken = longest;
        longest = 0;
        return taken;
    }

    /** Waits so far at a percentile, nanoseconds; 0 before the first answer. */
    public synchronized long percentileNanos(double percentile) {
        return nanos.getTotalCount() == 0 ? 0 : nanos.getValueAtPercentile(percentile);
    }

    /** Forgets the waits so far. */
    public synchronized void reset() {
        nanos.reset();
        longest = 0;
        lost = 0;
    }

    /** Questions without an answer within 2 s. */
    public synchronized long lost() {
        return lost;
    }

    /** Why the probe stopped by itself; empty when it did not. */
    public synchronized String fault() {
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
            synchronized (this) {
                fault = closed ? "" : e + ", refused " + unreachable;
            }
        }
    }

    private void ask() throws IOException {
        int slot = (int) (number % WINDOW);
        long now = System.nanoTime();
        if (sentAt[slot] != 0) {
            record(now - sentAt[slot], true);
        }
        sentAt[slot] = now;
        buffer.clear();
        buffer.put(question(number++).getBytes(StandardCharsets.ISO_8859_1)).flip();
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
            long of = numberOf(StandardCharsets.ISO_8859_1.decode(buffer).toString());
            int slot = (int) (of % WINDOW);
            if (of >= 0 && of < number && number - of <= WINDOW && sentAt[slot] != 0) {
                record(now - sentAt[slot], false);
                sentAt[slot] = 0;
            }
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

    private synchronized void record(long wait, boolean unanswered) {
        nanos.recordValue(Math.min(Math.max(wait, 1), nanos.getHighestTrackableValue()));
        longest = Math.max(longest, wait);
        lost += unanswered ? 1 : 0;
    }

    private String question(long id) {
        return "OPTIONS sip:probe@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/UDP "
                + local
                + ";branch=z9hG4bK"
                + run
                + "-"
                + id
                + "\r\nFrom: <sip:probe@"
                + local
                + ">;tag="
                + run
                + "\r\nTo: <sip:probe@127.0.0.1>\r\nCall-ID: "
                + run
                + "-"
                + id
                + "@probe\r\nCSeq: 1 OPTIONS\r\nMax-Forwards: 0\r\nContent-Length: 0\r\n\r\n";
    }

    private long numberOf(String answer) {
        int start = answer.indexOf("Call-ID: " + run + "-");
        int begin = start + "Call-ID: ".length() + run.length() + 1;
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
