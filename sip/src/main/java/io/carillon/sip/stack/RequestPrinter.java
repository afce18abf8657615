package io.carillon.sip.stack;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Via;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.transaction.TransactionTable;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last steps before a request leaves: its target, and for a hop the headers that depend on it.
 *
 * <p>Owner: the shard's thread.
 */
final class RequestPrinter {
    private final Shard shard;

    RequestPrinter(Shard shard) {
        this.shard = shard;
    }

    // 8.1.2: "if the first element in the route set indicates a loose router [...] the procedures
    // MUST be applied to the first Route header field value in the request (if one exists), or to
    // the request's Request-URI if there is no Route header field present."
    static Uri target(MessageDraft draft, @Nullable Uri nextHop) {
        if (nextHop != null) {
            return nextHop;
        }
        NameAddress route = draft.has(HeaderName.ROUTE) ? draft.address(HeaderName.ROUTE) : null;
        return route != null && route.uri() instanceof SipUri uri && uri.isLooseRouter()
                ? uri
                : draft.requestUri();
    }

    /**
     * Decorates, adds our Via (18.1.1: "the client transport MUST insert a value of the "sent-by"
     * field into the Via header field"), prints.
     */
    SipRequest print(MessageDraft draft, Hop hop, HopDecorator decorator, String branch) {
        HostPort sentBy = shard.wire().sentBy(hop.transport(), hop.local(), hop.remote());
        decorator.decorate(
                draft, hop, sentBy, shard.wire().reachable(hop.transport(), hop.remote()));
        draft.prependVia(
                Via.ours(
                        hop.transport().viaToken(),
                        sentBy.host(),
                        sentBy.port(),
                        branch,
                        shard.config().rport()));
        return draft.freezeRequest();
    }

    /**
     * Forwards a request without a transaction. RFC 3261 16.11: "The element MUST generate a branch
     * parameter [...] such that [...] it be identical each time a retransmitted request is
     * forwarded": a function of the received top Via and Call-ID. Any thread.
     */
    void forward(
            MessageDraft draft,
            SipRequest received,
            @Nullable Uri nextHop,
            @Nullable Hop fixedHop,
            HopDecorator decorator) {
        Via top = received.topVia();
        long hash =
                TransactionTable.stableHash(top.branchOrText())
                        ^ (TransactionTable.stableHash(top.host()) + top.port()) * 17
                        ^ TransactionTable.stableHash(received.callId()) * 31;
        String branch = shard.tokens().branchOf(hash);
        if (shard.enter()) {
            try {
                sendStateless(draft, nextHop, fixedHop, null, decorator, branch, null);
            } finally {
                shard.leave();
            }
        } else {
            shard.perform(
                    () -> sendStateless(draft, nextHop, fixedHop, null, decorator, branch, null));
        }
    }

    /** Told of a request that left without a transaction. */
    interface Sent {
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
            @Nullable InetSocketAddress local,
            HopDecorator decorator,
            String branch,
            @Nullable Sent sent) {
        if (fixedHop != null) {
            toFirst(List.of(fixedHop), draft, null, decorator, branch, sent);
            return;
        }
        FlowRoute.Taken byFlow = nextHop == null ? FlowRoute.take(draft, shard) : null;
        if (byFlow != null) {
            Hop flow = byFlow.flow();
            if (flow != null) {
                toFirst(List.of(flow), draft, null, decorator, branch, sent);
            }
            return;
        }
        shard.wire()
                .resolve(
                        target(draft, nextHop),
                        null,
                        hops ->
                                shard.event(() ->
                                        toFirst(hops, draft, local, decorator, branch, sent)));
    }

    private void toFirst(
            List<Hop> hops,
            MessageDraft draft,
            @Nullable InetSocketAddress local,
            HopDecorator decorator,
            String branch,
            @Nullable Sent sent) {
        if (hops.isEmpty()) {
            shard.counters().add(Counter.UNRESOLVED);
            return;
        }
        Hop hop = shard.way(hops.getFirst(), local);
        SipRequest request = print(draft, hop, decorator, branch);
        shard.outbox().send(hop, request, false, shard.countFailure());
        if (sent != null) {
            sent.sent(hop, request);
        }
    }
}
