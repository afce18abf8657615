package io.carillon.cluster.link;

import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A SIP message on the link and what goes with it. One object serves all messages of a thread: what
 * it holds is good until the next one. Owner: one thread.
 */
public final class LinkMessage {
    private static final byte[] NOTHING = {};

    private int partition;
    private int peer;
    private int stream;
    private int hops;
    private int router;
    private int listener;
    private Transport transport = Transport.UDP;
    private @Nullable InetSocketAddress remote;
    private @Nullable InetSocketAddress local;
    private byte[] bytes = NOTHING;
    private int from;
    private int to;
    private final OfConnection more = new OfConnection();
    private @Nullable FlowAct act;

    /** What goes with messages of connections alone. */
    private static final class OfConnection {
        long connection;
        long number;
        byte[] beside = NOTHING;
        boolean proved;

        void none() {
            proved = false;
            connection = 0;
            number = 0;
            beside = NOTHING;
        }
    }

    /** Which partition it is of. */
    public int partition() {
        return partition;
    }

    /** Who sent the frame, see {@link PeerId}. */
    public int peer() {
        return peer;
    }

    /** Which event loop of the sender has sent the frame, and hears what is said of it. */
    public int stream() {
        return stream;
    }

    /** How often a node has passed it on. */
    public int hops() {
        return hops;
    }

    /** The router that it came in by or goes out by, see {@link PeerId}. */
    public int router() {
        return router;
    }

    /** The number of that router's listener. */
    public int listener() {
        return listener;
    }

    public Transport transport() {
        return transport;
    }

    /** Where it came from outside, or where it goes there. */
    public InetSocketAddress remote() {
        return known(remote);
    }

    /** The router's address that it was sent to; of one for outside null. */
    public @Nullable InetSocketAddress local() {
        return local;
    }

    private static InetSocketAddress known(@Nullable InetSocketAddress address) {
        if (address == null) {
            throw new IllegalStateException("no address was given");
        }
        return address;
    }

    /** The router's number of the connection that it came by or goes by; 0 for none. */
    public long connection() {
        return more.connection;
    }

    /** Its number, by which it is acknowledged; 0 where nobody waits for that. */
    public long number() {
        return more.number;
    }

    /**
     * What goes beside a message of a connection: of one from outside what TLS knows of the peer
     * ({@link TlsPeerBytes}), of one for outside the name that the peer has to prove.
     */
    public byte[] beside() {
        return more.beside;
    }

    /** Of a frame about a connection, what it says. */
    public FlowAct act() {
        FlowAct known = act;
        if (known == null) {
            throw new IllegalStateException("it is a message");
        }
        return known;
    }

    /** The array in which the message lies. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where in the array it begins. */
    public int from() {
        return from;
    }

    /** Where it ends. */
    public int to() {
        return to;
    }

    public int length() {
        return to - from;
    }

    /** Bytes that a copy of it keeps: with what TLS knows of the peer, which may be more. */
    public int keptBytes() {
        return length() + beside().length;
    }

    /** The message in an array of its own. */
    public byte[] copy() {
        return Arrays.copyOfRange(bytes, from, to);
    }

    /** It is of that partition. */
    public LinkMessage of(int number) {
        partition = number;
        hops = 0;
        return this;
    }

    /** It came in, or goes out, by that listener of a router. */
    public LinkMessage by(int routerId, int place, Transport by) {
        router = routerId;
        listener = place;
        transport = by;
        more.none();
        act = null;
        return this;
    }

    /**
     * It came or goes by a connection.
     *
     * @param of the router's number of it; 0 for one that is still to be found or opened
     * @param given see {@link #beside}; not copied
     */
    public LinkMessage on(long of, byte[] given) {
        more.connection = of;
        more.beside = given;
        return this;
    }

    /** Has the peer of the connection shown that it belongs here? */
    public boolean proved() {
        return more.proved;
    }

    /** Its peer has shown that it belongs here, or not. */
    public LinkMessage proved(boolean has) {
        more.proved = has;
        return this;
    }

    /** It is acknowledged by that number. */
    public LinkMessage numbered(long given) {
        more.number = given;
        return this;
    }

    /** It is no message, but says that of the connection. */
    public LinkMessage says(FlowAct what) {
        act = what;
        return this;
    }

    /**
     * @param outside where it came from or goes to
     * @param own the router's address; null of one for outside
     */
    public LinkMessage between(InetSocketAddress outside, @Nullable InetSocketAddress own) {
        remote = outside;
        local = own;
        return this;
    }

    /** The message itself; not copied. */
    public LinkMessage message(byte[] array, int start, int end) {
        bytes = array;
        from = start;
        to = end;
        return this;
    }

    /** It is passed on once more. */
    LinkMessage passed(int times) {
        hops = times;
        return this;
    }

    /** The same with an array of its own, to be kept. */
    public LinkMessage kept() {
        LinkMessage kept = new LinkMessage();
        kept.of(partition).passed(hops).by(router, listener, transport).between(remote(), local);
        kept.on(more.connection, more.beside).proved(more.proved);
        kept.numbered(more.number).message(copy(), 0, length());
        kept.peer = peer;
        kept.stream = stream;
        return kept;
    }

    /** Lets the bytes go. */
    public void forget() {
        bytes = NOTHING;
        from = 0;
        to = 0;
    }

    /** From a frame; false when its content makes no sense. */
    boolean read(FrameReader frame) {
        partition = frame.partition();
        peer = frame.sender();
        stream = frame.stream();
        hops = frame.hops();
        boolean flow = frame.kind() == FrameKind.FLOW;
        act = flow ? FlowAct.of(frame.readByte()) : null;
        transport = LinkListener.transport(frame.readByte());
        listener = frame.readByte();
        router = frame.readShort();
        remote = frame.readAddress();
        local = frame.kind() == FrameKind.OUT ? null : frame.readAddress();
        more.none();
        if (transport.reliable()) {
            more.connection = frame.readLong();
            more.number = frame.readLong();
            more.proved = frame.readByte() != 0;
            more.beside = frame.readBytes(frame.readShort());
        }
        bytes = frame.bytes();
        from = frame.position();
        to = frame.end();
        return !frame.bad() && (flow ? act != null : from < to);
    }

    /** Into a frame, all but the bytes of the message. */
    void write(FrameWriter frame) {
        frame.hops(hops);
        FlowAct says = act;
        if (says != null) {
            frame.putByte(says.code());
        }
        frame.putByte(LinkListener.code(transport))
                .putByte(listener)
                .putShort(router)
                .putAddress(remote());
        if (local != null || says != null) {
            frame.putAddress(local == null ? remote() : local);
        }
        if (transport.reliable()) {
            byte[] beside = more.beside;
            frame.putLong(more.connection).putLong(more.number).putByte(more.proved ? 1 : 0);
            frame.putShort(beside.length);
            frame.put(beside, 0, beside.length);
        }
    }
}
