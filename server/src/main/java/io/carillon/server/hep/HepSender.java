package io.carillon.server.hep;

import io.carillon.server.config.Secret;
import io.carillon.server.config.TraceSettings;
import io.carillon.server.trace.MessageMask;
import io.carillon.server.trace.TraceCollector;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages to the collector from a thread of its own. Who offers one never waits: what finds
 * the queue full is dropped and counted.
 */
public final class HepSender implements TraceCollector, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HepSender.class);

    /** What a message may have on average: large ones must not take the memory of many. */
    private static final int USUAL_BYTES = 2048;

    private static final int LEAST_BYTES = 128 << 10;

    /** What fits into a datagram beside the other chunks. */
    private static final int MOST_PAYLOAD_BYTES = 60_000;

    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(60);

    @SuppressWarnings("ArrayRecordComponent") // handed on, never compared
    private record Waiting(
            String call,
            boolean received,
            Hop hop,
            @Nullable String localHost,
            int localPort,
            byte[] bytes,
            int length,
            long atNanos) {}

    /**
     * Who we are for the collector.
     *
     * @param node name of this server
     * @param key that it asks for
     */
    private record Sender(String node, @Nullable String key) {}

    private final HostPort to;
    private final TraceSettings settings;
    private final Sender self;
    private final MessageMask mask;
    private final LongSupplier nanos;
    private final LongSupplier wallMicros;
    private final ArrayBlockingQueue<Waiting> queue;

    /** Of what waits, with the message at work. */
    private final AtomicLong bytesWaiting = new AtomicLong();

    private final long mostBytes;
    private final DatagramChannel channel;
    private final Thread thread;
    private final LongAdder sent = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    // The thread's.
    private @Nullable InetSocketAddress address;
    private long complainedAtNanos;
    private boolean complained;

    private HepSender(
            HostPort to,
            TraceSettings settings,
            String node,
            LongSupplier nanos,
            LongSupplier wallMicros)
            throws IOException {
        this.to = to;
        this.settings = settings;
        Secret key = settings.hepKey();
        this.self = new Sender(node, key == null ? null : key.value());
        this.mask = new MessageMask(settings.maskHeaders());
        this.nanos = nanos;
        this.wallMicros = wallMicros;
        this.queue = new ArrayBlockingQueue<>(settings.hepQueue());
        this.mostBytes = Math.max(LEAST_BYTES, (long) settings.hepQueue() * USUAL_BYTES);
        this.channel = DatagramChannel.open();
        this.thread = Thread.ofPlatform().daemon().name("hep").unstarted(this::run);
    }

    /**
     * Begins to send.
     *
     * @param to the collector; a name is looked up by the sender's thread
     * @param nanos the clock of the shards
     * @param wallMicros microseconds since 1970
     * @throws IOException when there is no socket to be had
     */
    public static HepSender start(
            HostPort to,
            TraceSettings settings,
            String node,
            LongSupplier nanos,
            LongSupplier wallMicros)
            throws IOException {
        HepSender sender = new HepSender(to, settings, node, nanos, wallMicros);
        sender.thread.start();
        return sender;
    }

    @Override
    public void offer(
            String call,
            boolean received,
            Hop hop,
            @Nullable String localHost,
            int localPort,
            byte[] bytes,
            int length,
            long atNanos) {
        Waiting message =
                new Waiting(call, received, hop, localHost, localPort, bytes, length, atNanos);
        if (bytesWaiting.addAndGet(length) > mostBytes || !queue.offer(message)) {
            bytesWaiting.addAndGet(-length);
            dropped.increment();
        }
    }

    /** Messages sent. */
    public long sent() {
        return sent.sum();
    }

    /** Messages that found the queue full or could not be sent. */
    public long dropped() {
        return dropped.sum();
    }

    private void run() {
        try {
            while (channel.isOpen()) {
                Waiting next = queue.take();
                send(next);
                bytesWaiting.addAndGet(-next.length());
            }
        } catch (InterruptedException e) {
            LOG.debug("The collector gets nothing more", e); // this is how it ends
        }
    }

    private void send(Waiting message) {
        try {
            InetSocketAddress collector = address();
            byte[] packet = packet(message).encode();
            if (channel.send(ByteBuffer.wrap(packet), collector) == packet.length) {
                sent.increment();
            } else {
                dropped.increment();
            }
        } catch (ClosedChannelException e) {
            dropped.increment(); // closing
        } catch (IOException | RuntimeException e) {
            dropped.increment();
            address = null; // a name may have moved
            complain(e);
        }
    }

    private InetSocketAddress address() throws UnknownHostException {
        InetSocketAddress known = address;
        if (known == null) {
            known = new InetSocketAddress(InetAddress.getByName(to.bareHost()), to.port());
            address = known;
        }
        return known;
    }

    private void complain(Exception e) {
        long now = System.nanoTime();
        if (!complained || now - complainedAtNanos >= QUIET_NANOS) {
            complained = true;
            complainedAtNanos = now;
            LOG.warn("The collector {} cannot be reached: {}; {} dropped", to, e, dropped.sum());
        }
    }

    private HepPacket packet(Waiting m) {
        byte[] remote = raw(m.hop.remote());
        byte[] local = local(m, remote.length);
        int localPort = m.localHost != null ? m.localPort : port(m.hop.local());
        long micros = wallMicros.getAsLong() - (nanos.getAsLong() - m.atNanos) / 1000;
        byte[] payload =
                mask.of(Arrays.copyOf(m.bytes, Math.min(m.length, MOST_PAYLOAD_BYTES)), false);
        int remotePort = m.hop.remote().getPort();
        return new HepPacket(
                m.received ? remote : local,
                m.received ? remotePort : localPort,
                m.received ? local : remote,
                m.received ? localPort : remotePort,
                m.hop.transport() == Transport.UDP,
                micros,
                settings.hepCaptureId(),
                self.key,
                self.node,
                m.call,
                payload);
    }

    /** Of the remote address's family; zeros where it is not known. */
    private static byte[] local(Waiting m, int length) {
        byte[] known = null;
        String host = m.localHost;
        if (host != null && !host.isEmpty() && (host.indexOf(':') >= 0 || isDigits(host))) {
            known = InetAddress.ofLiteral(host).getAddress();
        } else if (host == null && m.hop.local() != null) {
            known = raw(m.hop.local());
        }
        return known != null && known.length == length ? known : new byte[length];
    }

    private static boolean isDigits(String host) {
        return host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }

    private static byte[] raw(@Nullable InetSocketAddress address) {
        return address == null || address.getAddress() == null
                ? new byte[4]
                : address.getAddress().getAddress();
    }

    private static int port(@Nullable InetSocketAddress address) {
        return address == null ? 0 : address.getPort();
    }

    @Override
    public void close() {
        thread.interrupt();
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("The collector's socket could not be closed: {}", e.getMessage());
        }
    }
}
