package org.example.queue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.*;

/**
 * Callers wait with reliable early media until an agent says she is free; her MESSAGE finds the
 * waiting call by its application session's id and key.
 */
public class Queue extends SipServlet implements TimerListener {
    @Override
    protected void doInvite(SipServletRequest request) throws ServletException, IOException {
        SipServletResponse progress = request.createResponse(183, "You are next");
        progress.setContent("v=0 music", "application/sdp");
        request.getApplicationSession().setAttribute("waiting", request);
        try {
            progress.sendReliably();
        } catch (Rel100Exception e) {
            request.createResponse(SipServletResponse.SC_EXTENSION_REQUIRED).send();
        }
    }

    @Override
    protected void doPrack(SipServletRequest prack) throws ServletException, IOException {
        SipServletResponse ok = prack.createResponse(SipServletResponse.SC_OK);
        ok.setHeader("X-Ticket", prack.getApplicationSession().getId());
        ok.send();
    }

    @Override
    protected void doMessage(SipServletRequest message) throws ServletException, IOException {
        SipSessionsUtil util = (SipSessionsUtil)
                getServletContext().getAttribute("javax.servlet.sip.SipSessionsUtil");
        String ticket = ((String) message.getContent()).trim();
        SipApplicationSession call = util.getApplicationSessionById(ticket);
        message.createResponse(call == null ? 404 : 200).send();
        if (call != null) {
            TimerService timers = (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
            timers.createTimer(call, 1, false, "free");
        }
    }

    public void timeout(ServletTimer timer) {
        SipServletRequest waiting =
                (SipServletRequest) timer.getApplicationSession().getAttribute("waiting");
        try {
            SipServletResponse ok = waiting.createResponse(SipServletResponse.SC_OK);
            ok.setContent("v=0 agent", "application/sdp");
            ok.send();
        } catch (IOException e) {
            log("answer", e);
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
    }
}
