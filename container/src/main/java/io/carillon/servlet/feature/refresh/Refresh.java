package io.carillon.servlet.feature.refresh;

import io.carillon.servlet.kernel.DialogLife;
import io.carillon.servlet.kernel.LegEnding;
import io.carillon.servlet.kernel.RequestExtras;
import io.carillon.servlet.kernel.ServletRequest;
import io.carillon.servlet.kernel.ServletResponse;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.sip.bytes.SipParseException;
import io.carillon.sip.dialog.Dialog;
import io.carillon.sip.dialog.Glare;
import io.carillon.sip.dialog.SessionInterval;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.Methods;
import java.io.IOException;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One refresh of a session by the container (RFC 4028 section 10): an UPDATE or re-INVITE in the
 * dialog, of which the application hears nothing. With the turn held.
 */
final class Refresh implements RequestExtras.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(Refresh.class);

    /** RFC 3326; the cause is that of a request that timed out. */
    private static final String REASON = "SIP;cause=408;text=\"Session Timer Expired\"";

    private static final long BUSY_MILLIS = 2_000;
    private static final long LEAST_PAUSE_MILLIS = 4_000;
    private static final int MOST_FAILURES = 4;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final ServletSession session;

    Refresh(ServletSession session) {
        this.session = session;
    }

    void begin(SessionTimer timer, Dialog dialog) {
        byte[] description = timer.updates() ? null : timer.description();
        String method = description == null ? Methods.UPDATE : Methods.INVITE;
        if (!dialog.maySend(method, description != null)) {
            // RFC 3261 14.1, RFC 3311 5.1: another one is under way, which may refresh as well.
            timer.actAt(session.host().millis() + BUSY_MILLIS);
            return;
        }
        // Without an answer the call is ended in time.
        timer.actAt(timer.giveUpAtMillis());
        try {
            ServletRequest request = (ServletRequest) session.createRequest(method);
            if (description != null) {
                MessageDraft draft = request.edit();
                draft.body(description, timer.descriptionType());
            }
            request.noted().owned(this);
            request.send();
        } catch (IOException | IllegalStateException e) {
            LOG.warn("a session could not be refreshed: {}", session, e);
        }
    }

    /**
     * RFC 4028 10: "If the session refresh request transaction times out or generates a 408 or 481
     * response, then the UAC sends a BYE request as per Section 12.2.1.2 of RFC 3261". It is sent
     * before the dialog ends by that answer.
     */
    @Override
    public void answering(int status) {
        if (status == 408 || status == 481) {
            expired(session);
        }
    }

    @Override
    public void answered(SipServletResponse answer) {
        int status = answer.getStatus();
        if (status < 200 || !session.isValid() || !(answer instanceof ServletResponse response)) {
            return;
        }
        if (status < 300) {
            if (response.awaitsAck()) {
                acknowledge(response);
            }
            return; // SessionTimers has seen it
        }
        SessionTimer timer = SessionTimers.timerOf(session);
        Dialog dialog = session.dialog().own();
        if (timer != null && dialog != null && dialog.state() == Dialog.State.CONFIRMED) {
            failed(response, timer, dialog);
        }
    }

    private void acknowledge(ServletResponse response) {
        try {
            SipServletRequest ack = response.createAck();
            ack.send();
        } catch (IOException | IllegalStateException e) {
            LOG.warn("the answer to a refresh could not be acknowledged: {}", session, e);
        }
    }

    /** RFC 4028 10: "the UAC SHOULD follow the rules specific to that response code". */
    private void failed(ServletResponse response, SessionTimer timer, Dialog dialog) {
        long now = session.host().millis();
        int failures = timer.failed();
        if (failures > MOST_FAILURES) {
            // "the UAC SHOULD NOT continuously retry": the call ends when its time is over.
            return;
        }
        switch (response.getStatus()) {
            case 491 -> {
                long wait = Glare.waitNanos(dialog.callIdOwner(), session.host().random());
                timer.actAt(now + wait / NANOS_PER_MILLI);
            }
            case 422 -> {
                timer.minSeconds(Math.max(timer.minSeconds(), told(response)));
                timer.actAt(now);
            }
            case 405, 501 -> {
                // It said nothing of UPDATE, or the wrong thing: INVITE, where there is one to
                // send.
                timer.updates(false);
                timer.actAt(timer.description() == null ? timer.giveUpAtMillis() : now);
            }
            default -> {
                long left = timer.giveUpAtMillis() - now;
                timer.actAt(now + Math.max(LEAST_PAUSE_MILLIS, left / 2));
            }
        }
    }

    private static int told(ServletResponse response) {
        try {
            return SessionInterval.of(response.received()).minSeconds();
        } catch (SipParseException e) {
            return 0; // as if it had not said how long
        }
    }

    /** Nobody refreshed: this leg and the other one of a B2BUA are ended with BYE. */
    static void expired(ServletSession session) {
        session.host().counters().sessionTimersExpired.increment();
        LOG.debug("session timer expired: {}", session);
        session.sessionTimer(null);
        ServletSession other = session.linked();
        LegEnding.bye(session, REASON);
        if (other != null
                && other.isValid()
                && other.dialog().state() == SipSession.State.CONFIRMED) {
            LegEnding.bye(other, REASON);
        }
    }

    /**
     * RFC 4028 8.3: "the proxy MAY remove associated call state ... Unlike the UA, it MUST NOT send
     * a BYE."
     */
    static void forget(ServletSession session) {
        session.host().counters().sessionTimersExpired.increment();
        LOG.debug("session timer of a proxied call expired: {}", session);
        session.sessionTimer(null);
        DialogLife.enter(session, SipSession.State.TERMINATED);
    }
}
