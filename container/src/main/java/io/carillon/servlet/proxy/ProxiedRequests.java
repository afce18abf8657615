package io.carillon.servlet.proxy;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.compose.DialogWay;
import io.carillon.servlet.message.ServletRequest;
import io.carillon.servlet.message.UasTransaction;
import io.carillon.servlet.session.ServletSession;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.proxy.InDialogForwarding;
import io.carillon.sip.proxy.RoutePreprocessing;
import io.carillon.sip.stack.Hop;
import io.carillon.sip.stack.Origin;
import io.carillon.sip.stack.Shard;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requests within a dialog that goes through a record-routing proxy of ours: shown to the
 * application, then sent on. With the turn held.
 */
public final class ProxiedRequests {
    private final SipContainer container;

    public ProxiedRequests(SipContainer container) {
        this.container = container;
    }

    public void receive(ServletSession session, ServletRequest request) {
        session.opened(request);
        if (session.application().gate() == null) {
            serveAndForward(session, request);
        } else {
            pass(session, request);
        }
    }

    private void pass(ServletSession session, ServletRequest request) {
        switch (container
                .calls()
                .pass(
                        session.application(),
                        session.handler(),
                        request,
                        () -> pass(session, request))) {
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
        boolean served = container.calls().serve(session.application(), session.handler(), request);
        UasTransaction server = request.uas();
        ProxiedDialog dialog = session.proxied();
        if (server == null || dialog == null) {
            return;
        }
        if (!served) {
            server.answer(500);
            return;
        }
        ServletProxy begun = request.proxyOrNull();
        if (server.finalSent() || (begun != null && begun.started())) {
            return;
        }
        ServletProxy proxy =
                begun != null ? begun : session.container().objects().proxy(request, server);
        request.proxiedBy(proxy);
        MessageDraft prepared = request.copyDraft();
        route(session, dialog, request, prepared);
        Hop inside =
                DialogWay.onward(
                        session, server.received(), server.transaction().source(), prepared);
        Origin origin =
                origin(session, dialog, server.received(), server.transaction().source(), prepared);
        proxy.forward(prepared, prepared.requestUri(), inside, origin);
    }

    /**
     * What goes where the dialog was made to lead goes on behalf of whoever began it: the callee of
     * a call from loopback ends it too. Elsewhere it is the sender's own.
     */
    private static Origin origin(
            ServletSession session,
            @Nullable ProxiedDialog dialog,
            SipRequest received,
            Hop source,
            MessageDraft leaving) {
        Origin own = Origin.of(received, source, session.parent().home().wire());
        if (own == Origin.OWN || dialog == null || session.origin() == own) {
            return own;
        }
        boolean fromCaller = dialog.fromCaller(received);
        Uri target = dialog.target(fromCaller);
        List<NameAddress> routes = dialog.routes(fromCaller);
        Uri wanted = routes.isEmpty() ? target : routes.getFirst().uri();
        Uri next =
                leaving.has(HeaderName.ROUTE)
                        ? leaving.routes().getFirst().uri()
                        : leaving.requestUri();
        return next.equals(wanted) ? session.origin() : own;
    }

    /** RFC 3261 16.11 and 13.2.2.4: the ACK for a 2xx is forwarded without a transaction. */
    public void receiveAck(
            ServletSession session, ServletRequest request, SipRequest ack, Hop source) {
        ProxiedDialog dialog = session.proxied();
        Shard shard = container.shards().of(session.parent());
        if (!InDialogForwarding.mayGoOn(shard, ack, source)) {
            return;
        }
        session.touch();
        request.forwardable();
        container.calls().service(session.application(), session.handler(), request);
        request.commit();
        MessageDraft draft = request.copyDraft();
        NameAddress flow = request.ownRoutes().flow(ack, source, shard);
        if (flow != null) {
            // RFC 5626 5.3: the route that led here named the flow of the other end.
            RoutePreprocessing.toFlow(draft, flow);
        }
        Origin origin = origin(session, dialog, ack, source, draft);
        boolean known = flow == null && dialog != null && route(session, dialog, request, draft);
        Hop inside = null;
        if (session.composed()) {
            inside = DialogWay.onward(session, ack, source, draft);
            if (inside == null && foreign(session, draft)) {
                InDialogForwarding.forwardAck(
                        shard, ack, flow == null ? request.copyDraft() : draft, origin);
                return;
            }
        } else if (!known) {
            InDialogForwarding.forwardAck(shard, ack, draft, origin);
            return;
        }
        InDialogForwarding.forwardAck(shard, ack, draft, inside, origin);
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
