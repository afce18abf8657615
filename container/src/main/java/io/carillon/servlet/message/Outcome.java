package io.carillon.servlet.message;

import io.carillon.servlet.session.ServletSession;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.Methods;
import javax.servlet.sip.SipSession;

/** What the final response to a request of ours makes of its session. The turn is held. */
final class Outcome {
    private Outcome() {}

    /** An initial request was not accepted. */
    static void refused(ServletSession original, ServletRequest request) {
        if (UasTransaction.createsDialog(request.method())) {
            if (original.state() != SipSession.State.CONFIRMED) {
                original.fallBack();
            }
        } else if (original.linked() != null) {
            original.complete();
        }
    }

    /** An initial request was accepted, or one in the dialog was answered. */
    static void settled(ServletSession session, ServletRequest request, boolean success) {
        session.follow();
        if (success) {
            usage(session, request);
        }
        if (session.dialog() == null && session.linked() != null) {
            // A relayed request that created no dialog: nobody keeps its session for a next one.
            session.complete();
        }
    }

    /** RFC 6665 and 5057: which subscriptions use the dialog, and when the last has ended. */
    private static void usage(ServletSession session, ServletRequest request) {
        String method = request.method();
        if (method.equals(Methods.NOTIFY)) {
            String state = request.text(HeaderName.SUBSCRIPTION_STATE);
            boolean over = UasTransaction.terminated(state);
            session.used(Subscriber.usage(request.text(HeaderName.EVENT)), over);
        } else if (method.equals(Methods.SUBSCRIBE)) {
            session.used(Subscriber.usage(request.text(HeaderName.EVENT)), false);
        }
    }
}
