package io.carillon.router;

import io.carillon.cluster.link.FlowAct;
import io.carillon.cluster.link.FrameKind;
import io.carillon.cluster.link.HandedOn;
import io.carillon.cluster.link.LinkEndpoint;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.LinkPeer;
import io.carillon.cluster.link.LinkStream;
import io.carillon.cluster.link.Owners;
import io.carillon.cluster.link.PeerId;
import io.carillon.cluster.link.RouterBranch;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Forwards by bytes: requests from outside to the node that owns their partition, responses to the
 * one whose request they answer, and what nodes send to its destination. Keeps nothing of a
 * message; the table of owners and the health of nodes are all that it knows.
 *
 * <p>RFC 3261 16.11, with the nodes as the other half of one element: the router puts its Via over
 * the requests of nodes and takes it from the responses; everything else, Max-Forwards and the
 * received parameter of RFC 3261 18.2.1 and RFC 3581 among it, is the node's, which is told where a
 * message came from.
 *
 * <p>Owner: one thread.
 */
final class Forwarder implements LinkStream.Taker {
    /** RFC 768: the most that a datagram holds over IPv4. */
    private static final int MOST_BYTES = 65_507;

    /** Within this an owner is found, or the cluster is down. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(4);

    private static final byte[] ACK = {'A', 'C', 'K', ' '};
    private static final byte[] CANCEL = {'C', 'A', 'N', 'C', 'E', 'L', ' '};
    private static final byte[] CANCELLED = {'C', 'A', 'N', 'C', 'E', 'L'};

    private static final byte[] RPORT_END = ";rport\r\n".getBytes(StandardCharsets.US_ASCII);

    private final int self;
    private final NodeAdmission admission;
    private final NodeChoice choice;
    private final LinkStream stream;
    private final Partitions partitions;
    private final RouterBranch branches;
    private final Outside outside;
    private final RouterCounts counts;
    private final List<Front> fronts;
    private final TopVias vias = new TopVias();
    private final LinkMessage message = new LinkMessage();
    private final Unavailable unavailable = new Unavailable();
    private final StreamDelivery delivery;
    private final UnheardSources unheard = new UnheardSources();
    private byte[] scratch = new byte[MOST_BYTES];

    /** One of our public addresses. */
    static final class Front {
        private final Transport transport;
        private final InetSocketAddress address;
        private final byte[] viaHead;

        /**
         * @param sentBy what stands for it in a Via: host and port
         */
        Front(Transport transport, InetSocketAddress address, String sentBy) {
            this.transport = transport;
            this.address = address;
            viaHead =
                    ("Via: SIP/2.0/" + transport.viaToken() + " " + sentBy + ";branch=")
                            .getBytes(StandardCharsets.US_ASCII);
        }

        Transport transport() {
            return transport;
        }

        InetSocketAddress address() {
            return address;
        }
    }

    /** Sends from the public addresses. */
    interface Outside {
        /**
         * @param listener from which of our addresses
         * @param message changes when this has returned
         */
        void send(int listener, byte[] message, int length, InetSocketAddress to);

        /**
         * Writes on the connection that the node's message names, or on one to its remote address.
         *
         * @param of which message of a node, or of a client, it is for
         * @param message changes when this has returned
         * @return false when the connection is gone
         */
        default boolean stream(LinkMessage of, byte[] message, int length) {
            return false;
        }

        /** A node says something of a connection, or asks. */
        default void flow(LinkMessage said) {}
    }

    /** What a forwarder works with. */
    record Parts(
            LinkEndpoint endpoint,
            LinkStream stream,
            Partitions partitions,
            RouterBranch branches,
            Outside outside,
            RouterCounts counts) {}

    /**
     * @param fronts our public addresses, by their number
     */
    Forwarder(Parts parts, List<Front> fronts) {
        this.self = parts.endpoint().identity().self();
        this.admission = new NodeAdmission(parts.endpoint(), parts.counts());
        this.choice = new NodeChoice(parts.endpoint(), admission.watch());
        this.stream = parts.stream();
        this.partitions = parts.partitions();
        this.branches = parts.branches();
        this.outside = parts.outside();
        this.counts = parts.counts();
        this.fronts = List.copyOf(fronts);
        this.delivery = new StreamDelivery(self, choice, stream, counts);
    }

    /** What comes and goes by connections, until it is taken. */
    StreamDelivery delivery() {
        return delivery;
    }

    /** The table that is gone by. */
    Owners owners() {
        return choice.owners();
    }

    /** How nodes do, and what they take. */
    NodeAdmission admission() {
        return admission;
    }

    /**
     * A datagram came to a public address.
     *
     * @param length how many of its bytes count
     * @param listener to which address
     */
    void received(byte[] b, int length, InetSocketAddress from, int listener, long nowNanos) {
        message.by(self, listener, Transport.UDP).between(from, fronts.get(listener).address());
        received(b, length, nowNanos);
    }

    /**
     * Is a datagram a repeat of a request that was forwarded, and began something? Whoever sheds
     * new work lets it pass: its call goes on, whatever its caller would be told.
     */
    boolean repeats(byte[] b, int length, InetAddress from, long nowNanos) {
        return vias.scan(b, 0, length)
                && admission.repeatsWhatWasLetIn(b, length, vias, from, nowNanos);
    }

    /**
     * A message came by a connection.
     *
     * @param beside what goes with it, see {@link LinkMessage#beside}
     * @param proved has its peer shown that it belongs here?
     */
    void received(
            byte[] b,
            int length,
            Hop from,
            int listener,
            byte[] beside,
            boolean proved,
            long nowNanos) {
        message.by(self, listener, from.transport())
                .on(from.connection(), beside)
                .proved(proved)
                .between(from.remote(), from.local());
        received(b, length, nowNanos);
    }

    private void received(byte[] b, int length, long nowNanos) {
        if (!vias.scan(b, 0, length)) {
            counts.count(RouterCounter.DROPPED_MALFORMED);
            return;
        }
        if (vias.response()) {
            counts.count(RouterCounter.RESPONSES_IN);
            response(b, length, nowNanos);
        } else {
            counts.count(RouterCounter.REQUESTS_IN);
            if (vias.method(b, ACK)
                    && unavailable.isAnswered(b, vias.start(), length, vias, nowNanos)) {
                counts.count(RouterCounter.REFUSED_ACKED);
                message.forget();
                return;
            }
            message.of(partition(b, length)).message(b, vias.start(), length);
            toNode(nowNanos);
        }
        message.forget();
    }

    private int partition(byte[] b, int length) {
        int start = vias.start();
        if (start == 0) {
            return partitions.of(b, length);
        }
        System.arraycopy(b, start, room(length), 0, length - start);
        return partitions.of(scratch, length - start);
    }

    /**
     * RFC 3261 16.11: the topmost Via has to be one that we inserted, else the response is silently
     * discarded; then it goes, and the next one says who gets it. RFC 6026 7.3: a 2xx without a
     * transaction is no exception, its owner decides.
     */
    private void response(byte[] b, int length, long nowNanos) {
        int partition =
                vias.hasBranch() ? branches.partition(b, vias.branchStart(), vias.branchEnd()) : -1;
        if (partition < 0) {
            counts.count(RouterCounter.DROPPED_STRAY);
            return;
        }
        if (!vias.hasSecondBranch()
                || !branches.matches(
                        b,
                        vias.branchStart(),
                        vias.branchEnd(),
                        vias.secondBranchStart(),
                        vias.secondBranchEnd())) {
            counts.count(RouterCounter.DROPPED_FORGED);
            return;
        }
        int head = vias.cutFrom() - vias.start();
        System.arraycopy(b, vias.start(), room(length), 0, head);
        System.arraycopy(b, vias.cutTo(), scratch, head, length - vias.cutTo());
        message.of(partition).message(scratch, 0, head + length - vias.cutTo());
        toNode(nowNanos);
    }

    private void toNode(long nowNanos) {
        int node = choice.node(message.partition(), nowNanos);
        if (node == PeerId.NONE) {
            nobody(nowNanos);
            return;
        }
        if (unheard.any(nowNanos)
                && !message.transport().reliable()
                && unheard.has(SourceKey.of(message.remote().getAddress()), node, nowNanos)) {
            counts.count(RouterCounter.DROPPED_UNHEARD);
            return;
        }
        RouterCounter why =
                vias.response() ? null : admission.refusal(node, message, vias, nowNanos);
        if (why != null && refuse(why, nowNanos)) {
            return;
        }
        boolean now =
                !message.transport().reliable()
                        || delivery.goes(message, answerable(), node, nowNanos);
        if (!now || stream.send(FrameKind.IN, node, message)) {
            counts.count(choice.way());
            counts.to(node);
            if (!vias.response() && !vias.method(message.bytes(), ACK)) {
                long source = SourceKey.of(message.remote().getAddress());
                admission.watch().asked(node, Long.hashCode(source), nowNanos);
            }
        } else {
            counts.count(RouterCounter.DROPPED_NO_SESSION);
        }
    }

    /** The key of a request that will be answered; 0 for all else. */
    private long answerable() {
        boolean answered =
                !vias.response() && vias.hasBranch() && !vias.method(message.bytes(), ACK);
        return answered ? key(message, vias.method(message.bytes(), CANCEL)) : 0;
    }

    private long key(LinkMessage of, boolean cancel) {
        return Undelivered.key(
                of.connection(), cancel, of.bytes(), vias.branchStart(), vias.branchEnd());
    }

    /** No node lives: whoever sent a request repeats it, unless that lasts too long. */
    private void nobody(long nowNanos) {
        boolean patient = choice.aloneNanos(nowNanos) <= PATIENCE_NANOS;
        if (patient && message.transport().reliable()) {
            // Nobody repeats it.
            delivery.waits(message, answerable(), nowNanos);
            return;
        }
        if (patient || vias.response() || !refuse(RouterCounter.REFUSED, nowNanos)) {
            counts.count(RouterCounter.DROPPED_NO_NODE);
        }
    }

    /** A 503 at once; false when the request gets no answer. */
    private boolean refuse(RouterCounter why, long nowNanos) {
        InetSocketAddress to =
                unavailable.answer(
                        message.bytes(),
                        message.from(),
                        message.to(),
                        vias,
                        message.remote(),
                        why == RouterCounter.REFUSED && !message.transport().reliable());
        if (to == null) {
            return false;
        }
        if (message.transport().reliable()) {
            var _ = outside.stream(message, unavailable.bytes(), unavailable.length());
        } else {
            outside.send(message.listener(), unavailable.bytes(), unavailable.length(), to);
        }
        counts.count(why);
        unavailable.answered(nowNanos);
        return true;
    }

    // From nodes

    private void said(LinkMessage by, long nowNanos) {
        if (by.act() == FlowAct.UNHEARD) {
            admission.watch().answers(by.peer());
            unheard.add(SourceKey.of(by.remote().getAddress()), by.peer(), nowNanos);
        } else if (by.act() == FlowAct.HANDED_ON) {
            handedOn(by);
        } else {
            outside.flow(by);
        }
    }

    private void handedOn(LinkMessage by) {
        HandedOn to = HandedOn.of(by.number());
        if (to != null && vias.scan(by.bytes(), by.from(), by.to()) && vias.hasBranch()) {
            delivery.handedOn(key(by, vias.method(by.bytes(), CANCEL)), by.peer(), to);
        } else {
            counts.count(RouterCounter.DROPPED_UNREADABLE);
        }
    }

    @Override
    public void message(FrameKind kind, LinkMessage from, long nowNanos) {
        if (kind == FrameKind.FLOW && PeerId.isNode(from.peer()) && !from.act().ofRouter()) {
            said(from, nowNanos);
            return;
        }
        if (kind != FrameKind.OUT
                || !PeerId.isNode(from.peer())
                || from.listener() >= fronts.size()
                || from.transport() != fronts.get(from.listener()).transport()
                || from.partition() >= Ownership.PARTITIONS
                || !vias.scan(from.bytes(), from.from(), from.to())) {
            counts.count(RouterCounter.DROPPED_UNREADABLE);
            return;
        }
        counts.from(from.peer());
        admission.watch().answers(from.peer());
        if (from.number() != 0 && !delivery.isNew(from)) {
            counts.count(RouterCounter.TAKEN_BEFORE);
            return;
        }
        if (vias.response()) {
            response(from);
        } else {
            request(from);
        }
    }

    /** RFC 3261 18.2.2 was the node's business: it says where the response goes. */
    private void response(LinkMessage from) {
        int length = from.length();
        if (tooLarge(from, length)) {
            return;
        }
        if (from.connection() != 0 && vias.hasBranch() && delivery.holdsSomething()) {
            delivery.answered(key(from, vias.answers(from.bytes(), from.to(), CANCELLED)));
        }
        System.arraycopy(from.bytes(), from.from(), room(length), 0, length);
        if (leaves(from, length)) {
            counts.count(RouterCounter.RESPONSES_OUT);
        } else {
            counts.count(RouterCounter.FLOWS_GONE);
        }
    }

    private boolean tooLarge(LinkMessage from, int length) {
        boolean large = length > MOST_BYTES && !from.transport().reliable();
        if (large) {
            counts.count(RouterCounter.DROPPED_TOO_LARGE);
        }
        return large;
    }

    private byte[] room(int length) {
        if (scratch.length < length) {
            scratch = new byte[length];
        }
        return scratch;
    }

    /** What stands in the scratch leaves; false when its connection is gone. */
    private boolean leaves(LinkMessage from, int length) {
        if (from.transport().reliable()) {
            return outside.stream(from, scratch, length);
        }
        outside.send(from.listener(), scratch, length, from.remote());
        return true;
    }

    /** RFC 3261 16.6 item 8, with the branch of 16.11. */
    private void request(LinkMessage from) {
        if (!vias.hasBranch()) {
            counts.count(RouterCounter.DROPPED_UNREADABLE);
            return;
        }
        byte[] head = fronts.get(from.listener()).viaHead;
        int via = head.length + RouterBranch.LENGTH + RPORT_END.length;
        int length = from.to() - vias.start() + via;
        if (tooLarge(from, length)) {
            return;
        }
        byte[] b = from.bytes();
        int before = vias.lineStart() - vias.start();
        System.arraycopy(b, vias.start(), room(length), 0, before);
        System.arraycopy(head, 0, scratch, before, head.length);
        int at = before + head.length;
        branches.write(scratch, at, from.partition(), b, vias.branchStart(), vias.branchEnd());
        at += RouterBranch.LENGTH;
        System.arraycopy(RPORT_END, 0, scratch, at, RPORT_END.length);
        at += RPORT_END.length;
        System.arraycopy(b, vias.lineStart(), scratch, at, from.to() - vias.lineStart());
        if (leaves(from, length)) {
            counts.count(RouterCounter.REQUESTS_OUT);
        } else {
            counts.count(RouterCounter.FLOWS_GONE);
            delivery.failed(from.peer(), from, StreamDelivery.head(from));
        }
    }

    @Override
    public void heard(LinkPeer peer, long nowNanos) {
        choice.heard(peer, nowNanos);
    }

    @Override
    public void table(Owners told) {
        if (choice.told(told)) {
            counts.count(RouterCounter.TABLES);
        }
    }
}
