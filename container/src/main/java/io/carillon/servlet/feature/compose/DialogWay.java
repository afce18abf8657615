package io.carillon.servlet.feature.compose;

import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionDialog;
import io.carillon.servlet.kernel.SessionTables;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.flow.FlowRoute;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import org.jspecify.annotations.Nullable;

/**
 * The way of later requests between applications of ours that stayed on a dialog: each is visited
 * once and in order, whether the peers send Route or not, and never by the wire. With the sending
 * session's turn held.
 */
public final class DialogWay {
    private DialogWay() {}

    /** For a request that a user agent of ours sends in its dialog; null: by the wire. */
    public static @Nullable Hop fromEnd(ServletSession session, MessageDraft draft) {
        Dialog dialog = session.dialog().own();
        if (!session.path().composed() || dialog == null) {
            return null;
        }
        DialogKey own = dialog.key();
        DialogKey seen =
                new DialogKey(
                        own.callId(),
                        /* localTag= */ own.remoteTag(),
                        /* remoteTag= */ own.localTag());
        int place = session.dialog().role() == SessionDialog.Role.UAS ? Integer.MAX_VALUE : -1;
        ServletSession next = next(session, seen, place, draft);
        if (next == session) {
            return null;
        }
        if (next == null && !leadsToNobody(session, seen, draft)) {
            return null;
        }
        Hop like =
                session.host()
                        .outboundInterfaces()
                        .like(session.path().outbound(), session.path().outboundTransport(), null);
        return Hop.internal(like, next == null ? new Gone(session) : next);
    }

    /**
     * In place of the session of ours that was next and has ended.
     *
     * @param sender whose request it is
     */
    private record Gone(ServletSession sender) implements Origin.Known {
        @Override
        public Origin origin() {
            return sender.origin();
        }

        @Override
        public int countedAt() {
            return sender.countedAt();
        }
    }

    /**
     * Was the next one on the way an application of ours whose session has ended, as at the end of
     * all calls? Then the request is answered here, with 481 (RFC 3261 12.2.2): no connection is
     * opened to a listening point of our own.
     */
    private static boolean leadsToNobody(
            ServletSession session, DialogKey seen, MessageDraft draft) {
        Wire wire = session.parent().home().wire();
        NameAddress top = draft.has(HeaderName.ROUTE) ? draft.routes().getFirst() : null;
        if (top != null) {
            return local(top.uri(), wire) && FlowRoute.token(top, wire) == null;
        }
        return local(draft.requestUri(), wire) && session.host().tables().dialog(seen) == null;
    }

    /** For a request that goes on from a proxy of ours; null: by the wire. */
    public static @Nullable Hop onward(
            ServletSession session, SipRequest received, Hop source, MessageDraft draft) {
        if (!session.path().composed()) {
            return null;
        }
        ServletSession next =
                next(session, DialogKey.ofIncoming(received), session.path().depth(), draft);
        return next == null || next == session ? null : Hop.internal(source, next);
    }

    private static @Nullable ServletSession next(
            ServletSession session, DialogKey seen, int place, MessageDraft draft) {
        Wire wire = session.parent().home().wire();
        NameAddress top = draft.has(HeaderName.ROUTE) ? draft.routes().getFirst() : null;
        if (top != null && !local(top.uri(), wire)) {
            return null;
        }
        SessionTables tables = session.host().tables();
        ServletSession proxy = tables.next(seen, place);
        boolean notify = draft.method().equals(Methods.NOTIFY);
        if (proxy == null && notify) {
            proxy = tables.next(seen.half(), place); // the first of its notifier
        }
        if (proxy != null) {
            return proxy;
        }
        if (top != null || !local(draft.requestUri(), wire)) {
            return null;
        }
        ServletSession end = tables.dialog(seen);
        if (end == null && notify) {
            end = tables.dialog(seen.half());
        }
        return end != null && end.path().composed() ? end : null;
    }

    private static boolean local(Uri uri, Wire wire) {
        return uri instanceof SipUri sip && wire.isLocal(sip.host(), sip.port());
    }
}
