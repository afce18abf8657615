package io.carillon.sip.proxy;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.flow.FlowTokens;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.token.ShardToken;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * RFC 3261 16.4: what of a request's routing is about ourselves.
 *
 * @param requestUri the Request-URI to go on with
 * @param strictlyRouted the last Route value became the Request-URI: the element before us is a
 *     strict router
 * @param popped the Route value (or the Request-URI of a strict router) that pointed to us; null
 *     without one
 * @param dropFirst remove the first Route value
 */
public record RoutePreprocessing(
        Uri requestUri, boolean strictlyRouted, @Nullable NameAddress popped, boolean dropFirst) {

    public static RoutePreprocessing of(SipRequest request, @Nullable Hop source, Wire wire) {
        Uri uri = request.requestUri();
        NameAddress top = request.topRoute();
        if (top == null) {
            return new RoutePreprocessing(withoutOwnMaddr(uri, source, wire), false, null, false);
        }
        // RFC 3261 16.4: "If the Request-URI of the request contains a value this proxy previously
        // placed into a Record-Route header field ..., the proxy MUST replace the Request-URI in
        // the request with the last value from the Route header field, and remove that value from
        // the Route header field."
        if (ownRecordRoute(uri, wire)) {
            List<NameAddress> routes = request.routes();
            Uri last = routes.getLast().uri();
            NameAddress own = NameAddress.of(uri);
            // "If the first value in the Route header field indicates this proxy, the proxy MUST
            // remove that value".
            boolean second = routes.size() > 1 && local(top.uri(), wire);
            return new RoutePreprocessing(withoutOwnMaddr(last, source, wire), true, own, second);
        }
        boolean own = local(top.uri(), wire);
        return new RoutePreprocessing(
                withoutOwnMaddr(uri, source, wire), false, own ? top : null, own);
    }

    /** The token in the route that pointed to us; null without one. */
    public @Nullable String token() {
        return popped != null && popped.uri() instanceof SipUri own
                ? own.param(ShardToken.ROUTE_PARAM)
                : null;
    }

    /** Puts the outcome into a copy of the request. */
    public void applyTo(MessageDraft draft) {
        draft.setRequestUri(requestUri);
        if (dropFirst) {
            draft.removeFirst(HeaderName.ROUTE);
            // RFC 5658 6.2: "implementors can choose that a proxy MAY remove two Route headers
            // instead of one when using the double Record-Routing."
            if (popped != null && sameVisit(popped, draft)) {
                draft.removeFirst(HeaderName.ROUTE);
            }
        }
        if (strictlyRouted) {
            List<String> routes = draft.all(HeaderName.ROUTE);
            draft.remove(HeaderName.ROUTE);
            for (int i = 0; i < routes.size() - 1; i++) {
                draft.addLast(HeaderName.ROUTE, routes.get(i));
            }
        }
    }

    /**
     * RFC 5626 5.3: the Route value that was taken off and names the flow by which the request goes
     * on.
     *
     * @param source where the request came from
     * @return null as a rule: when there is none, or when it is the flow by which the request came
     */
    public @Nullable NameAddress flow(SipRequest request, Hop source, Shard shard) {
        NameAddress first = popped;
        if (first == null || !dropFirst) {
            return null;
        }
        List<NameAddress> routes = alone(request) ? List.of() : request.routes();
        if (routes.size() > 1 && sameVisit(first, routes.get(1))) {
            // Two values of one Record-Routing: each names the flow of its own side, and the second
            // is the one of the side to which the request goes.
            NameAddress second = routes.get(1);
            return FlowRoute.token(second, shard.wire()) == null ? null : second;
        }
        String token = FlowRoute.token(first, shard.wire());
        if (token == null) {
            return null;
        }
        // 5.3: "If the flow in the flow token identified by the topmost Route header field value
        // matches the source IP address and port of the request, the request is an "outgoing"
        // request; otherwise, it is an "incoming" request."
        Hop flow = shard.config().flowTokens().read(token, request.callId()).flow();
        return flow != null && FlowTokens.same(flow, source) ? null : first;
    }

    /** Is there one Route value only? Nearly always, and then nothing has to be parsed. */
    private static boolean alone(SipRequest request) {
        int line = request.find(HeaderName.ROUTE, 0);
        return request.find(HeaderName.ROUTE, line + 1) < 0
                && Ascii.indexOf(
                                request.bytes(),
                                request.valueStart(line),
                                request.valueEnd(line),
                                ',')
                        < 0;
    }

    /** Puts the route of a flow back on top, where the stack finds it when the request leaves. */
    public static void toFlow(MessageDraft draft, NameAddress flow) {
        Uri uri = flow.uri();
        if (uri instanceof SipUri own && own.hasParam("ob")) {
            // 5.3.1: "by copying the URI in the Route header minus the "ob" parameter".
            uri = own.withoutParam("ob");
        }
        draft.addFirst(HeaderName.ROUTE, "<" + uri + ">");
    }

    /** The two values of one Record-Routing carry one token. */
    private static boolean sameVisit(NameAddress popped, MessageDraft draft) {
        return draft.has(HeaderName.ROUTE) && sameVisit(popped, draft.routes().getFirst());
    }

    private static boolean sameVisit(NameAddress popped, NameAddress next) {
        String token =
                popped.uri() instanceof SipUri own ? own.param(ShardToken.ROUTE_PARAM) : null;
        return token != null
                && next.uri() instanceof SipUri other
                && token.equals(other.param(ShardToken.ROUTE_PARAM));
    }

    /** Values that we put into Record-Route are local and have the parameter lr. */
    private static boolean ownRecordRoute(Uri uri, Wire wire) {
        return uri instanceof SipUri sip
                && sip.isLooseRouter()
                && wire.isLocal(sip.host(), sip.port());
    }

    private static boolean local(Uri uri, Wire wire) {
        return uri instanceof SipUri sip && wire.isLocal(sip.host(), sip.port());
    }

    private static Uri withoutOwnMaddr(Uri uri, @Nullable Hop source, Wire wire) {
        if (!(uri instanceof SipUri sip) || source == null) {
            return uri;
        }
        String maddr = sip.param("maddr");
        if (maddr == null) {
            return uri;
        }
        String named = sip.param("transport");
        Transport transport =
                named == null
                        ? (sip.secure() ? Transport.TLS : Transport.UDP)
                        : Transport.of(named);
        // RFC 3261 16.4: "If the Request-URI has a maddr parameter with a value the proxy is
        // responsible for, and the request was received using the port and transport indicated
        // (explicitly or by default) in the Request-URI, the proxy MUST strip the maddr and any
        // non-default port or transport parameter".
        int port = sip.port() > 0 ? sip.port() : transport == null ? -1 : transport.defaultPort();
        if (transport != source.transport() || !wire.isLocal(maddr, port)) {
            return uri;
        }
        SipUri stripped = sip.withoutParam("maddr").withoutParam("transport");
        return stripped.withPort(-1);
    }
}
