package io.carillon.examples.uacregistercall;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.sip.Address;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TimerService;

/** A call that this application places, and ends after a while. It has no media. */
final class OutgoingCall {
    private static final String ROUTES = "routes";
    private static final String INVITE = "invite";
    private static final String ANSWERED = "answered";
    private static final String SDP =
            "v=0\r\no=uac 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\n"
                    + "t=0 0\r\nm=audio 9 RTP/AVP 0\r\na=inactive\r\n";

    private final SipApplicationSession state;
    private final TimerService timers;
    private final Credentials credentials;

    OutgoingCall(SipApplicationSession state, TimerService timers, Credentials credentials) {
        this.state = state;
        this.timers = timers;
        this.credentials = credentials;
    }

    /**
     * @param serviceRoute RFC 3608 6.2: the routes that the registrar named, the first one first
     */
    void begin(
            SipFactory factory,
            Address identity,
            SipURI callee,
            int ringMillis,
            List<Address> serviceRoute)
            throws IOException {
        SipServletRequest invite =
                factory.createRequest(state, "INVITE", identity, factory.createAddress(callee));
        state.setAttribute(ROUTES, new ArrayList<>(serviceRoute));
        timers.createTimer(state, ringMillis, false, "cancel");
        send(offering(invite));
    }

    private void send(SipServletRequest invite) throws IOException {
        state.setAttribute(INVITE, invite);
        invite.send();
    }

    private SipServletRequest offering(SipServletRequest invite) throws IOException {
        List<?> routes = (List<?>) state.getAttribute(ROUTES);
        for (int i = routes.size() - 1; i >= 0; i--) {
            invite.pushRoute((Address) routes.get(i));
        }
        invite.setContent(SDP.getBytes(StandardCharsets.US_ASCII), "application/sdp");
        return invite;
    }

    void answered(SipServletResponse response, int talkMillis) throws IOException {
        int status = response.getStatus();
        if (status == 401 || status == 407) {
            SipServletRequest again = response.getSession().createRequest("INVITE");
            if (credentials.answer(offering(again), response)) {
                send(again);
                return;
            }
        } else if (status >= 200 && status < 300) {
            response.createAck().send();
            if (state.getAttribute(ANSWERED) != null) {
                response.getSession().createRequest("BYE").send(); // a fork: one call is enough
                return;
            }
            state.setAttribute(ANSWERED, response.getSession());
            Credentials.accepted(response.getSession());
            stopTimers();
            timers.createTimer(state, talkMillis, false, "bye");
        }
        if (status >= 300) {
            stopTimers();
        }
        LineServlet.tell(response);
    }

    /** The BYE may be challenged too. */
    void byeAnswered(SipServletResponse response) throws IOException {
        SipSession session = response.getSession();
        if ((response.getStatus() == 401 || response.getStatus() == 407)
                && session.getState() == SipSession.State.CONFIRMED) {
            SipServletRequest again = session.createRequest("BYE");
            if (credentials.answer(again, response)) {
                again.send();
            }
        }
    }

    void fired(ServletTimer timer) throws IOException {
        SipSession up = (SipSession) state.getAttribute(ANSWERED);
        if (timer.getInfo().equals("bye")) {
            if (up != null && up.isValid() && up.getState() == SipSession.State.CONFIRMED) {
                up.createRequest("BYE").send();
            }
        } else if (up == null) {
            ((SipServletRequest) state.getAttribute(INVITE)).createCancel().send();
        }
    }

    void hungUp(SipServletRequest bye) throws IOException {
        stopTimers();
        bye.createResponse(200).send();
    }

    private void stopTimers() {
        state.getTimers().forEach(ServletTimer::cancel);
    }
}
