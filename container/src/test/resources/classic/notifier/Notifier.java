package org.example.notifier;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** A presence server of a few lines. */
public class Notifier extends SipServlet implements TimerListener {
    @Override
    protected void doSubscribe(SipServletRequest subscribe) throws ServletException, IOException {
        if (!"presence".equals(subscribe.getHeader("Event"))) {
            SipServletResponse bad = subscribe.createResponse(SipServletResponse.SC_BAD_EVENT);
            bad.setHeader("Allow-Events", "presence");
            bad.send();
            return;
        }
        int expires = subscribe.getExpires();
        SipServletResponse ok = subscribe.createResponse(SipServletResponse.SC_OK);
        ok.setExpires(expires > 30 ? 30 : expires);
        ok.send();
        if (expires == 0) {
            tell(subscribe.getSession(), "closed", "terminated;reason=timeout");
            return;
        }
        tell(subscribe.getSession(), "open", "active;expires=30");
        TimerService timers = (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
        timers.createTimer(subscribe.getApplicationSession(), 10000L, 10000L, false, false,
                subscribe.getSession().getId());
    }

    public void timeout(ServletTimer timer) {
        SipSession session = timer.getApplicationSession().getSipSession((String) timer.getInfo());
        if (session == null || !session.isValid()) {
            timer.cancel();
            return;
        }
        try {
            tell(session, "busy", "active;expires=20");
        } catch (IOException e) {
            log("NOTIFY", e);
        }
    }

    private static void tell(SipSession session, String what, String state) throws IOException {
        SipServletRequest notify = session.createRequest("NOTIFY");
        notify.setHeader("Event", "presence");
        notify.setHeader("Subscription-State", state);
        notify.setContent("<presence>" + what + "</presence>", "application/pidf+xml");
        notify.send();
        if (state.startsWith("terminated")) {
            for (ServletTimer timer : session.getApplicationSession().getTimers()) {
                timer.cancel();
            }
        }
    }
}
