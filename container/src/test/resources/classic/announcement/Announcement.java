package org.example.announcement;

import java.io.IOException;
import java.util.Iterator;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/**
 * Answers with media of its own, speaks for twenty seconds and hangs up. A caller who is called
 * "patient" stays until the application session expires.
 */
public class Announcement extends SipServlet
        implements TimerListener, SipApplicationSessionListener {
    private static final String SDP =
            "v=0\r\no=- 1 1 IN IP4 10.0.0.1\r\ns=-\r\nc=IN IP4 10.0.0.1\r\nt=0 0\r\n"
                    + "m=audio 6000 RTP/AVP 0\r\na=sendonly\r\n";

    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipApplicationSession call = request.getApplicationSession();
        call.setExpires(1);
        SipServletResponse ok = request.createResponse(SipServletResponse.SC_OK, "Listen");
        ok.setContent(SDP.getBytes(), "application/sdp");
        ok.getAddressHeader("Contact").setParameter("automata", "");
        ok.send();
    }

    @Override
    protected void doAck(SipServletRequest ack) {
        if (!((SipURI) ack.getFrom().getURI()).getUser().equals("patient")) {
            TimerService timers = (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
            timers.createTimer(ack.getApplicationSession(), 20000, false, "end of announcement");
        }
    }

    public void timeout(ServletTimer timer) {
        hangUp(timer.getApplicationSession(), (String) timer.getInfo());
    }

    public void sessionExpired(SipApplicationSessionEvent event) {
        SipApplicationSession call = event.getApplicationSession();
        if (call.getAttribute("extended") == null) {
            call.setAttribute("extended", Boolean.TRUE);
            int minutes = call.setExpires(1);
            log("one more: " + minutes);
        } else {
            call.setExpires(1);
            hangUp(call, "expired");
        }
    }

    public void sessionCreated(SipApplicationSessionEvent event) {}

    public void sessionDestroyed(SipApplicationSessionEvent event) {}

    public void sessionReadyToInvalidate(SipApplicationSessionEvent event) {}

    private void hangUp(SipApplicationSession call, String reason) {
        Iterator<SipSession> sessions = (Iterator<SipSession>) call.getSessions("SIP");
        while (sessions.hasNext()) {
            SipSession session = sessions.next();
            if (session.getState() == SipSession.State.CONFIRMED) {
                try {
                    SipServletRequest bye = session.createRequest("BYE");
                    bye.setHeader("Reason", "SIP;cause=200;text=\"" + reason + "\"");
                    bye.send();
                } catch (IOException e) {
                    log("BYE", e);
                }
            }
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) {
        response.getApplicationSession().invalidate();
    }
}
