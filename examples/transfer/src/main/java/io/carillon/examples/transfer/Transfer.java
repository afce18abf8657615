package io.carillon.examples.transfer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TimerService;

/**
 * One transfer under way, an attribute of its call's application session. The target is called
 * without an offer; the offer in its 2xx goes to the transferee by a re-INVITE, and his answer to
 * the target with the ACK (as in RFC 3725 section 4.1). Until then transferee and transferor talk.
 */
final class Transfer {
    private static final String TRANSFER = "transfer";
    private static final String RELEASED = "released";
    private static final String RETRY = "retry";
    private static final String RINGS_TOO_LONG = "rings too long";
    private static final int MAX_RETRIES = 3;

    private final SipApplicationSession call;
    private final TimerService timers;
    private final SipSession transferor;
    private final SipSession transferee;
    private final String event;

    private SipServletRequest invite;
    private ServletTimer patience;

    /** The target's 2xx: its ACK waits for the transferee's answer. */
    private SipServletResponse answer;

    private SipServletRequest reinvite;
    private int retries;

    /**
     * @param event the Event of the implicit subscription (RFC 3515 2.4.6)
     */
    Transfer(SipSession transferor, SipSession transferee, TimerService timers, String event) {
        this.call = transferor.getApplicationSession();
        this.transferor = transferor;
        this.transferee = transferee;
        this.timers = timers;
        this.event = event;
    }

    /** The transfer of this call; null when none is under way. */
    static Transfer of(SipApplicationSession call) {
        return (Transfer) call.getAttribute(TRANSFER);
    }

    /**
     * The transfer in which that leg has a part; null where there is none. An application session
     * may hold other calls: an INVITE with Replaces comes to that of the call it names.
     */
    static Transfer of(SipSession leg) {
        Transfer transfer = of(leg.getApplicationSession());
        return transfer != null && transfer.has(leg) ? transfer : null;
    }

    private boolean has(SipSession leg) {
        return leg.equals(transferor)
                || leg.equals(transferee)
                || (answer != null && leg.equals(answer.getSession()));
    }

    static void bye(SipSession leg) throws IOException {
        if (Asker.onTheCall(leg)) {
            leg.createRequest("BYE").send();
        }
    }

    static void copyContent(SipServletMessage from, SipServletMessage to) throws IOException {
        if (from.getContentLength() > 0) {
            to.setContent(from.getRawContent(), from.getContentType());
        }
    }

    /**
     * Writes the INVITE to the target; nothing is sent yet.
     *
     * @throws IllegalArgumentException when what the REFER wants cannot be written
     */
    void prepare(SipFactory factory, SipURI target, String replaces, String by) {
        SipServletRequest made =
                factory.createRequest(
                        call, "INVITE", transferee.getRemoteParty(), factory.createAddress(target));
        try {
            if (replaces != null) {
                made.setHeader("Replaces", replaces); // RFC 5589 7.2: an attended transfer
            }
            if (by != null) {
                made.setHeader("Referred-By", by);
            }
        } catch (IllegalArgumentException e) {
            made.getSession().invalidate();
            throw e;
        }
        invite = made;
    }

    void begin(int seconds) throws IOException {
        Asker.tell(transferor, event, "SIP/2.0 100 Trying", false);
        try {
            invite.send();
        } catch (IOException | RuntimeException e) {
            Asker.tell(transferor, event, "SIP/2.0 503 Service Unavailable", true);
            throw e;
        }
        patience = timers.createTimer(call, seconds * 1000L, false, RINGS_TOO_LONG);
        // From here on what happens in the call is the transfer's.
        call.setAttribute(TRANSFER, this);
    }

    boolean connecting() {
        return answer != null;
    }

    // ---- what comes back ----

    /** Takes a response to a request of this transfer; false for any other. */
    boolean takes(SipServletResponse response) throws IOException {
        if (response.getRequest() == invite) {
            ofTarget(response);
        } else if (reinvite != null && response.getRequest() == reinvite) {
            ofTransferee(response);
        } else {
            return false;
        }
        return true;
    }

    private void ofTarget(SipServletResponse response) throws IOException {
        int status = response.getStatus();
        if (status < 200) {
            Asker.tell(transferor, event, Asker.statusLine(response), false);
        } else if (status >= 300) {
            end(Asker.statusLine(response), false);
        } else if (answer != null) {
            drop(response); // another branch of a fork; one is enough
        } else if (response.getContentLength() <= 0) {
            drop(response);
            end("SIP/2.0 488 Not Acceptable Here", false);
        } else {
            answer = response;
            patience.cancel();
            connect();
        }
    }

    private void connect() throws IOException {
        if (!Asker.onTheCall(transferee) || !Asker.onTheCall(answer.getSession())) {
            hangUpAll();
            return;
        }
        try {
            SipServletRequest again = transferee.createRequest("INVITE");
            copyContent(answer, again);
            reinvite = again;
            again.send();
        } catch (IllegalStateException glare) {
            // RFC 3261 14.1: he is in the middle of a re-INVITE, which may be his own.
            retryOr("SIP/2.0 491 Request Pending");
        }
    }

    private void ofTransferee(SipServletResponse response) throws IOException {
        int status = response.getStatus();
        if (status == 491) {
            retryOr(Asker.statusLine(response));
        } else if (status >= 300) {
            // RFC 3261 14.1: a re-INVITE that fails changes nothing.
            drop(answer);
            end(Asker.statusLine(response), false);
        } else if (status >= 200) {
            response.createAck().send();
            if (Asker.onTheCall(answer.getSession())) {
                SipServletRequest ack = answer.createAck();
                copyContent(response, ack);
                ack.send();
                relink();
                end("SIP/2.0 200 OK", true);
            } else {
                hangUpAll();
            }
        }
    }

    private void retryOr(String failure) throws IOException {
        if (retries++ < MAX_RETRIES) {
            timers.createTimer(call, 1000L * retries, false, RETRY);
        } else {
            drop(answer);
            end(failure, false);
        }
    }

    private void relink() {
        B2buaHelper helper = reinvite.getB2buaHelper();
        if (helper.getLinkedSession(transferee) != null) {
            helper.unlinkSipSessions(transferee);
        }
        helper.linkSipSessions(transferee, answer.getSession());
    }

    // ---- what happens meanwhile ----

    /**
     * Somebody hung up. A transferor who does not wait for the outcome leaves the transfer to us;
     * with anybody else the call is over.
     */
    void hungUp(SipServletRequest bye) throws IOException {
        Asker.hungUp(bye.getSession());
        bye.createResponse(200).send();
        if (!bye.getSession().equals(transferor)) {
            hangUpAll();
        }
    }

    void fired(ServletTimer timer) throws IOException {
        if (RETRY.equals(timer.getInfo())) {
            connect();
        } else if (answer == null) {
            invite.createCancel().send(); // the 487 to the INVITE ends the transfer
        }
    }

    void hangUpAll() throws IOException {
        if (answer != null) {
            drop(answer);
        } else {
            invite.createCancel().send();
        }
        end("SIP/2.0 487 Request Terminated", false);
        bye(transferee);
        bye(transferor);
    }

    /**
     * The target answered in vain: RFC 3261 13.2.2.4: its 2xx is acknowledged, then it gets a BYE.
     */
    private static void drop(SipServletResponse success) throws IOException {
        if (Asker.onTheCall(success.getSession())) {
            SipServletRequest ack = success.createAck();
            if (success.getContentLength() > 0) {
                // "MUST generate a valid answer in the ACK": every stream is refused (RFC 3264 6).
                String offer = new String(success.getRawContent(), StandardCharsets.UTF_8);
                ack.setContent(
                        offer.replaceAll("(?m)^(m=\\S+) \\S+", "$1 0"), success.getContentType());
            }
            ack.send();
            bye(success.getSession());
        }
    }

    // ---- what the transferor hears ----

    private void end(String statusLine, boolean connected) throws IOException {
        call.removeAttribute(TRANSFER);
        patience.cancel();
        if (connected && Asker.onTheCall(transferor)) {
            transferor.setAttribute(RELEASED, true);
        }
        Asker.tell(transferor, event, statusLine, true);
        if (!connected && !Asker.onTheCall(transferor)) {
            bye(transferee); // nobody is left to talk to
        } else if (!connected && !Asker.onTheCall(transferee)) {
            bye(transferor);
        }
    }

    /** The transferor heard the outcome: he is released, unless he hung up himself. */
    static void heard(SipServletResponse toNotify) throws IOException {
        if (Asker.heard(toNotify) && toNotify.getSession().getAttribute(RELEASED) != null) {
            bye(toNotify.getSession());
        }
    }
}
