package io.carillon.servlet.kernel;

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
        } else if (!keepsSession(original, request)) {
            original.complete();
        }
    }

    /**
     * RFC 3261 10.2: "All registrations from a UAC SHOULD use the same Call-ID header field value
     * for registrations sent to a particular registrar": who registers sends the next one in the
     * same session, and so does who publishes. A relayed request, or another that begins no dialog,
     * has done its work; JSR 289 6.2.4: such a session is ready to be invalidated, unless its
     * application began another request of it or takes the flag back.
     */
    private static boolean keepsSession(ServletSession session, ServletRequest request) {
        return session.linked() == null
                && (request.method().equals(Methods.REGISTER)
                        || request.method().equals(Methods.PUBLISH));
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
        if (session.dialog() == null && !keepsSession(session, request)) {
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
