package org.example.transfer;

import java.io.IOException;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/** Accepts a transfer; the last NOTIFY comes when the one who asked has hung up already. */
public class Transfer extends SipServlet implements TimerListener {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        request.getSession().setInvalidateWhenReady(false);
        request.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doRefer(SipServletRequest refer) throws ServletException, IOException {
        refer.createResponse(SipServletResponse.SC_ACCEPTED).send();
        notify(refer.getSession(), "active;expires=60", "SIP/2.0 100 Trying");
        TimerService timers = (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
        timers.createTimer(refer.getApplicationSession(), 4000, false, refer.getSession().getId());
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
    }

    public void timeout(ServletTimer timer) {
        SipApplicationSession call = timer.getApplicationSession();
        try {
            notify(call.getSipSession((String) timer.getInfo()),
                    "terminated;reason=noresource", "SIP/2.0 200 OK");
        } catch (IOException e) {
            log("last NOTIFY", e);
        }
    }

    private static void notify(SipSession session, String state, String fragment) throws IOException {
        SipServletRequest notify = session.createRequest("NOTIFY");
        notify.setHeader("Event", "refer");
        notify.setHeader("Subscription-State", state);
        notify.setContent(fragment, "message/sipfrag;version=2.0");
        notify.send();
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) {
        String state = response.getRequest().getHeader("Subscription-State");
        if (state != null && state.startsWith("terminated")) {
            response.getApplicationSession().invalidate();
        }
    }
}
