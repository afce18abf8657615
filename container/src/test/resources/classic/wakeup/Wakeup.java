package org.example.wakeup;

import java.io.IOException;
import java.io.Serializable;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Answers late and hangs up by itself; its timers carry the request and the session. */
public class Wakeup extends SipServlet implements TimerListener {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        request.createResponse(SipServletResponse.SC_RINGING).send();
        TimerService timers = (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
        timers.createTimer(request.getApplicationSession(), 3000, false, (Serializable) request);
    }

    @Override
    protected void doAck(SipServletRequest ack) throws ServletException, IOException {
        TimerService timers = (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
        timers.createTimer(ack.getApplicationSession(), 5000, false, (Serializable) ack.getSession());
    }

    public void timeout(ServletTimer timer) {
        try {
            if (timer.getInfo() instanceof SipServletRequest) {
                SipServletRequest request = (SipServletRequest) timer.getInfo();
                request.getSession().setAttribute("peer", (Serializable) request.getFrom());
                request.createResponse(SipServletResponse.SC_OK).send();
            } else {
                SipSession session = (SipSession) timer.getInfo();
                SipServletRequest bye = session.createRequest("BYE");
                bye.setHeader("X-Woken", ((Address) session.getAttribute("peer")).getURI().toString());
                bye.send();
            }
        } catch (IOException e) {
            log("timeout", e);
        }
    }
}
