package io.carillon.examples.timers;

import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TimerService;

/**
 * Sets and cancels the timers of a call. What they need when they fire stands in the application
 * session, so that whoever holds that session can go on with the call; {@link CallTimers} is
 * called.
 */
final class CallClock {
    static final String RING = "ring";
    static final String CREDIT = "credit";
    static final String INVITE = "invite";
    static final String CALLER = "caller";
    static final String SECONDS_LEFT = "seconds-left";

    private final TimerService timers;
    private final int ringSeconds;
    private final int creditSeconds;
    private final int tickSeconds;

    CallClock(ServletContext context) throws ServletException {
        timers = (TimerService) context.getAttribute(SipServlet.TIMER_SERVICE);
        ringSeconds = seconds(context, "ring-seconds", 30);
        creditSeconds = seconds(context, "credit-seconds", 10);
        tickSeconds = seconds(context, "tick-seconds", 1);
    }

    static int seconds(ServletContext context, String name, int otherwise) throws ServletException {
        String text = context.getInitParameter(name);
        if (text == null) {
            return otherwise;
        }
        if (!text.trim().matches("[1-9]\\d{0,5}")) {
            throw new ServletException(name + " must be 1 to 999999, not '" + text + "'");
        }
        return Integer.parseInt(text.trim());
    }

    /**
     * One shot. A call that only rings need not outlive the server: the timer is not persistent.
     */
    void ringing(SipServletRequest invite) {
        SipApplicationSession call = invite.getApplicationSession();
        call.setAttribute(INVITE, invite);
        timers.createTimer(call, ringSeconds * 1000L, false, RING);
    }

    /**
     * At a fixed rate, so that a late tick does not lengthen the call; persistent, for a call that
     * is up costs something wherever its session lives. A re-INVITE's ACK comes here too.
     */
    void talking(SipSession caller) {
        SipApplicationSession call = caller.getApplicationSession();
        if (call.getAttribute(SECONDS_LEFT) == null) {
            call.removeAttribute(INVITE);
            call.setAttribute(CALLER, caller.getId());
            call.setAttribute(SECONDS_LEFT, creditSeconds);
            long tickMillis = tickSeconds * 1000L;
            timers.createTimer(call, tickMillis, tickMillis, false, true, CREDIT);
        }
    }

    /** The seconds that are left when a tick is paid. */
    int pay(SipApplicationSession call) {
        int left = Math.max(0, (Integer) call.getAttribute(SECONDS_LEFT) - tickSeconds);
        call.setAttribute(SECONDS_LEFT, left);
        return left;
    }

    /** It rings no more. What it costs goes on: only the end of the call ends that. */
    void answered(SipApplicationSession call) {
        for (ServletTimer timer : call.getTimers()) {
            if (timer.getInfo().equals(RING)) {
                timer.cancel();
            }
        }
    }

    /** The call is over. A timer that is not cancelled keeps the application session alive. */
    void stop(SipApplicationSession call) {
        for (ServletTimer timer : call.getTimers()) {
            timer.cancel();
        }
    }
}
