package io.carillon.cluster.link;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.Ownership;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

    /** In so many the topmost Via of a request stands. */
    private static final int MOST_HEAD_BYTES = 1_000;

    private final LinkEndpoint endpoint;
    private final LinkStream stream;
    private final LinkCounts counts;
    private final Ownership ownership;
    private final Supplier<Owners> table;
    private final Stack stack;
    private final Parking parking;
    private final Unacknowledged unacknowledged;
    private final PassedOn passedOn;
    private final TakenNumbers taken = new TakenNumbers();
    private final RefusedSources refused = new RefusedSources();
    private final NameQuestions names;
    private final LinkRouters routers;
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
        this.passedOn =
                new PassedOn(
                        stream,
                        counts,
                        endpoint,
                        new PassedOn.Owner() {
                            @Override
                            public int other(int partition, long nowNanos) {
                                return livingOwner(partition, nowNanos);
                            }

                            @Override
                            public void stays(LinkMessage message, long nowNanos) {
                                keep(message, nowNanos);
                            }
                        });
        this.routers = new LinkRouters(endpoint);
        this.names = new NameQuestions(endpoint, this::ask);
    }

    /** The routers that this node knows. */
    public LinkRouters routers() {
        return routers;
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
        if (message.number() != 0 && taken.has(sender(message), message.number())) {
            counts.count(LinkCounter.TAKEN_BEFORE);
            acknowledge(message, FlowAct.ACCEPTED);
        } else if (stack.admits(message, nowNanos)) {
            take(message, nowNanos);
        } else {
            refused(message, nowNanos);
        }
    }

    /** Its source is not listened to. */
    private void refused(LinkMessage message, long nowNanos) {
        if (message.number() != 0) {
            acknowledge(message, FlowAct.REFUSED);
        } else if (!message.transport().reliable()
                && PeerId.isRouter(message.peer())
                && refused.floods(SourceKey.of(message.remote().getAddress()), nowNanos)) {
            counts.count(LinkCounter.UNHEARD);
            acknowledge(message, FlowAct.UNHEARD);
        }
    }

    /** Who has numbered it, and sends it again until it is taken. */
    private static int sender(LinkMessage message) {
        return PassedOn.isAnsweredFor(message) ? message.peer() : message.router();
    }

    /** A message of a connection is ours, or waits here: nobody need send it again. */
    private void accepted(LinkMessage message) {
        if (message.number() != 0) {
            taken.add(sender(message), message.number());
            acknowledge(message, FlowAct.ACCEPTED);
        }
    }

    /**
     * Whom the router has to ask for an answer from now on. Who has taken it is told: until the
     * router reads it the partition may have another owner, who has not got the request.
     */
    private void tellRouter(LinkMessage handedOn, int takenBy) {
        LinkPeer router = endpoint.peer(handedOn.router());
        if (router != null && PeerId.isRouter(handedOn.router()) && handedOn.connection() != 0) {
            int end = Math.min(handedOn.to(), handedOn.from() + MOST_HEAD_BYTES);
            // Lost, it goes by this node, which is as good until the owner dies.
            var _ =
                    say(
                            FlowAct.HANDED_ON,
                            router,
                            stream.number(),
                            Hop.to(handedOn.transport(), handedOn.remote()),
                            handedOn.connection(),
                            new HandedOn(takenBy, handedOn.partition()).number(),
                            Arrays.copyOfRange(handedOn.bytes(), handedOn.from(), end));
        }
    }

    private void acknowledge(LinkMessage message, FlowAct what) {
        LinkPeer sender = endpoint.peer(sender(message));
        if (sender != null) {
            // Lost, the message comes again.
            var _ =
                    say(
                            what,
                            sender,
                            message.stream(),
                            Hop.to(message.transport(), message.remote()),
                            message.connection(),
                            message.number(),
                            NOTHING);
        }
    }

    private void flow(LinkMessage said, long nowNanos) {
        if (PeerId.isRouter(said.peer()) && said.act() == FlowAct.TAKEN) {
            unacknowledged.taken(said.number(), nowNanos, kept -> again(kept, nowNanos));
        } else if (PeerId.isNode(said.peer())
                && (said.act() == FlowAct.ACCEPTED || said.act() == FlowAct.REFUSED)) {
            LinkMessage taken = passedOn.taken(said.number(), nowNanos);
            if (taken != null && said.act() == FlowAct.ACCEPTED) {
                tellRouter(taken, said.peer());
            }
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

    /**
     * A request that came here is of a call of that partition, whatever its bytes say: it goes to
     * the owner as it came.
     *
     * @param request kept
     * @param from {@link LinkRouters#isWayOf} is true of it
     */
    public void handOn(byte[] request, Hop from, int partition, long nowNanos) {
        LinkPeer router = routers.chosen(from, partition, nowNanos);
        int listener = router == null ? -1 : LinkRouters.listener(router, from);
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
            // Those of its partition that wait came first.
            parking.settle(message.partition(), nowNanos, this::settled);
        }
        keep(message, nowNanos);
    }

    /** It goes where it belongs, or waits for an owner. */
    private void keep(LinkMessage message, long nowNanos) {
        if (settled(message, nowNanos)) {
            return;
        }
        if (message.number() != 0 && ownership.owns(message.partition())) {
            // We give the partition away. Who sent it keeps it until it is taken, and sends it to
            // the next owner before what comes behind it: kept here, it would be overtaken.
            counts.count(LinkCounter.LEFT);
        } else if (parking.park(message, nowNanos)) {
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
        return !parking.isEmpty()
                || !unacknowledged.isEmpty()
                || !passedOn.isEmpty()
                || !names.isEmpty();
    }

    /** Bytes of messages that wait here. */
    public long parkedBytes() {
        return parking.bytes();
    }

    /** Looks whether those that wait have an owner now, or have waited too long. */
    public void advance(long nowNanos) {
        parking.settle(Parking.ALL, nowNanos, this::settled);
        if (!unacknowledged.isEmpty()) {
            unacknowledged.advance(nowNanos, kept -> again(kept, nowNanos));
        }
        if (!passedOn.isEmpty()) {
            passedOn.advance(nowNanos);
        }
        if (!names.isEmpty()) {
            names.advance(nowNanos);
        }
    }

    private Unacknowledged.Fate again(LinkMessage kept, long nowNanos) {
        LinkPeer router = endpoint.peer(kept.router());
        boolean sent =
                router != null
                        && router.keepsConnections(nowNanos)
                        && stream.send(FrameKind.OUT, kept.router(), kept);
        return sent ? Unacknowledged.Fate.SENT : Unacknowledged.Fate.NOBODY;
    }

    /** True when the message has gone: to the stack, to its owner, or away. */
    private boolean settled(LinkMessage message, long nowNanos) {
        int partition = message.partition();
        boolean ours = ownership.owns(partition);
        if (ours && (ownership.takesNewWork(partition) || goesOn(message))) {
            counts.count(LinkCounter.DELIVERED);
            stack.deliver(message, nowNanos);
            accepted(message);
            return true;
        }
        int owner = livingOwner(partition, nowNanos);
        if (owner == PeerId.NONE) {
            return passedOn.round(table.get().owner(partition), message, nowNanos);
        }
        if (message.hops() > 0 && !PassedOn.goesRound(message)) {
            // Two tables that differ: its sender repeats it, and a router knows better by then.
            counts.count(LinkCounter.NOT_OURS);
            return true;
        }
        passedOn.pass(owner, message, message.number() == 0, nowNanos);
        return true;
    }

    /**
     * The other node that owns the partition and lives. None where it may be given to us, where we
     * wait for our lease, and where somebody else will be its owner.
     */
    private int livingOwner(int partition, long nowNanos) {
        int owner = table.get().owner(partition);
        if (owner == PeerId.NONE || owner == endpoint.identity().self()) {
            return PeerId.NONE;
        }
        LinkPeer peer = endpoint.peer(owner);
        return peer == null || !peer.alive(nowNanos) ? PeerId.NONE : owner;
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
        LinkPeer router = routers.chosen(to, partition, nowNanos);
        int listener = router == null ? -1 : LinkRouters.listener(router, to);
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
                && say(
                        what,
                        router,
                        stream.number(),
                        flow,
                        FlowNumber.connection(flow.connection()),
                        number,
                        text);
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
        var _ = say(FlowAct.FIND, router, stream.number(), anyFlow, 0, question, name);
    }

    /**
     * @param loop of the other side, which hears it. A router has one loop for the link, and
     *     answers to the loop that sends
     */
    private boolean say(
            FlowAct what,
            LinkPeer to,
            int loop,
            Hop of,
            long connection,
            long number,
            byte[] text) {
        out.of(loop)
                .by(to.id(), 0, of.transport())
                .on(connection, NOTHING)
                .numbered(number)
                .says(what)
                .between(of.remote(), null)
                .message(text, 0, text.length);
        boolean said = stream.send(FrameKind.FLOW, to.id(), out);
        out.forget();
        return said;
    }
}
