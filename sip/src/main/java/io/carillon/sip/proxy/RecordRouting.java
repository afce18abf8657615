package io.carillon.sip.proxy;

import static io.carillon.sip.token.ShardToken.ROUTE_PARAM;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HopDecorator;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Sips;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.uri.SipUri;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Puts our Record-Route and Path values into a request when its way is known (RFC 3261 16.6 step 4,
 * RFC 3327, RFC 5658). Immutable; called on the shard's thread.
 */
final class RecordRouting implements HopDecorator {
    private final Shard shard;
    private final Hop source;
    private final int partition;
    private final FlowSides flows;

    /** Of the call that the Record-Route is for; null for none. */
    private final @Nullable String recordedCall;

    private final boolean path;
    private final @Nullable SipUri routeParams;
    private final @Nullable SipUri pathParams;

    RecordRouting(
            ServerTransaction server,
            FlowSides flows,
            @Nullable String recordedCall,
            boolean path,
            @Nullable SipUri routeParams,
            @Nullable SipUri pathParams) {
        this.shard = server.shard();
        this.source = server.source();
        this.partition = server.partition();
        this.flows = flows;
        this.recordedCall = recordedCall;
        this.path = path;
        this.routeParams = routeParams;
        this.pathParams = pathParams;
    }

    /** May a request of this method begin or refresh a dialog? Methods that we do not know may. */
    static boolean dialogForming(String method) {
        // RFC 3261 16.6 step 4: "it SHOULD add a Record-Route header field value to every request
        // with a method it does not understand since that method may have dialog semantics."
        return switch (method) {
            case Methods.REGISTER,
                    Methods.MESSAGE,
                    Methods.OPTIONS,
                    Methods.PUBLISH,
                    Methods.BYE,
                    Methods.PRACK,
                    Methods.INFO ->
                    false;
            default -> true;
        };
    }

    @Override
    public void decorate(MessageDraft draft, Hop hop, HostPort sentBy) {
        // RFC 3261 16.6 step 4: "If the Request-URI contains a SIPS URI, or the topmost Route
        // header field value (after the post processing of bullet 6) contains a SIPS URI, the URI
        // placed into the Record-Route header field MUST be a SIPS URI." It holds for both values
        // only where TLS is on both sides.
        boolean secure =
                source.transport().secure()
                        && (hop.internal() || hop.transport().secure())
                        && Sips.asksOfContact(draft);
        String callId = recordedCall;
        if (callId != null) {
            // RFC 3261 16.6 step 4: "it MUST insert a Record-Route header field value into the copy
            // before any existing Record-Route header field values". RFC 5658 6.2: a proxy between
            // two transports or addresses adds two, the one for the side towards the callee on top.
            // One token in both: by it RoutePreprocessing takes the two for one visit.
            // It is marked as ours and of this call: an ACK that comes by it goes on without a
            // session.
            String route = shard.newRoute(partition, callId);
            HostPort inner = ownAddress(source);
            // RFC 5626 5.3: the flow of a side stands in the value of that side. It is for this
            // call alone.
            String from = flows.client() ? flowToken(source, callId) : null;
            String to = flows.target() ? flowToken(hop, callId) : null;
            if (hop.transport() != source.transport()
                    || !sentBy.equals(inner)
                    || from != null
                    || to != null) {
                draft.addFirst(
                        HeaderName.RECORD_ROUTE,
                        value(
                                reachable(source),
                                from,
                                inner,
                                routeParams,
                                secure,
                                ROUTE_PARAM,
                                route));
            }
            draft.addFirst(
                    HeaderName.RECORD_ROUTE,
                    value(reachable(hop), to, sentBy, routeParams, secure, ROUTE_PARAM, route));
        }
        if (path) {
            draft.addFirst(HeaderName.PATH, path(secure));
        }
    }

    /**
     * RFC 5626 5.1: "the edge proxy either MUST store a "flow token" [...] in its Path URI or
     * reject the request." "the first node MUST include an "ob" URI parameter in its Path header
     * field value."
     */
    private String path(boolean secure) {
        String from = flows.firstHop() ? flowToken(source, null) : null;
        SipUri params = pathParams;
        if (from != null) {
            params = (params == null ? SipUri.of(null, "x", -1) : params).withParam("ob", null);
        }
        String parameter = shard.config().tokens().pathParameter();
        String token = shard.tokens().path();
        return value(reachable(source), from, ownAddress(source), params, secure, parameter, token);
    }

    private @Nullable String flowToken(Hop flow, @Nullable String callId) {
        return shard.config().flowTokens().encode(flow, callId);
    }

    @Override
    public int mostBytes() {
        return (recordedCall != null ? 2 * mostBytes(routeParams) : 0)
                + (path ? mostBytes(pathParams) : 0);
    }

    /**
     * Name, brackets, flow, host, port, transport, lr and token, beside what the application set.
     */
    private static int mostBytes(@Nullable SipUri params) {
        return 480 + (params == null ? 0 : 9 * params.toString().length());
    }

    /** Where we only send by a transport, its peer comes back by one that we listen on. */
    private Transport reachable(Hop hop) {
        return shard.wire().reachable(hop.transport(), hop.remote());
    }

    private HostPort ownAddress(Hop hop) {
        return shard.wire().sentBy(hop.transport(), hop.local(), hop.remote());
    }

    private String value(
            Transport transport,
            @Nullable String flow,
            HostPort own,
            @Nullable SipUri params,
            boolean secure,
            String parameter,
            String token) {
        if (params == null
                && flow == null
                && !secure
                && transport == Transport.UDP
                && own.port() > 0) {
            // Nearly always; in one piece, which needs no builder.
            return "<sip:" + own.host() + ':' + own.port() + ";lr;" + parameter + '=' + token + '>';
        }
        StringBuilder text = new StringBuilder(80);
        // "If the Request-URI contains a SIPS URI, ... the URI placed into the Record-Route header
        // field MUST be a SIPS URI."
        text.append(secure ? "<sips:" : "<sip:");
        if (flow != null) {
            text.append(flow).append('@');
        } else if (params != null && params.rawUser() != null) {
            text.append(params.rawUser()).append('@');
        }
        text.append(own.host());
        if (own.port() > 0) {
            text.append(':').append(own.port());
        }
        // The peer of that side has just used this transport, so it has it. UDP is what the absence
        // of the parameter means, and TLS with sips (RFC 5630 3.1.4).
        if (transport != Transport.UDP && !(secure && transport == Transport.TLS)) {
            text.append(";transport=").append(secure ? "ws" : transport.parameter());
        }
        text.append(";lr;").append(parameter).append('=').append(token);
        if (params != null) {
            for (String name : params.paramNames()) {
                append(text, params, name);
            }
        }
        return text.append('>').toString();
    }

    private static void append(StringBuilder text, SipUri params, String name) {
        switch (name.toLowerCase(Locale.ROOT)) {
            case "lr", "transport", "maddr", "ttl", "method", "user" -> {}
            default -> {
                text.append(';').append(name);
                String value = params.param(name);
                if (value != null && !value.isEmpty()) {
                    text.append('=')
                            .append(
                                    SipUri.of(null, "x", -1)
                                            .withParam(name, value)
                                            .toString()
                                            .substring("sip:x;".length() + name.length() + 1));
                }
            }
        }
    }
}
