package io.carillon.sip.shard;

import io.carillon.sip.client.HopSearch;
import io.carillon.sip.core.ShardCore;
import io.carillon.sip.feedback.Feedback;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.Sips;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.token.Partitions;
import io.carillon.sip.transaction.TransactionTable;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The last steps before a request leaves: its target, and for a hop the headers that depend on it.
 *
 * <p>Owner: the shard's thread.
 */
final class RequestPrinter {
    /** A Via of ours: a host name of 253 characters at most, and what stands around it. */
    private static final int MOST_VIA_BYTES = 410;

    /** By so much a message may grow at the edge as a rule; then it is looked at. */
    private static final int MOST_REWRITTEN_BYTES = 512;

    private final ShardCore core;
    private final Consumer<MessageDraft> forwarding;

    RequestPrinter(ShardCore core, Consumer<MessageDraft> forwarding) {
        this.core = core;
        this.forwarding = forwarding;
    }

    // 8.1.2: "if the first element in the route set indicates a loose router [...] the procedures
    // MUST be applied to the first Route header field value in the request (if one exists), or to
    // the request's Request-URI if there is no Route header field present."
    static Uri target(MessageDraft draft, @Nullable Uri nextHop) {
        if (nextHop != null) {
            return Sips.target(draft.requestUri(), nextHop);
        }
        NameAddress route = draft.has(HeaderName.ROUTE) ? draft.address(HeaderName.ROUTE) : null;
        return route != null && route.uri() instanceof SipUri uri && uri.isLooseRouter()
                ? Sips.target(draft.requestUri(), uri)
                : draft.requestUri();
    }

    /** A request printed, and the hop that it was printed for. */
    record Printed(SipRequest request, Hop hop) {}

    /**
     * Prints a request for a hop, or because it is large for the TCP side of the same server.
     * 18.1.1: "If a request is within 200 bytes of the path MTU, or if it is larger than 1300 bytes
     * and the path MTU is unknown, the request MUST be sent using an RFC 2914 congestion controlled
     * transport protocol, such as TCP." Nothing of it where TCP has failed there a moment ago.
     *
     * @param again will the draft be needed for another hop?
     */
    Printed print(OutgoingRequest out, Hop hop, boolean again) {
        out.tooLarge = false;
        if (out.proxied() && !hop.internal() && !staysHere(out.draft(), hop)) {
            forwarding.accept(out.draft());
        }
        boolean large =
                out.fixedHop() == null
                        && mayBeLarge(out.draft(), out.decorator())
                        && maySwitchToTcp(hop);
        String branch = branch(out);
        MessageDraft draft = large || again ? out.draft().copy() : out.draft();
        SipRequest request = print(draft, hop, out, branch);
        if (!large || fitsDatagram(request, hop)) {
            return new Printed(request, hop);
        }
        core.counters().add(Counter.LARGE_REQUESTS);
        out.tooLarge = true;
        Hop stream = overTcp(hop);
        SipRequest streamed = print(out.draft().copy(), stream, out, branch);
        return new Printed(streamed, stream);
    }

    /** Do credentials in it go to a listening point of ours, where they may be asked for? */
    private boolean staysHere(MessageDraft draft, Hop hop) {
        return (draft.has(HeaderName.AUTHORIZATION) || draft.has(HeaderName.PROXY_AUTHORIZATION))
                && core.leadsHere(hop);
    }

    /** By the datagram that was due, now that TCP has failed. */
    Printed printDatagram(OutgoingRequest out, Hop hop, boolean again) {
        out.tooLarge = false;
        MessageDraft draft = again ? out.draft().copy() : out.draft();
        String branch = branch(out);
        return new Printed(print(draft, hop, out, branch), hop);
    }

    /**
     * A fresh branch. That of an INVITE of our own tells its late 2xx, which we have to confirm and
     * to end (RFC 3261 13.2.2.4), from what others make up; a proxy has no use for those (RFC 6026
     * 7.3).
     */
    private String branch(OutgoingRequest out) {
        MessageDraft draft = out.draft();
        int own = out.user().partition();
        int partition = own < 0 ? partition(draft) : own;
        String callId =
                !out.proxied() && draft.method().equals(Methods.INVITE) ? draft.callId() : null;
        if (callId == null) {
            return core.tokens().branch(partition, out.loopHash());
        }
        String fromTag = draft.from().param("tag");
        return core.tokens()
                .inviteBranch(
                        partition,
                        out.loopHash(),
                        callId,
                        fromTag == null ? "" : fromTag,
                        draft.cseq().number(),
                        core.now());
    }

    /**
     * The partition of the call that a request of ours belongs to, by our tag, else by its Call-ID;
     * -1 without a cluster.
     */
    int partition(MessageDraft draft) {
        OwnTokens own = core.config().tokens();
        if (own.cluster() == null) {
            return -1;
        }
        int byTag = own.partitionIn(draft.from().param("tag"));
        String callId = byTag < 0 ? draft.callId() : null;
        return callId == null ? byTag : Partitions.ofCallId(callId);
    }

    /** Of a request that carries our branch. */
    private int partition(SipRequest request) {
        OwnTokens own = core.config().tokens();
        return own.cluster() == null ? -1 : own.partitionIn(request.topVia().branch());
    }

    private Hop overTcp(Hop datagrams) {
        return core.way(Hop.to(Transport.TCP, datagrams.remote()), datagrams.local());
    }

    private boolean fitsDatagram(SipRequest request, Hop hop) {
        return core.outbox().lengthAtPeer(request, hop) <= core.config().udpLimit();
    }

    private boolean maySwitchToTcp(Hop hop) {
        return hop.transport() == Transport.UDP
                && !hop.internal()
                && core.wire().sends(Transport.TCP)
                && !core.downHops().isDown(overTcp(hop), core.now());
    }

    /** Could the request, printed, be larger than a datagram may be? */
    private boolean mayBeLarge(MessageDraft draft, HopDecorator decorator) {
        int rewritten = core.edge() == null ? 0 : MOST_REWRITTEN_BYTES;
        return draft.mostBytes() + MOST_VIA_BYTES + decorator.mostBytes() + rewritten
                > core.config().udpLimit();
    }

    private SipRequest print(MessageDraft draft, Hop hop, HopDecorator decorator, String branch) {
        draft.prependVia(via(draft, hop, decorator, branch));
        return draft.freezeRequest();
    }

    private SipRequest print(MessageDraft draft, Hop hop, OutgoingRequest out, String branch) {
        Via own = via(draft, hop, out.decorator(), branch);
        if (out.keepAlives()) {
            own = own.withParam("keep", null);
        }
        Hop began = out.proxied() ? null : out.user().began();
        if (began != null && core.leadsHere(hop)) {
            own = SelfSent.mark(own, began);
        }
        draft.prependVia(own);
        return draft.freezeRequest();
    }

    /**
     * Decorates, and makes our Via. 18.1.1: "the client transport MUST insert a value of the
     * "sent-by" field into the Via header field".
     */
    private Via via(MessageDraft draft, Hop hop, HopDecorator decorator, String branch) {
        HostPort sentBy = core.wire().sentBy(hop.transport(), hop.local(), hop.remote());
        decorator.decorate(
                draft, hop, sentBy, core.wire().reachable(hop.transport(), hop.remote()));
        Via own =
                Via.ours(
                        hop.transport().viaToken(),
                        sentBy.host(),
                        sentBy.port(),
                        branch,
                        core.config().rport());
        if (hop.transport() == Transport.TLS && core.wire().offersAlias(hop)) {
            own = own.withParam("alias", null);
        }
        Feedback feedback = core.feedback();
        return feedback == null ? own : feedback.offer(own, hop);
    }

    /**
     * Forwards a request without a transaction. RFC 3261 16.11: "The element MUST generate a branch
     * parameter [...] such that [...] it be identical each time a retransmitted request is
     * forwarded": a function of the received top Via and Call-ID. Any thread.
     */
    void forward(
            MessageDraft draft,
            SipRequest received,
            long loopHash,
            @Nullable Uri nextHop,
            @Nullable Hop fixedHop,
            Origin origin,
            int place) {
        if (fixedHop == null || !fixedHop.internal()) {
            forwarding.accept(draft);
        }
        Via top = received.topVia();
        long hash =
                TransactionTable.stableHash(top.branchOrText())
                        ^ (TransactionTable.stableHash(top.host()) + top.port()) * 17
                        ^ TransactionTable.stableHash(received.callId()) * 31;
        int partition = core.config().tokens().partitionOf(received.bytes(), received.length());
        String branch = core.tokens().branchOf(partition, hash, loopHash);
        Leaving leaving = Leaving.anyWay(origin, place);
        if (core.events().enter()) {
            try {
                sendStateless(draft, nextHop, fixedHop, leaving, HopDecorator.NONE, branch, null);
            } finally {
                core.events().leave();
            }
        } else {
            core.events()
                    .perform(() ->
                            sendStateless(
                                    draft,
                                    nextHop,
                                    fixedHop,
                                    leaving,
                                    HopDecorator.NONE,
                                    branch,
                                    null));
        }
    }

    /**
     * How a request leaves for which nobody waits, and what its look-ups may cost. Owner: the
     * shard's thread.
     */
    static final class Leaving implements LookupBudget {
        final @Nullable InetSocketAddress local;
        final Origin origin;
        private final @Nullable LookupBudget payer;
        private final int place;
        private int questions;

        /**
         * @param local the address of ours to send from; null for the one that leads there
         * @param origin on whose behalf
         * @param payer pays for the names that have to be looked up
         */
        Leaving(@Nullable InetSocketAddress local, Origin origin, LookupBudget payer) {
            this.local = local;
            this.origin = origin;
            this.payer = payer;
            this.place = payer.countedAt();
        }

        private Leaving(Origin origin, int place) {
            this.local = null;
            this.origin = origin;
            this.payer = null;
            this.place = place;
        }

        /**
         * From whatever address leads there, on a budget of its own.
         *
         * @param place where whoever made us send it is counted
         */
        static Leaving anyWay(Origin origin, int place) {
            return new Leaving(origin, place);
        }

        @Override
        public int countedAt() {
            return place;
        }

        @Override
        public boolean takeQuestion(int most) {
            return payer == null ? questions++ < most : payer.takeQuestion(most);
        }
    }

    /** Told of a request that left without a transaction, or could not. */
    interface Sent extends SendFailure {
        /** Asked before: may it leave for that hop now? */
        boolean leaves(Hop hop, SipRequest request);

        void sent(Hop hop, SipRequest request);
    }

    /**
     * Sends a request for which nobody waits: ACK for 2xx, or a stateless proxy's. Only the first
     * hop is tried.
     */
    void sendStateless(
            MessageDraft draft,
            @Nullable Uri nextHop,
            @Nullable Hop fixedHop,
            Leaving leaving,
            HopDecorator decorator,
            String branch,
            @Nullable Sent sent) {
        if (fixedHop != null) {
            if (!HopSearch.passable(core.wire(), leaving.origin, List.of(fixedHop)).isEmpty()) {
                send(draft, fixedHop, leaving, decorator, branch, sent);
            }
            return;
        }
        FlowRoute.Taken byFlow = nextHop == null ? HopSearch.takeFlow(core, draft) : null;
        if (byFlow != null) {
            Hop flow = byFlow.flow();
            if (flow != null) {
                send(draft, flow, leaving, decorator, branch, sent);
            }
            return;
        }
        core.wire()
                .resolve(
                        target(draft, nextHop),
                        null,
                        leaving,
                        hops ->
                                core.events()
                                        .event(() ->
                                                toFirst(
                                                        hops, draft, leaving, decorator, branch,
                                                        sent)));
    }

    private void toFirst(
            List<Hop> found,
            MessageDraft draft,
            Leaving leaving,
            HopDecorator decorator,
            String branch,
            @Nullable Sent sent) {
        List<Hop> open = HopSearch.passable(core.wire(), leaving.origin, found);
        List<Hop> hops = Sips.usable(draft.requestUri(), open);
        if (hops.isEmpty()) {
            HopSearch.unsent(core, draft, open);
            return;
        }
        Hop hop = core.way(core.downHops().order(hops, core.now()).getFirst(), leaving.local);
        if (!mayBeLarge(draft, decorator) || !maySwitchToTcp(hop)) {
            send(draft, hop, leaving, decorator, branch, sent);
            return;
        }
        MessageDraft other = draft.copy();
        SipRequest request = print(draft, hop, decorator, branch);
        if (fitsDatagram(request, hop)) {
            send(hop, request, sent, failure(sent, hop, leaving));
            return;
        }
        core.counters().add(Counter.LARGE_REQUESTS);
        Hop stream = overTcp(hop);
        // 18.1.1: "if the attempt to establish the connection generates either an ICMP Protocol Not
        // Supported, or results in a TCP reset, the element SHOULD retry the request, using UDP."
        SendFailure failed = failure(sent, stream, leaving);
        SendFailure byDatagram =
                (to, cause) ->
                        core.events()
                                .event(() -> {
                                    core.downHops().failed(stream, core.now());
                                    send(hop, request, sent, failed);
                                });
        send(
                stream,
                print(other, stream, decorator, branch),
                sent,
                byDatagram.countedAt(failed.countedAt()));
    }

    /** Only a stream asks whose connection it is. */
    private SendFailure failure(@Nullable Sent sent, Hop hop, Leaving leaving) {
        if (sent != null) {
            return sent;
        }
        SendFailure counted = core.countFailure();
        return hop.reliable() ? counted.countedAt(leaving.countedAt()) : counted;
    }

    private void send(
            MessageDraft draft,
            Hop hop,
            Leaving leaving,
            HopDecorator decorator,
            String branch,
            @Nullable Sent sent) {
        SipRequest request = print(draft, hop, decorator, branch);
        send(hop, request, sent, failure(sent, hop, leaving));
    }

    private void send(Hop hop, SipRequest request, @Nullable Sent sent, SendFailure onFailure) {
        Feedback feedback = core.feedback();
        if (feedback != null) {
            feedback.passes(hop, core.now());
        }
        if (sent == null || sent.leaves(hop, request)) {
            core.outbox().send(hop, request, partition(request), false, onFailure);
        }
        if (sent != null) {
            sent.sent(hop, request);
        }
    }
}
