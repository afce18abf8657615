package org.example.overflow;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/**
 * A proxy that answers in the end itself: busy becomes a redirection, and a phone that rings too
 * long is cancelled by a timer.
 */
public class Overflow extends SipServlet implements TimerListener {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        Proxy proxy = request.getProxy();
        proxy.setRecordRoute(false);
        proxy.setSupervised(true);
        request.getApplicationSession().setAttribute("proxy", request.getSession().getId());
        request.getSession().setAttribute("request", request);
        TimerService timers = (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
        timers.createTimer(request.getApplicationSession(), 8000, false, request.getSession().getId());
        proxy.proxyTo(request.getRequestURI());
    }

    @Override
    protected void doErrorResponse(SipServletResponse response) throws ServletException, IOException {
        stop(response.getApplicationSession());
        if (response.getStatus() == SipServletResponse.SC_BUSY_HERE) {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            SipServletRequest original = response.getProxy().getOriginalRequest();
            SipServletResponse moved =
                    original.createResponse(SipServletResponse.SC_MOVED_TEMPORARILY, "Overflow");
            moved.addAddressHeader("Contact", factory.createAddress("sip:overflow@10.0.1.5"), false);
            moved.send();
        }
    }

    public void timeout(ServletTimer timer) {
        SipSession session = timer.getApplicationSession().getSipSession((String) timer.getInfo());
        try {
            ((SipServletRequest) session.getAttribute("request")).getProxy().cancel();
        } catch (TooManyHopsException e) {
            log("cancel", e);
        }
    }

    private static void stop(SipApplicationSession call) {
        for (ServletTimer timer : call.getTimers()) {
            timer.cancel();
        }
    }
}
