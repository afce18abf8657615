package io.carillon.servlettest;

import java.io.IOException;
import javax.annotation.Resource;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;

/** Answers, and hangs up after a minute. */
public class AnsweringServlet extends SipServlet implements TimerListener {
    @Resource private TimerService timers;

    @Override
    protected void doInvite(SipServletRequest invite) throws IOException {
        if (invite.getFrom().getURI().toString().contains("nobody")) {
            throw new IllegalStateException("nobody calls");
        }
        SipApplicationSession call = invite.getApplicationSession();
        call.setAttribute("caller", invite.getFrom().getURI().toString());
        timers.createTimer(call, 60_000, false, invite.getSession().getId());
        invite.createResponse(200).send();
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(200).send();
        bye.getApplicationSession().getTimers().forEach(ServletTimer::cancel);
    }

    @Override
    public void timeout(ServletTimer timer) {
        SipSession session = timer.getApplicationSession().getSipSession((String) timer.getInfo());
        try {
            session.createRequest("BYE").send();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
