package io.carillon.cluster.link;

import io.carillon.sip.token.Ownership;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The link as one thread uses it: frames in and out, each with the key of its session and a number
 * of this thread's own sequence. A process has one for each event loop; all frames of a partition
 * are read by the same one, so it alone knows which of them have come before.
 *
 * <p>Owner: its thread. Those of a process share a {@link LinkEndpoint}, whose thread is that of
 * stream 0, which alone may hear a HELLO or a TABLE.
 */
public final class LinkStream {
    /** The most that nodes tell each other at once. */
    public static final int MOST_CONTROL_BYTES = FrameFormat.PART_BYTES;

    private final int number;
    private final LinkEndpoint endpoint;
    private final LinkCounts counts;
    private final LinkOutlet outlet;
    private final FrameWriter writer = new FrameWriter();
    private final FrameReader reader = new FrameReader();
    private final LinkMessage message = new LinkMessage();
    private final Assembly assembly;
    private final @Nullable Use[] uses = new @Nullable Use[PeerId.END];

    /** What a frame brought; called before {@link #received} returns. */
    public interface Taker {
        /**
         * A message, good until this returns.
         *
         * @param kind IN, OUT, PASS or FLOW
         */
        void message(FrameKind kind, LinkMessage message, long nowNanos);

        /** A peer has said how it is. Stream 0. */
        default void heard(LinkPeer peer, long nowNanos) {}

        /** A node has said who owns what. Stream 0. */
        default void table(Owners owners) {}

        /**
         * A node has told something that the link does not know. Stream 0.
         *
         * @param content an array of its own
         */
        default void control(int node, byte[] content, long nowNanos) {}
    }

    /** A session as this thread uses it. */
    private static final class Use {
        final LinkSession session;
        final LinkMac send;
        final LinkMac receive;
        final @Nullable ReplayWindow[] windows = new @Nullable ReplayWindow[256];
        long sent;

        Use(LinkSession session) {
            this.session = session;
            send = session.send().copy();
            receive = session.receive().copy();
        }

        boolean isNew(int stream, long sequence) {
            ReplayWindow window = windows[stream];
            if (window == null) {
                window = new ReplayWindow();
                windows[stream] = window;
            }
            return window.take(sequence);
        }
    }

    /**
     * @param number 0 to 255
     * @param counts of its thread
     */
    public LinkStream(int number, LinkEndpoint endpoint, LinkCounts counts, LinkOutlet outlet) {
        if (number < 0 || number > 255) {
            throw new IllegalArgumentException("stream " + number);
        }
        this.number = number;
        this.endpoint = endpoint;
        this.counts = counts;
        this.outlet = outlet;
        this.assembly = new Assembly(counts);
    }

    /** Which of its process it is. */
    int number() {
        return number;
    }

    /** Is it a frame that stream 0 has to read? Told by what is not proved yet. */
    public static boolean forFirst(byte[] datagram, int length) {
        if (length <= FrameFormat.KIND) {
            return true;
        }
        int kind = datagram[FrameFormat.KIND];
        return kind != FrameKind.IN.code()
                && kind != FrameKind.OUT.code()
                && kind != FrameKind.PASS.code()
                && kind != FrameKind.FLOW.code();
    }

    /**
     * The partition that a datagram names, if it is a frame: its stream reads it. Not proved yet.
     */
    public static int partition(byte[] datagram, int length) {
        return length < FrameFormat.LEAST_BYTES
                ? 0
                : FrameFormat.unsignedShort(datagram, FrameFormat.PARTITION);
    }

    /**
     * Reads a datagram that came to the address of the link.
     *
     * @param length how many of its bytes count
     */
    public void received(byte[] datagram, int length, long nowNanos, Taker taker) {
        if (!reader.begin(datagram, length)) {
            counts.count(LinkCounter.DROPPED_MALFORMED);
            return;
        }
        try {
            if (reader.receiver() != endpoint.identity().self()
                    || reader.sender() == endpoint.identity().self()) {
                counts.count(LinkCounter.DROPPED_NOT_FOR_US);
            } else if (reader.kind() == FrameKind.HELLO) {
                LinkPeer peer = endpoint.heard(reader, nowNanos);
                if (peer != null) {
                    taker.heard(peer, nowNanos);
                }
            } else if (opened()) {
                counts.count(LinkCounter.FRAMES_IN);
                content(taker, nowNanos);
            }
        } finally {
            reader.forget();
            message.forget();
        }
    }

    private boolean opened() {
        int sender = reader.sender();
        LinkPeer peer = sender < PeerId.END ? endpoint.peer(sender) : null;
        Use use = peer == null ? null : use(peer);
        if (use == null) {
            counts.count(LinkCounter.DROPPED_NO_SESSION);
            return false;
        }
        if (!reader.genuine(use.receive)) {
            counts.count(LinkCounter.DROPPED_FORGED);
            return false;
        }
        if (!use.isNew(reader.stream(), reader.sequence())) {
            counts.count(LinkCounter.DROPPED_REPLAYED);
            return false;
        }
        return true;
    }

    private @Nullable Use use(LinkPeer peer) {
        LinkSession session = peer.session();
        if (session == null) {
            return null;
        }
        Use use = uses[peer.id()];
        if (use == null || use.session != session) {
            use = new Use(session);
            uses[peer.id()] = use;
        }
        return use;
    }

    private void content(Taker taker, long nowNanos) {
        FrameKind kind = reader.kind();
        if (kind == FrameKind.TABLE) {
            Owners owners = PeerId.isNode(reader.sender()) ? Owners.read(reader) : null;
            if (owners == null) {
                counts.count(LinkCounter.DROPPED_UNREADABLE);
            } else {
                taker.table(owners);
            }
        } else if (kind == FrameKind.CONTROL) {
            if (PeerId.isNode(reader.sender())) {
                taker.control(
                        reader.sender(),
                        Arrays.copyOfRange(reader.bytes(), reader.position(), reader.end()),
                        nowNanos);
            } else {
                counts.count(LinkCounter.DROPPED_UNREADABLE);
            }
        } else if (!message.read(reader) || reader.partition() >= Ownership.PARTITIONS) {
            counts.count(LinkCounter.DROPPED_UNREADABLE);
        } else if (reader.partCount() == 1 || assembly.take(reader, message, nowNanos)) {
            taker.message(kind, message, nowNanos);
        }
    }

    /**
     * Sends a message to a peer.
     *
     * @param kind IN, OUT, PASS or FLOW
     * @return false when there is no session with it, or the message fits nowhere
     */
    public boolean send(FrameKind kind, int peerId, LinkMessage what) {
        LinkPeer peer = endpoint.peer(peerId);
        Use use = peer == null ? null : use(peer);
        if (peer == null || use == null) {
            return false;
        }
        int length = what.length();
        int parts = Math.max(1, (length + FrameFormat.PART_BYTES - 1) / FrameFormat.PART_BYTES);
        if (parts > FrameFormat.MOST_PARTS) {
            counts.count(LinkCounter.TOO_LARGE);
            return false;
        }
        for (int i = 0; i < parts; i++) {
            int from = what.from() + i * FrameFormat.PART_BYTES;
            int to = Math.min(what.to(), from + FrameFormat.PART_BYTES);
            writer.begin(kind, what.partition(), endpoint.identity().self(), peerId);
            writer.part(i, parts);
            what.write(writer);
            writer.put(what.bytes(), from, to);
            transmit(use, peer.address());
        }
        return true;
    }

    /** Tells a router who owns what. Stream 0. */
    public boolean send(int router, Owners owners) {
        LinkPeer peer = endpoint.peer(router);
        Use use = peer == null ? null : use(peer);
        if (peer == null || use == null) {
            return false;
        }
        writer.begin(FrameKind.TABLE, 0, endpoint.identity().self(), router);
        owners.write(writer);
        transmit(use, peer.address());
        return true;
    }

    /**
     * Tells a node something that the link does not know. It may be lost. Stream 0.
     *
     * @param content {@link #MOST_CONTROL_BYTES} at most
     * @return false when there is no session with it
     */
    public boolean send(int node, byte[] content) {
        if (content.length > MOST_CONTROL_BYTES) {
            throw new IllegalArgumentException(content.length + " bytes for a node");
        }
        LinkPeer peer = endpoint.peer(node);
        Use use = peer == null ? null : use(peer);
        if (peer == null || use == null) {
            return false;
        }
        writer.begin(FrameKind.CONTROL, 0, endpoint.identity().self(), node);
        writer.put(content, 0, content.length);
        transmit(use, peer.address());
        return true;
    }

    private void transmit(Use use, InetSocketAddress to) {
        int length = writer.end(number, ++use.sent, use.send);
        if (length == 0) {
            counts.count(LinkCounter.TOO_LARGE);
            return;
        }
        counts.count(LinkCounter.FRAMES_OUT);
        outlet.transmit(writer.bytes(), length, to);
    }
}
