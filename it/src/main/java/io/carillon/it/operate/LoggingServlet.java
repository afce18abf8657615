package io.carillon.it.operate;

import java.io.IOException;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;

/**
 * An application that logs each step of its calls by each way: a word, the Call-ID as it knows it.
 * Calls of the user {@code waits} wait in their handler.
 */
public class LoggingServlet extends SipServlet implements TimerListener {
    private static final long serialVersionUID = 1L;
    private static final Logger JUL = Logger.getLogger("calls.jul");
    private static final org.slf4j.Logger SLF4J = org.slf4j.LoggerFactory.getLogger("calls.slf4j");

    @Override
    protected void doInvite(SipServletRequest invite) throws IOException {
        String callId = invite.getCallId();
        SipApplicationSession session = invite.getApplicationSession();
        SLF4J.info("slf4j {}", callId);
        if (invite.getRequestURI().toString().startsWith("sip:waits@")) {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        JUL.log(Level.INFO, "jul {0}", callId);
        ((TimerService) getServletContext().getAttribute(TIMER_SERVICE))
                .createTimer(session, 10, false, callId);
        invite.createResponse(200).send();
    }

    @Override
    protected void doAck(SipServletRequest ack) {
        getServletContext().log("context " + ack.getCallId());
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        SLF4J.info("bye {}", bye.getCallId());
        bye.createResponse(200).send();
    }

    @Override
    public void timeout(ServletTimer timer) {
        JUL.log(Level.INFO, "timer {0}", timer.getInfo());
    }
}
