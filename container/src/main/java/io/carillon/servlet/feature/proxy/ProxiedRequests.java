package io.carillon.servlet.feature.proxy;

import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionHost;
import io.carillon.servlet.kernel.UasTransaction;
import io.carillon.servlet.port.OutboundInterfaces;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.proxy.InDialogForwarding;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests within a dialog that goes through a record-routing proxy of ours: shown to the
 * application, then sent on. With the turn held.
 */
public final class ProxiedRequests {
    private final SessionHost host;

    private final ProxyHost proxies;

    public ProxiedRequests(SessionHost host) {
        this.host = host;
        this.proxies = ProxyHost.of(host);
    }

    public void receive(ServletSession found, ServletRequest request) {
        ServletSession session = sessionOf(found, request.received());
        if (session == null) {
            host.counters().strays.increment();
            found.opened(request);
            UasTransaction stray = request.uas();
            if (stray != null) {
                stray.answer(481);
            }
            return;
        }
        if (session != found) {
            request.bind(session);
        }
        session.opened(request);
        ProxiedDialog dialog = ProxiedDialog.of(session);
        UasTransaction server = request.uas();
        if (dialog != null
                && server != null
                && (dialog.refused() || session.dialog().refuses(request.getMethod()))) {
            // RFC 3261 12.3: "If a request outside of a dialog generates a non-2xx final response,
            // any early dialogs created through provisional responses to that request are
            // terminated." An application may keep the session.
            host.counters().strays.increment();
            server.answer(481);
            return;
        }
        if (dialog != null && server != null && dialog.fromCaller(request.received())) {
            dialog.acknowledgedFrom(server.transaction().source());
        }
        if (proxies.open(session)) {
            serveAndForward(session, request);
        } else {
            pass(session, request);
        }
    }

    /**
     * The session of the dialog that it belongs to: another than the one it was found by, where
     * that waits for the answers of several callees. Null when there is none.
     */
    private @Nullable ServletSession sessionOf(ServletSession found, SipRequest received) {
        ProxiedDialog dialog = ProxiedDialog.of(found);
        if (dialog == null || dialog.knows(received)) {
            return found;
        }
        if (received.is(Methods.NOTIFY) && !dialog.isCall()) {
            return Notifiers.begin(found, received);
        }
        // It was found by a response that waited for the turn, and was of another fork, or began
        // nothing.
        ServletSession now = host.tables().proxied(DialogKey.ofIncoming(received));
        return now == found || (now != null && now.parent() != found.parent()) ? null : now;
    }

    private void pass(ServletSession session, ServletRequest request) {
        switch (proxies.pass(session, request, () -> pass(session, request))) {
            case IN -> serveAndForward(session, request);
            case NOT_NOW -> {}
            case FAILED -> {
                UasTransaction server = request.uas();
                if (server != null) {
                    server.answer(500);
                }
            }
        }
    }

    private void serveAndForward(ServletSession session, ServletRequest request) {
        boolean served = proxies.serve(session, request);
        UasTransaction server = request.uas();
        ProxiedDialog dialog = ProxiedDialog.of(session);
        if (server == null || dialog == null) {
            return;
        }
        if (!served) {
            server.answer(500);
            return;
        }
        ServletProxy begun = (ServletProxy) request.proxyOrNull();
        if (server.finalSent() || (begun != null && begun.started())) {
            return;
        }
        MessageDraft prepared = request.copyDraft();
        SipRequest received = server.received();
        Hop source = server.transaction().source();
        boolean fromCaller = dialog.fromCaller(received);
        boolean known =
                route(session, dialog, request, prepared)
                        || dialog.leadsTo(fromCaller, NextHop.of(prepared));
        Hop inside = proxies.next(session, received, source, prepared);
        Origin origin = origin(session, known, received, source);
        long repeatedAt = OutgoingRequest.ANYWHERE;
        if (inside == null
                && (known
                        ? !NextHop.trusted(server.transaction().shard(), source)
                        : NextHop.bySender(
                                server.transaction().shard(),
                                received,
                                server.routing(),
                                prepared,
                                source))) {
            // Who names a Contact need not be there: heard of it must we have.
            repeatedAt = known ? dialog.heard(fromCaller) : OutgoingRequest.NOWHERE;
        }
        if (begins(received.method())
                && leadsElsewhere(dialog, fromCaller, server, prepared, inside)) {
            server.answer(403);
            return;
        }
        ServletProxy proxy = begun != null ? begun : proxies.proxy(request, server);
        request.proxiedBy(proxy);
        proxy.forward(prepared, prepared.requestUri(), inside, origin, repeatedAt);
    }

    /**
     * Does its sender, whom the operator does not trust, name somebody else than the other end? RFC
     * 3261 12.2.1.1: a request in a dialog has the remote target for its Request-URI. At somebody
     * else it would begin what the application has let nobody begin.
     */
    private static boolean leadsElsewhere(
            ProxiedDialog dialog,
            boolean fromCaller,
            UasTransaction server,
            MessageDraft prepared,
            @Nullable Hop inside) {
        // Each application of ours asks, as the one next to an end knows best where that is.
        Hop source = OutboundInterfaces.cameIn(server.transaction().source());
        Shard shard = server.transaction().shard();
        Uri uri = prepared.requestUri();
        if (source == null // one of them has made it
                || NextHop.trusted(shard, source)
                || !uri.equals(server.routing().requestUri())) {
            return false;
        }
        return !dialog.isTarget(fromCaller, uri)
                || NextHop.strictBeside(prepared, dialog.routes(fromCaller))
                || (inside == null
                        && !dialog.leadsTo(fromCaller, NextHop.of(prepared))
                        && NextHop.bySender(
                                shard, server.received(), server.routing(), prepared, source));
    }

    /** Could a request of that method begin something at whoever gets it without a dialog? */
    private static boolean begins(String method) {
        return switch (method) {
            case Methods.INVITE,
                    Methods.SUBSCRIBE,
                    Methods.REFER,
                    Methods.MESSAGE,
                    Methods.REGISTER,
                    Methods.PUBLISH ->
                    true;
            default -> false;
        };
    }

    /**
     * What goes where the dialog was made to lead goes on behalf of whoever began it: the callee of
     * a call from loopback ends it too. Elsewhere it is the sender's own.
     */
    private static Origin origin(
            ServletSession session, boolean known, SipRequest received, Hop source) {
        Origin own = Origin.of(received, source, session.parent().home().wire());
        return known && own != Origin.OWN ? session.origin() : own;
    }

    /** RFC 3261 16.11 and 13.2.2.4: the ACK for a 2xx is forwarded without a transaction. */
    public void receiveAck(
            ServletSession session, ServletRequest request, SipRequest ack, Hop source) {
        ProxiedDialog dialog = ProxiedDialog.of(session);
        Shard shard = host.shards().of(session.parent().home());
        if (!InDialogForwarding.mayGoOn(shard, ack, source)) {
            return;
        }
        if (dialog != null && dialog.fromCaller(ack)) {
            dialog.acknowledgedFrom(source);
        }
        session.touch();
        request.forwardable();
        proxies.service(session, request);
        request.commit();
        MessageDraft draft = request.copyDraft();
        NameAddress flow = request.ownRoutes().flow(ack, source, shard);
        if (flow != null) {
            // RFC 5626 5.3: the route that led here named the flow of the other end.
            RoutePreprocessing.toFlow(draft, flow);
        }
        boolean routed = flow == null && dialog != null && route(session, dialog, request, draft);
        boolean known =
                routed
                        || (dialog != null
                                && dialog.leadsTo(dialog.fromCaller(ack), NextHop.of(draft)));
        if (!known
                && flow == null
                && !source.internal()
                && !byOwnRoute(shard, request, ack)
                && NextHop.bySender(shard, ack, request.ownRoutes(), draft, source)) {
            // The tags alone are no way through us: whoever has them could send to anybody.
            host.counters().strays.increment();
            return;
        }
        Origin origin = origin(session, known, ack, source);
        Hop inside = null;
        if (session.path().composed()) {
            inside = proxies.next(session, ack, source, draft);
            if (inside == null && foreign(session, draft)) {
                InDialogForwarding.forwardAck(
                        shard,
                        ack,
                        flow == null ? request.copyDraft() : draft,
                        origin,
                        session.countedAt());
                return;
            }
        } else if (!routed) {
            InDialogForwarding.forwardAck(shard, ack, draft, origin, session.countedAt());
            return;
        }
        if (inside == null && comesBack(session, ack, draft)) {
            shard.counted(Counter.ACKS_LOOPED, 1);
            return;
        }
        InDialogForwarding.forwardAck(shard, ack, draft, inside, origin, session.countedAt());
    }

    /** Did we send it to ourselves, as the dialog leads here, and would do so again? */
    private static boolean comesBack(ServletSession session, SipRequest ack, MessageDraft draft) {
        Via from = ack.topVia();
        return !draft.has(HeaderName.ROUTE)
                && isOurs(session, draft.requestUri())
                && session.parent().home().wire().isLocal(from.host(), from.port());
    }

    /** RFC 3261 16.11: did the ACK come by the route that we have recorded in this very call? */
    private static boolean byOwnRoute(Shard shard, ServletRequest request, SipRequest ack) {
        String token = request.ownRoutes().token();
        return token != null && shard.isRoute(token, ack.callId());
    }

    /** Does it go by its own Route or Request-URI, and not by what we know of the dialog? */
    private static boolean foreign(ServletSession session, MessageDraft draft) {
        return draft.has(HeaderName.ROUTE) || !isOurs(session, draft.requestUri());
    }

    /**
     * A sender that keeps no route set names ourselves in the Request-URI, or its peer and nothing
     * in between: then the request takes the way that the dialog has behind us.
     *
     * @return false when it goes by its own Route or Request-URI
     */
    private static boolean route(
            ServletSession session,
            ProxiedDialog dialog,
            ServletRequest request,
            MessageDraft draft) {
        if (foreign(session, draft)) {
            return false;
        }
        boolean fromCaller = dialog.fromCaller((SipRequest) request.freeze());
        Uri target = dialog.target(fromCaller);
        if (target == null) {
            return true;
        }
        draft.setRequestUri(target);
        List<NameAddress> routes = dialog.routes(fromCaller);
        for (int i = 0; i < routes.size(); i++) {
            draft.addLast(HeaderName.ROUTE, routes.get(i).toString());
        }
        return true;
    }

    private static boolean isOurs(ServletSession session, Uri uri) {
        return uri instanceof SipUri sip
                && session.parent().home().wire().isLocal(sip.host(), sip.port());
    }
}
