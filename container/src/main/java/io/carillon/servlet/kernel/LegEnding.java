package io.carillon.servlet.kernel;

import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.message.Methods;
import java.io.IOException;
import java.util.List;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends one leg of a call in the application's place: it gets what ends it. With the turn held. */
public final class LegEnding {
    private static final Logger LOG = LoggerFactory.getLogger(LegEnding.class);

    /**
     * Of a BYE that no application sent: what is answered to it reaches none. JSR 289: an
     * application gets responses to its own requests.
     */
    private static final RequestExtras.Owner NOBODYS =
            new RequestExtras.Owner() {
                @Override
                public void answering(int status) {}

                @Override
                public void answered(SipServletResponse response) {
                    // RFC 3261 15.1.1: "The UAC MUST consider the session terminated" with its BYE.
                    // Nobody answers a challenge to it.
                    int status = response.getStatus();
                    if ((status == 401 || status == 407)
                            && response.getSession() instanceof ServletSession session) {
                        DialogLife.terminate(session);
                    }
                }
            };

    private LegEnding() {}

    /**
     * What waits for an answer of ours gets one; what waits for theirs is cancelled. With the turn
     * held.
     */
    public static void abandonOpen(ServletSession session, int status) {
        for (SipServletMessage open : List.copyOf(session.open())) {
            if (open instanceof ServletResponse unconfirmed) {
                // A reliable provisional response waits for a PRACK: the CANCEL of its INVITE does.
                if (unconfirmed.getStatus() < 200) {
                    continue;
                }
                session.host()
                        .hooks()
                        .endLateAnswer(null, unconfirmed.received(), unconfirmed.source());
            } else if (open instanceof ServletRequest request) {
                UasTransaction server = request.uas();
                UacTransaction client = request.uac();
                if (server != null) {
                    server.giveUp(status);
                }
                if (client != null) {
                    client.abandon();
                }
            }
        }
    }

    /**
     * The application threw instead of acknowledging: the one who answered is not left waiting. RFC
     * 3261 13.2.2.4: "The UAC core MUST generate an ACK request for each 2xx received from the
     * transaction layer." A call that only began so is ended, one that was up before goes on. With
     * the turn held.
     */
    public static void unhandled(ServletSession session, ServletResponse response) {
        if (!response.awaitsAck() || !session.isValid()) {
            return;
        }
        if (response.getRequest().isInitial()) {
            session.host().hooks().endLateAnswer(null, response.received(), response.source());
            session.closed(response);
            DialogLife.enter(session, SipSession.State.TERMINATED);
            return;
        }
        acknowledge(session, response);
    }

    /**
     * The call is over before its application has acknowledged a 2xx: whoever sent it repeats it
     * until the ACK comes. With the turn held.
     */
    static void confirm(ServletResponse left) {
        if (left.awaitsAck()) {
            acknowledge(left.session(), left);
        }
    }

    private static void acknowledge(ServletSession session, ServletResponse response) {
        try {
            response.createAck().send();
        } catch (IOException | IllegalStateException e) {
            LOG.warn("a 2xx could not be acknowledged: {}", session, e);
        }
    }

    /**
     * The caller's INVITE was cancelled, and its application was told. A 2xx that came to the
     * INVITE on the other side, between the 487 and that news, may have found nobody to acknowledge
     * it: no ACK of the caller will come any more. With the turn held.
     */
    public static void callerGone(ServletRequest onward) {
        for (ServletSession leg : List.copyOf(onward.getApplicationSession().sessions())) {
            for (SipServletMessage open : List.copyOf(leg.open())) {
                if (open instanceof ServletResponse answer && answer.request() == onward) {
                    unhandled(leg, answer);
                }
            }
        }
    }

    /** A BYE that no application sends. With the turn held. */
    public static void bye(ServletSession session) {
        bye(session, null);
    }

    /**
     * As {@link #bye(ServletSession)}.
     *
     * @param reason value of its Reason (RFC 3326); null without
     */
    public static void bye(ServletSession session, @Nullable String reason) {
        Dialog dialog = session.dialog().own();
        if (dialog == null || dialog.state() == Dialog.State.TERMINATED || byeUnderWay(session)) {
            return;
        }
        try {
            SipServletRequest bye = session.createRequest(Methods.BYE);
            if (bye instanceof ServletRequest own) {
                own.noted().owned(NOBODYS);
            }
            if (reason != null) {
                bye.setHeader("Reason", reason);
            }
            bye.send();
        } catch (IOException | IllegalStateException e) {
            LOG.warn("a call could not be ended with BYE: {}", session, e);
        }
    }

    /**
     * Has a BYE left that was not answered yet, and would nobody send it again at another node? A
     * B2BUA's peer repeats his own while it has no answer. With the turn held.
     */
    static boolean endsAlone(ServletSession session) {
        ServletSession other = session.linked();
        return session.dialog().own() != null
                && byeUnderWay(session)
                && (other == null || !hasBye(other, true));
    }

    private static boolean byeUnderWay(ServletSession session) {
        return hasBye(session, false);
    }

    private static boolean hasBye(ServletSession session, boolean incoming) {
        for (SipServletMessage open : session.open()) {
            if (open instanceof ServletRequest request
                    && request.incoming() == incoming
                    && request.getMethod().equals(Methods.BYE)) {
                return true;
            }
        }
        return false;
    }
}
