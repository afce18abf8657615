package io.carillon.examples.clicktocall;

import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipApplicationSessionListener;
import javax.servlet.sip.SipErrorEvent;
import javax.servlet.sip.SipErrorListener;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.UAMode;

/**
 * The SIP half: third party call control by RFC 3725, flow IV. Once the phones are connected, what
 * one of them asks for goes to the other.
 */
public class CallServlet extends SipServlet
        implements TimerListener, SipApplicationSessionListener, SipErrorListener {
    private static final long serialVersionUID = 1L;

    private transient Calls calls;

    @Override
    public void init() throws ServletException {
        calls = new Calls(getServletContext());
        getServletContext().setAttribute(Calls.ATTRIBUTE, calls);
    }

    // ---- what the phones answer ----

    @Override
    protected void doProvisionalResponse(SipServletResponse response) {
        Call call = calls.of(response.getSession());
        if (call == null || response.getStatus() == 100) {
            return;
        }
        SipApplicationSession visitor = response.getApplicationSession();
        if (leg(response) == Leg.A && call.state() == Call.State.CALLING_A) {
            calls.change(visitor, call, Call.State.A_RINGS, "");
        } else if (leg(response) == Leg.B && call.state() == Call.State.A_ANSWERED) {
            calls.change(visitor, call, Call.State.B_RINGS, "");
        }
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response)
            throws ServletException, IOException {
        SipServletRequest original = original(response);
        if (original != null) {
            passBack(response, original);
        } else if (response.getMethod().equals("INVITE")) {
            answered(response);
        }
    }

    private void answered(SipServletResponse response) throws IOException {
        SipSession session = response.getSession();
        Call call = calls.of(session);
        Leg leg = leg(response);
        session.removeAttribute(Calls.INVITE);
        String chosen = call == null || call.over() ? "none" : call.answered(leg);
        if (chosen == null) {
            call.answeredBy(leg, session.getId());
            if (leg == Leg.A) {
                answeredByA(response, call);
            } else {
                answeredByB(response, call);
            }
        } else if (chosen.equals(session.getId())) {
            describedByA(response, call);
        } else { // it crossed our CANCEL, or a second phone of a fork answered
            Calls.refuse(response);
            session.createRequest("BYE").send();
        }
    }

    private void answeredByA(SipServletResponse response, Call call) throws IOException {
        SipApplicationSession visitor = response.getApplicationSession();
        response.createAck().send();
        calls.change(visitor, call, Call.State.A_ANSWERED, "");
        calls.invite(visitor, call, Leg.B);
    }

    /** B's offer goes to A in a re-INVITE; B's ACK waits for A's answer. */
    private void answeredByB(SipServletResponse response, Call call) throws IOException {
        SipApplicationSession visitor = response.getApplicationSession();
        response.getSession().setAttribute(Calls.WAITING, response);
        if (!Sdp.in(response)) {
            calls.end(visitor, call, "failed: B sent no session description");
            return;
        }
        calls.stopTimer(visitor, call);
        calls.change(visitor, call, Call.State.B_ANSWERED, "");
        describeToA(visitor, call);
    }

    private void describeToA(SipApplicationSession visitor, Call call) throws IOException {
        SipSession a = visitor.getSipSession(call.answered(Leg.A));
        SipSession b = visitor.getSipSession(call.answered(Leg.B));
        if (a == null || b == null || a.getState() == SipSession.State.TERMINATED) {
            calls.end(visitor, call, "failed: A is gone");
            return;
        }
        SipServletResponse offer = (SipServletResponse) b.getAttribute(Calls.WAITING);
        SipServletRequest again = a.createRequest("INVITE");
        byte[] forA = calls.sdp(call).forA(offer.getRawContent(), call.nextVersionForA());
        again.setContent(forA, Sdp.TYPE);
        calls.keep(visitor, call);
        try {
            again.send();
        } catch (IllegalStateException glare) { // A's own re-INVITE is open: 491 in all but name
            tryAgainSoon(visitor, call);
        }
    }

    /**
     * RFC 3261 14.1: "The owner of the Call-ID of the dialog ID" (we are) waits 2.1 to 4 seconds
     * before it tries again.
     */
    private void tryAgainSoon(SipApplicationSession visitor, Call call) {
        calls.restart(visitor, call, 2100 + 10 * ThreadLocalRandom.current().nextInt(190));
    }

    private void describedByA(SipServletResponse response, Call call) throws IOException {
        SipApplicationSession visitor = response.getApplicationSession();
        if (call.state() != Call.State.B_ANSWERED) {
            return;
        }
        response.createAck().send();
        SipSession b = visitor.getSipSession(call.answered(Leg.B));
        if (b == null || !Sdp.in(response)) {
            calls.end(visitor, call, "failed: A sent no session description");
            return;
        }
        SipServletResponse waiting = (SipServletResponse) b.getAttribute(Calls.WAITING);
        b.removeAttribute(Calls.WAITING);
        SipServletRequest ack = waiting.createAck();
        ack.setContent(response.getRawContent(), Sdp.TYPE);
        ack.send();
        response.getRequest().getB2buaHelper().linkSipSessions(response.getSession(), b);
        calls.connected(visitor, call);
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) throws IOException {
        SipServletRequest original = original(response);
        SipSession session = response.getSession();
        Call call = calls.of(session);
        int status = response.getStatus();
        if (original != null) {
            passBack(response, original);
            if (call != null && (status == 408 || status == 481)) { // RFC 3261 12.2.1.2
                calls.end(
                        response.getApplicationSession(), call, leg(response) + " does not answer");
            }
        } else if (response.getMethod().equals("INVITE") && call != null) {
            session.removeAttribute(Calls.INVITE);
            if (status == 491 && call.state() == Call.State.B_ANSWERED) {
                tryAgainSoon(response.getApplicationSession(), call);
            } else if (refusesNoMedia(status, leg(response), call)) {
                call.offerSilence();
                calls.invite(response.getApplicationSession(), call, Leg.A);
            } else {
                calls.end(response.getApplicationSession(), call, reason(response));
            }
        }
    }

    /** RFC 3261 21.4.26: "Not Acceptable Here", which some phones say to an offer without media. */
    private static boolean refusesNoMedia(int status, Leg leg, Call call) {
        return (status == 488 || status == 606)
                && leg == Leg.A
                && call.answered(Leg.A) == null
                && !call.over()
                && !call.silence();
    }

    private static String reason(SipServletResponse response) {
        String leg = leg(response).toString();
        switch (response.getStatus()) {
            case 486:
            case 600:
                return leg + " is busy";
            case 408:
            case 480:
                return leg + " does not answer";
            case 603:
                return leg + " declined";
            default:
                return "failed: " + leg + " answered " + response.getStatus();
        }
    }

    // ---- what the phones ask for ----

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        if (request.isInitial()) {
            request.createResponse(404).send(); // calls begin at the page
        } else if (request.getMethod().equals("ACK")) {
            acknowledge(request);
        } else if (request.getMethod().equals("BYE")) {
            hungUp(request);
        } else if (request.getMethod().equals("CANCEL")) {
            SipSession other = linked(request);
            if (other != null) {
                request.getB2buaHelper().createCancel(other).send();
            }
        } else {
            passOn(request);
        }
    }

    private void hungUp(SipServletRequest bye) throws IOException {
        bye.createResponse(200).send();
        Call call = calls.of(bye.getSession());
        if (call != null) {
            calls.end(bye.getApplicationSession(), call, leg(bye) + " hung up");
        }
    }

    private void passOn(SipServletRequest request) throws IOException {
        SipSession other = linked(request);
        if (other == null) {
            // Nobody is there yet: while the call is set up, 491 asks to come again.
            Call call = calls.of(request.getSession());
            request.createResponse(call == null || call.over() ? 481 : 491).send();
            return;
        }
        try {
            SipServletRequest onward = request.getB2buaHelper().createRequest(other, request, null);
            describe(request, onward);
            onward.send();
        } catch (IllegalStateException glare) {
            // RFC 3261 14.2: the other phone's own change is on its way.
            request.createResponse(491).send();
        }
    }

    private void passBack(SipServletResponse response, SipServletRequest original)
            throws IOException {
        if (!original.isCommitted()) {
            SipServletResponse back =
                    original.createResponse(response.getStatus(), response.getReasonPhrase());
            describe(response, back);
            back.send();
        } else if (response.getMethod().equals("INVITE") && response.getStatus() < 300) {
            response.createAck().send(); // its sender has been answered meanwhile
        }
    }

    /** The ACK of a changed session may hold the answer, so each end gets the other's. */
    private void acknowledge(SipServletRequest ack) throws IOException {
        SipSession other = linked(ack);
        if (other == null) {
            return;
        }
        for (SipServletMessage open : ack.getB2buaHelper().getPendingMessages(other, UAMode.UAC)) {
            if (open instanceof SipServletResponse && open.getMethod().equals("INVITE")) {
                SipServletRequest onward = ((SipServletResponse) open).createAck();
                describe(ack, onward);
                onward.send();
            }
        }
    }

    /** Copies the content; a description that A gets stays one session. */
    private void describe(SipServletMessage from, SipServletMessage to) throws IOException {
        Call call = calls.of(to.getSession());
        if (Sdp.in(from) && call != null && leg(to) == Leg.A) {
            byte[] forA = calls.sdp(call).forA(from.getRawContent(), call.nextVersionForA());
            to.setContent(forA, from.getContentType());
            calls.keep(to.getApplicationSession(), call);
        } else if (from.getContentLength() > 0) {
            to.setContent(from.getRawContent(), from.getContentType());
        }
    }

    private static SipSession linked(SipServletRequest request) {
        B2buaHelper helper = request.getB2buaHelper();
        SipSession other = helper.getLinkedSession(request.getSession());
        boolean alive =
                other != null && other.isValid() && other.getState() != SipSession.State.TERMINATED;
        return alive ? other : null;
    }

    private static SipServletRequest original(SipServletResponse response) {
        SipServletRequest sent = response.getRequest();
        return sent == null ? null : sent.getB2buaHelper().getLinkedSipServletRequest(sent);
    }

    private static Leg leg(SipServletMessage message) {
        return (Leg) message.getSession().getAttribute(Calls.LEG);
    }

    // ---- time ----

    @Override
    public void timeout(ServletTimer timer) {
        SipApplicationSession visitor = timer.getApplicationSession();
        Call call = calls.find(visitor, (String) timer.getInfo());
        if (call == null || call.over()) {
            return;
        }
        switch (call.state()) {
            case CALLING_A:
            case A_RINGS:
                calls.end(visitor, call, "A does not answer");
                break;
            case B_ANSWERED:
                try {
                    describeToA(visitor, call);
                } catch (IOException e) {
                    calls.end(visitor, call, "failed: " + e.getMessage());
                }
                break;
            case CONNECTED:
                calls.end(visitor, call, "the longest time is over");
                break;
            default:
                calls.end(visitor, call, "B does not answer");
        }
    }

    /** A visitor with a call stays. */
    @Override
    public void sessionExpired(SipApplicationSessionEvent event) {
        SipApplicationSession visitor = event.getApplicationSession();
        if (calls.all(visitor).stream().anyMatch(call -> !call.over())) {
            visitor.setExpires(30);
        }
    }

    @Override
    public void sessionCreated(SipApplicationSessionEvent event) {}

    @Override
    public void sessionDestroyed(SipApplicationSessionEvent event) {}

    @Override
    public void sessionReadyToInvalidate(SipApplicationSessionEvent event) {}

    @Override
    public void noAckReceived(SipErrorEvent event) {
        SipSession session = event.getRequest().getSession();
        Call call = calls.of(session);
        if (call != null) {
            calls.end(session.getApplicationSession(), call, leg(event.getRequest()) + " is gone");
        }
    }

    @Override
    public void noPrackReceived(SipErrorEvent event) {}
}
