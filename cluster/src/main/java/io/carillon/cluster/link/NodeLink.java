package io.carillon.cluster.link;

import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.Ownership;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node's side of the link on one event loop: what comes from routers goes to the stack when the
 * partition is ours, to its owner when that lives, and waits here while nobody owns it; what the
 * stack sends goes out by a router.
 *
 * <p>Owner: its thread.
 */
public final class NodeLink implements LinkStream.Taker {
    private final LinkEndpoint endpoint;
    private final LinkStream stream;
    private final LinkCounts counts;
    private final Ownership ownership;
    private final Supplier<Owners> table;
    private final Stack stack;
    private final Parking parking;
    private final LinkMessage out = new LinkMessage();
    private final LinkMessage in = new LinkMessage();

    /** What stands behind the link on this loop. */
    public interface Stack {
        /** Is the source listened to? Asked once for each message, before anything else. */
        boolean admits(LinkMessage message, long nowNanos);

        /** Takes a message that is ours; its bytes are good until this returns. */
        void deliver(LinkMessage message, long nowNanos);

        /** Takes what another node tells this one. Of the first loop. */
        default void control(int node, byte[] content, long nowNanos) {}
    }

    /**
     * @param stream of this loop
     * @param table who owns what, as this node knows it now
     * @param parkedBytes bytes of messages that may wait on this loop
     */
    public NodeLink(
            LinkEndpoint endpoint,
            LinkStream stream,
            LinkCounts counts,
            Ownership ownership,
            Supplier<Owners> table,
            Stack stack,
            long parkedBytes) {
        this.endpoint = endpoint;
        this.stream = stream;
        this.counts = counts;
        this.ownership = ownership;
        this.table = table;
        this.stack = stack;
        this.parking = new Parking(parkedBytes, counts);
    }

    /** A datagram came to the address of the link. */
    public void received(byte[] datagram, int length, long nowNanos) {
        stream.received(datagram, length, nowNanos, this);
    }

    @Override
    public void message(FrameKind kind, LinkMessage message, long nowNanos) {
        boolean ofItsKind =
                kind == FrameKind.IN
                        ? PeerId.isRouter(message.peer())
                        : kind == FrameKind.PASS && PeerId.isNode(message.peer());
        if (!ofItsKind || message.local() == null) {
            counts.count(LinkCounter.DROPPED_UNREADABLE);
            return;
        }
        if (stack.admits(message, nowNanos)) {
            take(message, nowNanos);
        }
    }

    /**
     * A message of the stack for the cluster's own address: it goes to its owner as if it had gone
     * out and come back by a router, but without one, so that it is known for our own.
     *
     * @param address the cluster's, to which it goes and from which it comes
     * @param message kept
     */
    public void inward(byte[] message, InetSocketAddress address, int partition, long nowNanos) {
        in.of(partition)
                .by(endpoint.identity().self(), 0, Transport.UDP)
                .between(address, address)
                .message(message, 0, message.length);
        take(in, nowNanos);
        in.forget();
    }

    private void take(LinkMessage message, long nowNanos) {
        if (!parking.isEmpty()) {
            // Those that wait came first.
            advance(nowNanos);
        }
        if (!settled(message, nowNanos)) {
            parking.park(message, nowNanos);
        }
    }

    /** A router that knows less than we do is told. */
    @Override
    public void heard(LinkPeer peer, long nowNanos) {
        Owners known = table.get();
        if (PeerId.isRouter(peer.id()) && peer.tableVersion() < known.version()) {
            stream.send(peer.id(), known);
        }
    }

    @Override
    public void control(int node, byte[] content, long nowNanos) {
        stack.control(node, content, nowNanos);
    }

    /**
     * Tells another node something that is not the link's business. Stream 0.
     *
     * @return false when it cannot be reached now
     */
    public boolean tell(int node, byte[] content) {
        return stream.send(node, content);
    }

    /** The table has changed: routers are told, and what waits may have an owner. Stream 0. */
    public void changed(long nowNanos) {
        Owners known = table.get();
        for (LinkPeer router : endpoint.routers()) {
            stream.send(router.id(), known);
        }
        advance(nowNanos);
    }

    /** Does something wait here? Then {@link #advance} is to be called every few milliseconds. */
    public boolean waits() {
        return !parking.isEmpty();
    }

    /** Bytes of messages that wait here. */
    public long parkedBytes() {
        return parking.bytes();
    }

    /** Looks whether those that wait have an owner now, or have waited too long. */
    public void advance(long nowNanos) {
        parking.settle(nowNanos, this::settled);
    }

    /** True when the message has gone: to the stack, to its owner, or away. */
    private boolean settled(LinkMessage message, long nowNanos) {
        int partition = message.partition();
        if (ownership.owns(partition)) {
            counts.count(LinkCounter.DELIVERED);
            stack.deliver(message, nowNanos);
            return true;
        }
        Owners known = table.get();
        int owner = known.owner(partition);
        if (owner == PeerId.NONE || owner == endpoint.identity().self()) {
            return false; // it may be given to us, or we wait for our lease
        }
        LinkPeer peer = endpoint.peer(owner);
        if (peer == null || !peer.alive(nowNanos)) {
            return false; // somebody else will be its owner
        }
        if (message.hops() > 0) {
            // Two tables that differ: its sender repeats it, and a router knows better by then.
            counts.count(LinkCounter.NOT_OURS);
            return true;
        }
        message.passed(1);
        counts.count(
                stream.send(FrameKind.PASS, owner, message)
                        ? LinkCounter.PASSED_ON
                        : LinkCounter.NOT_OURS);
        return true;
    }

    /**
     * Sends a message of the stack by a router.
     *
     * @param remote where it goes
     * @param local the router's address that it leaves from; null for any, and when that router is
     *     dead another one takes it
     * @return false when no router lives
     */
    public boolean send(
            byte[] message,
            int length,
            InetSocketAddress remote,
            @Nullable InetSocketAddress local,
            int partition,
            long nowNanos) {
        List<LinkPeer> routers = endpoint.routers();
        LinkPeer router = chosen(routers, local, partition, nowNanos);
        int listener = router == null ? -1 : listener(router, local, remote);
        if (router == null || listener < 0) {
            counts.count(LinkCounter.NO_ROUTER);
            return false;
        }
        out.of(partition)
                .by(router.id(), listener, Transport.UDP)
                .between(remote, null)
                .message(message, 0, length);
        boolean sent = stream.send(FrameKind.OUT, router.id(), out);
        out.forget();
        counts.count(sent ? LinkCounter.SENT : LinkCounter.NO_ROUTER);
        return sent;
    }

    /** Does an address belong to a router's listener? */
    public boolean isRouters(InetSocketAddress local) {
        for (LinkPeer router : endpoint.routers()) {
            if (owns(router, local)) {
                return true;
            }
        }
        return false;
    }

    private static boolean owns(LinkPeer router, InetSocketAddress local) {
        for (LinkListener each : router.listeners()) {
            if (each.transport() == Transport.UDP && each.address().equals(local)) {
                return true;
            }
        }
        return false;
    }

    /** The one that has the address; else one that lives, the same for all of a partition. */
    private static @Nullable LinkPeer chosen(
            List<LinkPeer> routers,
            @Nullable InetSocketAddress local,
            int partition,
            long nowNanos) {
        int alive = 0;
        for (LinkPeer each : routers) {
            if (each.alive(nowNanos)) {
                if (local != null && owns(each, local)) {
                    return each;
                }
                alive++;
            }
        }
        if (alive == 0) {
            return null;
        }
        int left = partition % alive;
        for (LinkPeer each : routers) {
            if (each.alive(nowNanos) && left-- == 0) {
                return each;
            }
        }
        return null;
    }

    private static int listener(
            LinkPeer router, @Nullable InetSocketAddress local, InetSocketAddress remote) {
        boolean six = remote.getAddress() instanceof Inet6Address;
        int found = -1;
        List<LinkListener> listeners = router.listeners();
        for (int i = 0; i < listeners.size(); i++) {
            LinkListener each = listeners.get(i);
            if (each.transport() != Transport.UDP) {
                continue;
            }
            if (each.address().equals(local)) {
                return i;
            }
            if (found < 0 && six == each.address().getAddress() instanceof Inet6Address) {
                found = i;
            }
        }
        return found;
    }
}
