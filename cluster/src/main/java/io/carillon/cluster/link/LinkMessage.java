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
    private int hops;
    private int router;
    private int listener;
    private Transport transport = Transport.UDP;
    private @Nullable InetSocketAddress remote;
    private @Nullable InetSocketAddress local;
    private byte[] bytes = NOTHING;
    private int from;
    private int to;

    /** Which partition it is of. */
    public int partition() {
        return partition;
    }

    /** Who sent the frame, see {@link PeerId}. */
    public int peer() {
        return peer;
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
    public LinkMessage by(int routerId, int number, Transport by) {
        router = routerId;
        listener = number;
        transport = by;
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
        hops = frame.hops();
        transport = LinkListener.transport(frame.readByte());
        listener = frame.readByte();
        router = frame.readShort();
        remote = frame.readAddress();
        local = frame.kind() == FrameKind.OUT ? null : frame.readAddress();
        bytes = frame.bytes();
        from = frame.position();
        to = frame.end();
        return !frame.bad() && from < to;
    }

    /** Into a frame, all but the bytes of the message. */
    void write(FrameWriter frame) {
        frame.hops(hops)
                .putByte(LinkListener.code(transport))
                .putByte(listener)
                .putShort(router)
                .putAddress(remote());
        if (local != null) {
            frame.putAddress(local);
        }
    }
}
