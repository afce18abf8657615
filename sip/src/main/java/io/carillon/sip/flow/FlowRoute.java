package io.carillon.sip.flow;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.ViaRules;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.uri.SipUri;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Routes of ours that carry a flow token (RFC 5626 5.3): a request that is about to leave by one
 * goes over that flow instead, whatever address its Request-URI names. Thus a proxy reaches a phone
 * behind its connection, and so do a user agent of ours, an ACK and a request within a dialog.
 * Stateless; on the shard.
 */
public final class FlowRoute {
    /**
     * What became of a route.
     *
     * @param flow the way to take; null with a failure
     * @param route what was taken off
     */
    public record Taken(@Nullable Hop flow, @Nullable Failure failure, NameAddress route) {}

    private FlowRoute() {}

    /** The token in a route of ours; null in every other. */
    public static @Nullable String token(NameAddress route, Wire wire) {
        if (!(route.uri() instanceof SipUri uri)) {
            return null;
        }
        String user = uri.rawUser();
        return user != null && FlowTokens.isToken(user) && wire.isLocal(uri.host(), uri.port())
                ? user
                : null;
    }

    /** Is the draft's next hop a flow? Cheap where there is no Route. */
    public static boolean next(MessageDraft draft, Wire wire) {
        NameAddress top = draft.has(HeaderName.ROUTE) ? draft.address(HeaderName.ROUTE) : null;
        return top != null && token(top, wire) != null;
    }

    /**
     * Takes the route off the draft; null when its next hop is no flow, or one that is no more
     * while the client at its end has connected again and is found by its name.
     */
    public static @Nullable Taken take(MessageDraft draft, Wire wire, FlowTokens tokens) {
        NameAddress top = draft.has(HeaderName.ROUTE) ? draft.address(HeaderName.ROUTE) : null;
        String token = top == null ? null : token(top, wire);
        if (top == null || token == null) {
            return null;
        }
        FlowTokens.Read read = tokens.read(token, draft.callId());
        Hop flow = read.flow();
        // One of another call is none that was recorded for this one: refused as a forged one is.
        // 5.3.1: "If the flow token has been tampered with, the proxy SHOULD send a 403 (Forbidden)
        // response. If the flow no longer exists, the proxy SHOULD send a 430 (Flow Failed)".
        if (read.verdict() == FlowTokens.Verdict.FORGED) {
            return new Taken(null, Failure.FLOW_REFUSED, top);
        }
        if (flow == null || !wire.alive(flow)) {
            if (reachedByName(draft, wire)) {
                draft.removeFirst(HeaderName.ROUTE);
                return null;
            }
            return new Taken(null, Failure.FLOW_FAILED, top);
        }
        draft.removeFirst(HeaderName.ROUTE);
        return new Taken(flow, null, top);
    }

    /** RFC 7118 B.1: a client in a browser that connects again keeps its name. */
    private static boolean reachedByName(MessageDraft draft, Wire wire) {
        return draft.requestUri() instanceof SipUri uri
                && ViaRules.nowhere(uri.host())
                && draft.routes().size() == 1
                && wire.reaches(uri.host());
    }

    /**
     * The route that leads over this flow, through that address of ours.
     *
     * @param own a URI of ours, as the Contact of an answer of ours has it
     * @return null for a hop that is no flow
     */
    public static @Nullable NameAddress through(SipUri own, Hop flow, FlowTokens tokens) {
        String token = tokens.encode(flow);
        return token == null
                ? null
                : NameAddress.of(SipUri.of(token, own.host(), own.port()).withParam("lr", null));
    }

    /**
     * The URI of ours that stands for the flow: to be put into Path or Record-Route, or to be
     * pushed as a Route.
     *
     * @param outbound with {@code ob}: we are the first hop of whoever is at the flow's other end
     *     (RFC 5626 5.1)
     * @return null for a hop that is no flow
     */
    public static @Nullable String uri(FlowTokens tokens, Wire wire, Hop flow, boolean outbound) {
        String token = tokens.encode(flow);
        if (token == null) {
            return null;
        }
        Transport transport = flow.transport();
        HostPort own = wire.sentBy(transport, flow.local(), flow.remote());
        StringBuilder text = new StringBuilder(128).append("sip:").append(token).append('@');
        text.append(own);
        if (transport != Transport.UDP) {
            text.append(";transport=").append(transport.name().toLowerCase(Locale.ROOT));
        }
        return text.append(outbound ? ";lr;ob" : ";lr").toString();
    }
}
