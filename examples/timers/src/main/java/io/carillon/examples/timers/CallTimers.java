package io.carillon.examples.timers;

import java.io.IOException;
import java.util.Iterator;
import javax.servlet.ServletContext;
import javax.servlet.ServletContextEvent;
import javax.servlet.ServletContextListener;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TimerListener;

/**
 * What happens when time is over. A timer runs in the turn of its call: no message of the call is
 * handled meanwhile, and none that came before is left unseen.
 */
public class CallTimers implements TimerListener, ServletContextListener {
    private ServletContext context;
    private CallClock clock;
    private int warningSeconds;

    @Override
    public void contextInitialized(ServletContextEvent event) {
        context = event.getServletContext();
        try {
            clock = new CallClock(context);
            warningSeconds = CallClock.seconds(context, "warning-seconds", 5);
        } catch (ServletException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    public void contextDestroyed(ServletContextEvent event) {
        // Nothing is held: calls and their timers end with their sessions.
    }

    @Override
    public void timeout(ServletTimer timer) {
        SipApplicationSession call = timer.getApplicationSession();
        try {
            if (timer.getInfo().equals(CallClock.RING)) {
                noAnswer(call);
            } else {
                tick(call);
            }
        } catch (IOException e) {
            context.log("A timer of the call " + call.getId() + " could not do its work", e);
        }
    }

    /** RFC 3261 21.4.18: nobody answers; the caller hears 480, the callee stops ringing. */
    private static void noAnswer(SipApplicationSession call) throws IOException {
        SipServletRequest invite = (SipServletRequest) call.getAttribute(CallClock.INVITE);
        if (invite == null || invite.isCommitted()) {
            return; // answered or cancelled at this very moment
        }
        B2buaHelper helper = invite.getB2buaHelper();
        SipSession callee = helper.getLinkedSession(invite.getSession());
        invite.createResponse(480).send();
        if (callee != null && callee.isValid()) {
            helper.createCancel(callee).send();
        }
    }

    private void tick(SipApplicationSession call) throws IOException {
        int before = (Integer) call.getAttribute(CallClock.SECONDS_LEFT);
        int left = clock.pay(call);
        if (left == 0) {
            clock.stop(call);
            hangUp(call);
        } else if (left <= warningSeconds && before > warningSeconds) {
            warn(call, left);
        }
    }

    private static void hangUp(SipApplicationSession call) throws IOException {
        for (Iterator<?> sessions = call.getSessions("SIP"); sessions.hasNext(); ) {
            SipSession leg = (SipSession) sessions.next();
            if (leg.isValid() && leg.getState() == SipSession.State.CONFIRMED) {
                SipServletRequest bye = leg.createRequest("BYE");
                bye.setHeader("Reason", "Q.850;cause=31;text=\"credit used up\""); // RFC 3326
                bye.send();
            }
        }
    }

    /** RFC 3428: a phone shows it; one that cannot refuses it, and the call goes on. */
    private static void warn(SipApplicationSession call, int left) throws IOException {
        SipSession caller = call.getSipSession((String) call.getAttribute(CallClock.CALLER));
        if (caller != null && caller.isValid() && caller.getState() == SipSession.State.CONFIRMED) {
            SipServletRequest warning = caller.createRequest("MESSAGE");
            warning.setContent("This call ends in " + left + " seconds.", "text/plain");
            warning.send();
        }
    }
}
