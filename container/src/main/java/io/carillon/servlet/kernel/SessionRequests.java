package io.carillon.servlet.kernel;

import io.carillon.servlet.app.NamedServlet;
import io.carillon.servlet.port.Contacts;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.Uri;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * Makes the requests that a session sends. The turn is held, or the session is nobody else's yet.
 */
public final class SessionRequests {
    private SessionRequests() {}

    /** {@code SipSession.createRequest}. */
    static ServletRequest create(ServletSession session, String method) {
        // SIP Servlet 1.1: ACK and CANCEL are made from the message they belong to.
        if (method.equals(Methods.ACK) || method.equals(Methods.CANCEL) || method.isEmpty()) {
            throw new IllegalArgumentException("'" + method + "' cannot be created in a session");
        }
        session.parent().enterNow(); // a CSeq is drawn
        try {
            return inTurn(session, method);
        } finally {
            session.parent().exit();
        }
    }

    private static ServletRequest inTurn(ServletSession session, String method) {
        if (!session.isValid()) {
            throw new IllegalStateException("the session is invalid");
        }
        if (session.dialog().role() == SessionDialog.Role.PROXY) {
            throw new IllegalStateException("the session is a proxy's");
        }
        if (session.dialog().state() == SipSession.State.TERMINATED) {
            throw new IllegalStateException("the session is terminated");
        }
        // A back-to-back user agent ends the other leg by its state, which is CONFIRMED still: its
        // BYE gets 481 from the peer, and harms nobody.
        if (session.dialog().refuses(method) && !method.equals(Methods.BYE)) {
            throw new IllegalStateException(
                    "RFC 5057: the call has ended, subscriptions alone use its dialog");
        }
        Dialog dialog = session.dialog().own();
        if (dialog != null) {
            MessageDraft draft = dialog.request(method);
            addContact(draft, method);
            return ServletRequest.outgoing(session, draft, false);
        }
        if (session.dialog().state() == SipSession.State.INITIAL
                && session.underWay().hasRequest()) {
            // SIP Servlet 1.1, SipSession.createRequest: there is no dialog yet for a second one.
            throw new IllegalStateException(
                    "the session is INITIAL and a request of it waits for its answer");
        }
        Uri target = session.dialog().target();
        if (target == null) {
            throw new IllegalStateException(
                    "the session is " + session.dialog().state() + " and has no dialog to send in");
        }
        return ServletRequest.outgoing(session, outside(session, method, target), true);
    }

    /**
     * RFC 3261 8.1.1: a request outside of a dialog, with the session's Call-ID, From tag and next
     * CSeq.
     */
    static MessageDraft outside(ServletSession session, String method, Uri target) {
        MessageDraft draft = MessageDraft.request(method, target);
        draft.set(HeaderName.MAX_FORWARDS, "70");
        draft.setFrom(session.local());
        draft.setTo(session.dialog().remote());
        draft.set(HeaderName.CALL_ID, session.getCallId());
        draft.setCSeq(session.dialog().nextCSeq(), method);
        addContact(draft, method);
        return draft;
    }

    /** A new session of a user agent and its first request. */
    public static ServletRequest begin(
            ApplicationSession parent,
            NamedServlet handler,
            String callId,
            String method,
            NameAddress from,
            NameAddress to,
            Uri target) {
        String tag = parent.home().newTag(parent.expiry.partition());
        ServletSession session =
                parent.host()
                        .objects()
                        .session(
                                parent,
                                callId,
                                from.withTag(tag),
                                SessionDialog.withoutTag(to),
                                handler);
        session.dialog().setLocalTag(tag);
        parent.host().events().created(session);
        return first(session, method, target);
    }

    /** A new UAC session and its first request. From carries our tag, To none. */
    public static ServletRequest first(ServletSession session, String method, Uri target) {
        session.dialog().become(SessionDialog.Role.UAC);
        session.dialog().setTarget(target);
        return ServletRequest.outgoing(session, outside(session, method, target), true);
    }

    /** RFC 3261 8.1.1.8 and the extensions' tables: which requests carry our Contact. */
    static void addContact(MessageDraft draft, String method) {
        switch (method) {
            case Methods.INVITE, Methods.UPDATE, Methods.SUBSCRIBE, Methods.NOTIFY, Methods.REFER ->
                    draft.set(HeaderName.CONTACT, Contacts.OPEN);
            default -> {
                // none: BYE, CANCEL, INFO, MESSAGE, PRACK, OPTIONS; REGISTER's is the application's
            }
        }
    }

    static SipServletRequest ack(ServletResponse success) {
        ServletSession session = success.session();
        session.parent().enterNow();
        try {
            Dialog dialog = session.dialog().own();
            UacTransaction invite = success.request().uac();
            if (dialog == null || invite == null || !session.isValid()) {
                throw new IllegalStateException("the session of this response is over");
            }
            MessageDraft draft = dialog.ack(success.received().cseq().number());
            // RFC 3261 13.2.2.4: "The ACK MUST contain the same credentials as the INVITE."
            copy(success.request(), draft, HeaderName.AUTHORIZATION);
            copy(success.request(), draft, HeaderName.PROXY_AUTHORIZATION);
            success.acknowledge();
            session.closed(success);
            ServletRequest ack = ServletRequest.outgoing(session, draft, false);
            invite.acknowledges(ack);
            return ack;
        } finally {
            session.parent().exit();
        }
    }

    /**
     * RFC 3261 9.1: the CANCEL looks like its request; Via and Route are the stack's, which prints
     * it.
     *
     * @param sent the INVITE as it left; null while no hop was found
     */
    static ServletRequest cancel(ServletRequest invite, @Nullable SipRequest sent) {
        if (!invite.method().equals(Methods.INVITE)) {
            throw new IllegalStateException("only an INVITE is cancelled");
        }
        MessageDraft draft;
        if (sent != null) {
            draft = MessageDraft.cancelOf(sent);
        } else {
            draft = MessageDraft.request(Methods.CANCEL, invite.requestUri());
            draft.setFrom(invite.fromValue());
            draft.setTo(invite.toValue());
            draft.set(HeaderName.CALL_ID, invite.getCallId());
            draft.setCSeq(1, Methods.CANCEL);
        }
        for (String reason : invite.known().cancelReasons()) {
            draft.addLast(HeaderName.REASON, reason);
        }
        return ServletRequest.outgoing(invite.ownSession(), draft, false);
    }

    private static void copy(ServletRequest from, MessageDraft to, HeaderName name) {
        if (from.has(name)) {
            for (String value : from.texts(name)) {
                to.addLast(name, value);
            }
        }
    }

    static SipServletRequest prack(ServletResponse provisional) {
        ServletSession session = provisional.session();
        session.parent().enterNow(); // a CSeq is drawn
        try {
            Dialog dialog = session.dialog().own();
            if (dialog == null || !session.isValid()) {
                throw new IllegalStateException("the session of this response is over");
            }
            return ServletRequest.outgoing(session, dialog.prack(provisional.received()), false);
        } finally {
            session.parent().exit();
        }
    }
}
