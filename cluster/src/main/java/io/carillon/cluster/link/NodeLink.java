package io.carillon.cluster.link;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.Ownership;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
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
    private static final byte[] NOTHING = {};

    private final LinkEndpoint endpoint;
    private final LinkStream stream;
    private final LinkCounts counts;
    private final Ownership ownership;
    private final Supplier<Owners> table;
    private final Stack stack;
    private final Parking parking;
    private final Unacknowledged unacknowledged;
    private final TakenNumbers taken = new TakenNumbers();
    private final NameQuestions names;
    private final LinkMessage out = new LinkMessage();
    private final LinkMessage in = new LinkMessage();

    /** What stands behind the link on this loop. */
    public interface Stack {
        /** Is the source listened to? Asked once for each message, before anything else. */
        boolean admits(LinkMessage message, long nowNanos);

        /** Takes a message that is ours; its bytes are good until this returns. */
        void deliver(LinkMessage message, long nowNanos);

        /** Takes what a router says of a connection; good until this returns. */
        default void flow(LinkMessage said, long nowNanos) {}

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
        this.unacknowledged =
                new Unacknowledged(counts, endpoint.identity().boot(), stream.number());
        this.names = new NameQuestions(endpoint, this::ask);
    }

    /** A datagram came to the address of the link. */
    public void received(byte[] datagram, int length, long nowNanos) {
        stream.received(datagram, length, nowNanos, this);
    }

    @Override
    public void message(FrameKind kind, LinkMessage message, long nowNanos) {
        if (kind == FrameKind.FLOW) {
            flow(message, nowNanos);
            return;
        }
        boolean ofItsKind =
                kind == FrameKind.IN
                        ? PeerId.isRouter(message.peer())
                        : kind == FrameKind.PASS && PeerId.isNode(message.peer());
        if (!ofItsKind || message.local() == null) {
            counts.count(LinkCounter.DROPPED_UNREADABLE);
            return;
        }
        if (message.number() != 0 && taken.has(message.router(), message.number())) {
            counts.count(LinkCounter.TAKEN_BEFORE);
            acknowledge(message, FlowAct.ACCEPTED);
        } else if (stack.admits(message, nowNanos)) {
            take(message, nowNanos);
        } else if (message.number() != 0) {
            acknowledge(message, FlowAct.REFUSED);
        }
    }

    /** A message of a connection is ours, or waits here: its router need not send it again. */
    private void accepted(LinkMessage message) {
        if (message.number() != 0) {
            taken.add(message.router(), message.number());
            acknowledge(message, FlowAct.ACCEPTED);
        }
    }

    private void acknowledge(LinkMessage message, FlowAct what) {
        LinkPeer router = endpoint.peer(message.router());
        if (router != null) {
            // Lost, the message comes again.
            var _ =
                    say(
                            what,
                            router,
                            Hop.to(message.transport(), message.remote()),
                            message.connection(),
                            message.number(),
                            NOTHING);
        }
    }

    private void flow(LinkMessage said, long nowNanos) {
        if (PeerId.isRouter(said.peer()) && said.act() == FlowAct.TAKEN) {
            unacknowledged.taken(said.number(), nowNanos, kept -> again(kept, nowNanos));
        } else if (PeerId.isRouter(said.peer()) && said.act() == FlowAct.FOUND) {
            names.found(said, nowNanos);
        } else if (PeerId.isRouter(said.peer()) && said.act().ofRouter()) {
            stack.flow(said, nowNanos);
        } else {
            counts.count(LinkCounter.DROPPED_UNREADABLE);
        }
    }

    /**
     * A message of the stack for the cluster's own address: it goes to its owner as if it had gone
     * out and come back by a router, but without one, so that it is known for our own.
     *
     * @param address the cluster's, to which it goes and from which it comes
     * @param message kept
     */
    public void inward(
            byte[] message,
            Transport transport,
            InetSocketAddress address,
            int partition,
            long nowNanos) {
        in.of(partition)
                .by(endpoint.identity().self(), 0, transport)
                .between(address, address)
                .message(message, 0, message.length);
        take(in, nowNanos);
        in.forget();
    }

    /** Did it come by a router that lives, so that another node could answer there? */
    public boolean cameByRouter(Hop from, long nowNanos) {
        InetSocketAddress local = from.local();
        return local != null
                && (FlowNumber.isOne(from.connection())
                        ? alive(from.connection(), nowNanos)
                        : from.connection() == 0 && isRouters(from.transport(), local));
    }

    /**
     * A request that came here is of a call of that partition, whatever its bytes say: it goes to
     * the owner as it came.
     *
     * @param request kept
     * @param from {@link #cameByRouter} is true of it
     */
    public void handOn(byte[] request, Hop from, int partition, long nowNanos) {
        LinkPeer router = chosen(from, partition, nowNanos);
        int listener = router == null ? -1 : listener(router, from);
        if (router == null || listener < 0) {
            counts.count(LinkCounter.NO_ROUTER);
            return;
        }
        boolean flow = FlowNumber.isOne(from.connection());
        in.of(partition)
                .by(router.id(), listener, from.transport())
                .on(
                        flow ? FlowNumber.connection(from.connection()) : 0,
                        from.beside() instanceof TlsPeer peer ? TlsPeerBytes.of(peer) : NOTHING)
                .numbered(0)
                .between(from.remote(), from.local())
                .message(request, 0, request.length);
        take(in, nowNanos);
        in.forget();
    }

    private void take(LinkMessage message, long nowNanos) {
        if (!parking.isEmpty()) {
            // Those that wait came first.
            advance(nowNanos);
        }
        if (!settled(message, nowNanos) && parking.park(message, nowNanos)) {
            accepted(message);
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
        return !parking.isEmpty() || !unacknowledged.isEmpty() || !names.isEmpty();
    }

    /** Bytes of messages that wait here. */
    public long parkedBytes() {
        return parking.bytes();
    }

    /** Looks whether those that wait have an owner now, or have waited too long. */
    public void advance(long nowNanos) {
        parking.settle(nowNanos, this::settled);
        if (!unacknowledged.isEmpty()) {
            unacknowledged.advance(nowNanos, kept -> again(kept, nowNanos));
        }
        if (!names.isEmpty()) {
            names.advance(nowNanos);
        }
    }

    private boolean again(LinkMessage kept, long nowNanos) {
        LinkPeer router = endpoint.peer(kept.router());
        return router != null
                && router.keepsConnections(nowNanos)
                && stream.send(FrameKind.OUT, kept.router(), kept);
    }

    /** True when the message has gone: to the stack, to its owner, or away. */
    private boolean settled(LinkMessage message, long nowNanos) {
        int partition = message.partition();
        boolean ours = ownership.owns(partition);
        if (ours && (ownership.takesNewWork(partition) || goesOn(message))) {
            counts.count(LinkCounter.DELIVERED);
            stack.deliver(message, nowNanos);
            if (!taken.has(message.router(), message.number())) {
                accepted(message);
            }
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

    /** Does it end what is under way? A response and an ACK do; nothing waits for them else. */
    private static boolean goesOn(LinkMessage message) {
        byte[] b = message.bytes();
        int from = message.from();
        while (from < message.to() && (b[from] == '\r' || b[from] == '\n')) {
            from++;
        }
        return Ascii.equalsIgnoreCase(b, from, Math.min(from + 4, message.to()), "SIP/")
                || Ascii.equals(b, from, Math.min(from + 4, message.to()), "ACK ");
    }

    /**
     * Sends a message of the stack by a router.
     *
     * @param to of a connection, goes by the router that has it; of none, from the router's address
     *     that is its local one, and when that router is dead, or none is said, by another one
     * @return false when no router lives that could send it
     */
    public boolean send(byte[] message, int length, Hop to, int partition, long nowNanos) {
        LinkPeer router = chosen(to, partition, nowNanos);
        int listener = router == null ? -1 : listener(router, to);
        if (router == null || listener < 0) {
            counts.count(LinkCounter.NO_ROUTER);
            return false;
        }
        String domain = to.domain();
        out.of(partition)
                .by(router.id(), listener, to.transport())
                .on(
                        FlowNumber.isOne(to.connection())
                                ? FlowNumber.connection(to.connection())
                                : 0,
                        domain == null ? NOTHING : domain.getBytes(StandardCharsets.US_ASCII))
                .between(to.remote(), null)
                .message(message, 0, length);
        boolean later = to.transport().reliable() && !unacknowledged.keep(out, nowNanos);
        boolean sent = later || stream.send(FrameKind.OUT, router.id(), out);
        if (!sent) {
            unacknowledged.taken(out.number(), nowNanos, kept -> again(kept, nowNanos));
        }
        out.forget();
        counts.count(sent ? LinkCounter.SENT : LinkCounter.NO_ROUTER);
        return sent;
    }

    /**
     * Says something of a connection to the router that has it.
     *
     * @param number see {@link FlowAct}
     * @param text see {@link FlowAct}
     * @return false when that router does not live
     */
    public boolean say(FlowAct what, Hop flow, long number, byte[] text, long nowNanos) {
        LinkPeer router = endpoint.peer(FlowNumber.router(flow.connection()));
        return router != null
                && router.alive(nowNanos)
                && say(what, router, flow, FlowNumber.connection(flow.connection()), number, text);
    }

    /**
     * Asks all living routers by which connection a name under {@code .invalid} is reached.
     *
     * @param asker told what a router says, good until it returns; null when none knows it, at once
     *     where none lives
     */
    public void find(byte[] name, Consumer<@Nullable LinkMessage> asker, long nowNanos) {
        names.find(name, asker, nowNanos);
    }

    private void ask(LinkPeer router, byte[] name, long question) {
        Hop anyFlow = Hop.to(Transport.WS, router.address());
        var _ = say(FlowAct.FIND, router, anyFlow, 0, question, name);
    }

    private boolean say(
            FlowAct what, LinkPeer router, Hop of, long connection, long number, byte[] text) {
        // Answers come back to this loop.
        out.of(stream.number())
                .by(router.id(), 0, of.transport())
                .on(connection, NOTHING)
                .numbered(number)
                .says(what)
                .between(of.remote(), null)
                .message(text, 0, text.length);
        boolean said = stream.send(FrameKind.FLOW, router.id(), out);
        out.forget();
        return said;
    }

    /** May the router that has the connection still be there? */
    public boolean alive(long flow, long nowNanos) {
        LinkPeer router = endpoint.peer(FlowNumber.router(flow));
        return router != null && router.keepsConnections(nowNanos);
    }

    /** Does an address belong to a router's listener? */
    public boolean isRouters(Transport transport, InetSocketAddress local) {
        for (LinkPeer router : endpoint.routers()) {
            if (owns(router, transport, local)) {
                return true;
            }
        }
        return false;
    }

    /** Is it the host of a router's listener? */
    public boolean isHostOfRouter(InetAddress host) {
        for (LinkPeer router : endpoint.routers()) {
            for (LinkListener each : router.listeners()) {
                if (host.equals(each.address().getAddress())) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean owns(LinkPeer router, Transport transport, InetSocketAddress local) {
        for (LinkListener each : router.listeners()) {
            if (each.covers(transport, local)) {
                return true;
            }
        }
        return false;
    }

    /** The one that has the address; else one that lives, the same for all of a partition. */
    private @Nullable LinkPeer chosen(Hop to, int partition, long nowNanos) {
        if (FlowNumber.isOne(to.connection())) {
            LinkPeer holder = endpoint.peer(FlowNumber.router(to.connection()));
            return holder != null && holder.keepsConnections(nowNanos) ? holder : null;
        }
        InetSocketAddress local = to.local();
        List<LinkPeer> routers = endpoint.routers();
        int able = 0;
        for (LinkPeer each : routers) {
            if (able(each, to, nowNanos)) {
                if (local != null && owns(each, to.transport(), local)) {
                    return each;
                }
                able++;
            }
        }
        if (able == 0) {
            return null;
        }
        int left = partition % able;
        for (LinkPeer each : routers) {
            if (able(each, to, nowNanos) && left-- == 0) {
                return each;
            }
        }
        return null;
    }

    private static boolean able(LinkPeer router, Hop to, long nowNanos) {
        return router.alive(nowNanos) && listener(router, to) >= 0;
    }

    private static int listener(LinkPeer router, Hop to) {
        boolean six = to.remote().getAddress() instanceof Inet6Address;
        InetSocketAddress local = to.local();
        int found = -1;
        List<LinkListener> listeners = router.listeners();
        for (int i = 0; i < listeners.size(); i++) {
            LinkListener each = listeners.get(i);
            if (each.transport() != to.transport()) {
                continue;
            }
            if (local != null && each.covers(to.transport(), local)) {
                return i;
            }
            if (found < 0
                    && (to.transport().reliable()
                            || six == each.address().getAddress() instanceof Inet6Address)) {
                found = i;
            }
        }
        return found;
    }
}
