package io.carillon.examples.timers;

import java.io.IOException;
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
        CallClock.Due due = (CallClock.Due) timer.getInfo();
        SipSession caller = leg(call, due.caller);
        try {
            if (!due.rings) {
                tick(timer, caller, leg(call, due.callee));
            } else if (caller != null) {
                noAnswer(caller);
            }
        } catch (IOException e) {
            context.log("A timer of the call " + call.getId() + " could not do its work", e);
        }
    }

    private static SipSession leg(SipApplicationSession call, String id) {
        SipSession leg = call.getSipSession(id);
        return leg != null && leg.isValid() ? leg : null;
    }

    /** RFC 3261 21.4.18: nobody answers; the caller hears 480, the callee stops ringing. */
    private static void noAnswer(SipSession caller) throws IOException {
        SipServletRequest invite = (SipServletRequest) caller.getAttribute(CallClock.INVITE);
        if (invite == null || invite.isCommitted()) {
            return; // answered or cancelled at this very moment
        }
        B2buaHelper helper = invite.getB2buaHelper();
        SipSession callee = helper.getLinkedSession(caller);
        invite.createResponse(480).send();
        if (callee != null && callee.isValid()) {
            helper.createCancel(callee).send();
        }
    }

    /** Whoever is left alone pays no more, and talks no more. */
    private void tick(ServletTimer timer, SipSession caller, SipSession callee) throws IOException {
        int before = caller == null ? 0 : (Integer) caller.getAttribute(CallClock.SECONDS_LEFT);
        int left = caller == null ? 0 : clock.pay(caller);
        if (left == 0) {
            timer.cancel();
            hangUp(caller);
            hangUp(callee);
        } else if (left <= warningSeconds && before > warningSeconds) {
            warn(caller, left);
        }
    }

    private static boolean talks(SipSession leg) {
        return leg != null && leg.getState() == SipSession.State.CONFIRMED;
    }

    private static void hangUp(SipSession leg) throws IOException {
        if (talks(leg)) {
            SipServletRequest bye = leg.createRequest("BYE");
            bye.setHeader("Reason", "Q.850;cause=31;text=\"credit used up\""); // RFC 3326
            bye.send();
        }
    }

    /** RFC 3428: a phone shows it; one that cannot refuses it, and the call goes on. */
    private static void warn(SipSession caller, int left) throws IOException {
        if (talks(caller)) {
            SipServletRequest warning = caller.createRequest("MESSAGE");
            warning.setContent("This call ends in " + left + " seconds.", "text/plain");
            warning.send();
        }
    }
}
