package io.carillon.servlet.message;

import io.carillon.servlet.session.ServletSession;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
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
    static void settled(ServletSession session, ServletRequest request, SipResponse response) {
        session.follow();
        if (Usages.concern(request.method())) {
            Usages.answered(session, (SipRequest) request.freeze(), response, true);
        }
        if (ends(request, response.status())) {
            session.hungUp();
        }
        if (session.dialog() == null && session.linked() != null) {
            // A relayed request that created no dialog: nobody keeps its session for a next one.
            session.complete();
        }
    }

    /**
     * RFC 3261 15.1.1: the call is over whatever the answer to its BYE, unless it was a challenge.
     */
    private static boolean ends(ServletRequest request, int status) {
        return request.method().equals(Methods.BYE) && status != 401 && status != 407;
    }
}
