package io.carillon.sip.proxy;

import io.carillon.sip.dialog.RouteSet;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.stack.Hop;
import io.carillon.sip.stack.HopDecorator;
import io.carillon.sip.stack.Shard;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ACK for a 2xx: a proxy forwards it by its Route or Request-URI, without a transaction.
 * Stateless; any thread.
 */
public final class InDialogForwarding {
    private InDialogForwarding() {}

    /**
     * Forwards an ACK that belongs to no transaction of ours (RFC 3261 16.11, 13.2.2.4).
     *
     * @param from where it came from; null when that is not known
     * @return false when it is not forwarded: its hops are used up, or it leads to ourselves
     */
    public static boolean forwardAck(Shard shard, SipRequest ack, @Nullable Hop from) {
        // RFC 3261 16.3 item 3: "the element MUST NOT forward the request." There is no answer to
        // an ACK.
        int maxForwards = ack.maxForwards();
        if (maxForwards == 0) {
            return false;
        }
        RoutePreprocessing routing = RoutePreprocessing.of(ack, from, shard.wire());
        MessageDraft draft = MessageDraft.copyOf(ack);
        routing.applyTo(draft);
        NameAddress flow = from == null ? null : routing.flow(ack, from, shard);
        if (flow != null) {
            RoutePreprocessing.toFlow(draft, flow);
        }
        return forwardAck(shard, ack, draft);
    }

    /**
     * As {@link #forwardAck(Shard, SipRequest, Hop)}, for an ACK whose own routes are taken out
     * already.
     *
     * @param draft what leaves but for Via and Max-Forwards
     */
    public static boolean forwardAck(Shard shard, SipRequest ack, MessageDraft draft) {
        int maxForwards = ack.maxForwards();
        if (maxForwards == 0) {
            return false;
        }
        if (!draft.has(HeaderName.ROUTE)
                && draft.requestUri() instanceof SipUri uri
                && shard.wire().isLocal(uri.host(), uri.port())) {
            return false;
        }
        draft.setMaxForwards(maxForwards < 0 ? 70 : maxForwards - 1);
        Uri nextHop = postprocessRoutes(draft);
        shard.forwardStateless(draft, ack, nextHop, null, HopDecorator.NONE);
        return true;
    }

    /**
     * RFC 3261 16.6 step 6. Returns what decides the next hop, or null when top Route or
     * Request-URI do.
     */
    static @Nullable Uri postprocessRoutes(MessageDraft draft) {
        if (!draft.has(HeaderName.ROUTE)) {
            return null;
        }
        List<NameAddress> routes = draft.routes();
        Uri top = routes.getFirst().uri();
        if (RouteSet.loose(top)) {
            return null;
        }
        // "The proxy MUST place the Request-URI into the Route header field as the last value. The
        // proxy MUST then place the first Route header field value into the Request-URI and remove
        // that value from the Route header field."
        draft.addLast(HeaderName.ROUTE, "<" + draft.requestUri() + ">");
        draft.removeFirst(HeaderName.ROUTE);
        draft.setRequestUri(RouteSet.requestUri(top));
        // Step 7: "If the proxy has reformatted the request to send to a strict-routing element
        // ..., the proxy MUST apply those procedures to the Request-URI of the request."
        return draft.requestUri();
    }
}
