package io.carillon.sip.proxy;

import io.carillon.sip.dialog.RouteSet;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.Shard;
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
     * @param place where whoever sent it is counted: of {@link io.carillon.sip.guard.Sources}
     * @return false when it is not forwarded: its hops are used up, it came back, or it leads to
     *     ourselves
     */
    public static boolean forwardAck(Shard shard, SipRequest ack, @Nullable Hop from, int place) {
        if (!mayGoOn(shard, ack, from)) {
            return false;
        }
        RoutePreprocessing routing = RoutePreprocessing.of(ack, from, shard.wire());
        MessageDraft draft = MessageDraft.copyOf(ack);
        routing.applyTo(draft);
        NameAddress flow = from == null ? null : routing.flow(ack, from, shard);
        if (flow != null) {
            RoutePreprocessing.toFlow(draft, flow);
        }
        Origin origin = from == null ? Origin.OUTSIDE : Origin.of(ack, from, shard.wire());
        return forwardAck(shard, ack, draft, origin, place);
    }

    /**
     * As {@link #forwardAck(Shard, SipRequest, Hop, int)}, for an ACK that {@link #mayGoOn may go
     * on} and whose own routes are taken out already.
     *
     * @param draft what leaves but for Via and Max-Forwards
     * @param origin where it came from
     */
    public static boolean forwardAck(
            Shard shard, SipRequest ack, MessageDraft draft, Origin origin, int place) {
        if (leadsHere(shard, draft)) {
            return false;
        }
        Uri nextHop = postprocessRoutes(draft);
        send(shard, ack, draft, nextHop, null, origin, place);
        return true;
    }

    /**
     * Forwards an ACK that {@link #mayGoOn may go on} on the way that its dialog has.
     *
     * @param draft what leaves but for Via and Max-Forwards
     * @param inside the hop of the next application of ours; null when it leaves
     * @param origin where it came from
     */
    public static void forwardAck(
            Shard shard,
            SipRequest ack,
            MessageDraft draft,
            @Nullable Hop inside,
            Origin origin,
            int place) {
        if (inside == null && ack.topRoute() == null && leadsHere(shard, draft)) {
            // The other end named us as its Contact. By a Route of ours an ACK may be for a user
            // agent of ours; one that came without would come back as it leaves, once more.
            shard.counted(Counter.ACKS_LOOPED, 1);
            return;
        }
        send(shard, ack, draft, null, inside, origin, place);
    }

    /**
     * RFC 3261 16.3, for an ACK: has it hops left, and was it not here before? There is no answer
     * to an ACK: one that may not is counted.
     *
     * @param from where it came from; null when that is not known
     */
    public static boolean mayGoOn(Shard shard, SipRequest ack, @Nullable Hop from) {
        // RFC 3261 16.3 item 3: "the element MUST NOT forward the request."
        // RFC 5393 4.2.2: "If these values are equal, the request has looped". Without this, an ACK
        // in a dialog whose other end named us as its Contact goes round until its hops are used
        // up.
        boolean inside = from != null && from.internal();
        if (ack.maxForwards() != 0 && (inside || !LoopDetection.looped(ack, shard.wire()))) {
            return true;
        }
        shard.counted(Counter.ACKS_LOOPED, 1);
        return false;
    }

    private static boolean leadsHere(Shard shard, MessageDraft draft) {
        return !draft.has(HeaderName.ROUTE)
                && draft.requestUri() instanceof SipUri uri
                && shard.wire().isLocal(uri.host(), uri.port());
    }

    private static void send(
            Shard shard,
            SipRequest ack,
            MessageDraft draft,
            @Nullable Uri nextHop,
            @Nullable Hop inside,
            Origin origin,
            int place) {
        int maxForwards = ack.maxForwards();
        draft.setMaxForwards(maxForwards < 0 ? 70 : maxForwards - 1);
        long loopHash = LoopDetection.hash(ack);
        shard.forwardStateless(draft, ack, loopHash, nextHop, inside, origin, place);
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
