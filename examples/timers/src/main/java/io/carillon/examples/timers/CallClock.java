package io.carillon.examples.timers;

import java.io.Serializable;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TimerService;

/**
 * Sets and cancels the timers of a call; {@link CallTimers} is called. What they need when they
 * fire stands in the caller's leg: an application session may hold more calls than one, since an
 * INVITE with Replaces or Join comes to that of the call it names (SIP Servlet 1.1, 15.11), and
 * each call has its own credit.
 */
final class CallClock {
    static final String INVITE = "invite";
    static final String SECONDS_LEFT = "seconds-left";

    /** Whom a timer is for, and what it does: the caller rings, or pays. */
    static final class Due implements Serializable {
        private static final long serialVersionUID = 1L;

        final boolean rings;
        final String caller;
        final String callee;

        Due(boolean rings, String caller, String callee) {
            this.rings = rings;
            this.caller = caller;
            this.callee = callee;
        }
    }

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
    void ringing(SipServletRequest invite, SipSession callee) {
        SipSession caller = invite.getSession();
        caller.setAttribute(INVITE, invite);
        Due due = new Due(true, caller.getId(), callee.getId());
        timers.createTimer(caller.getApplicationSession(), ringSeconds * 1000L, false, due);
    }

    /**
     * At a fixed rate, so that a late tick does not lengthen the call; persistent, for a call that
     * is up costs something wherever its session lives. A re-INVITE's ACK comes here too, of either
     * leg.
     */
    void talking(SipSession caller, SipSession callee) {
        if (caller.getAttribute(INVITE) != null) {
            caller.removeAttribute(INVITE);
            caller.setAttribute(SECONDS_LEFT, creditSeconds);
            long tickMillis = tickSeconds * 1000L;
            Due due = new Due(false, caller.getId(), callee.getId());
            timers.createTimer(
                    caller.getApplicationSession(), tickMillis, tickMillis, false, true, due);
        }
    }

    /** The seconds that are left when a tick is paid. */
    int pay(SipSession caller) {
        int left = Math.max(0, (Integer) caller.getAttribute(SECONDS_LEFT) - tickSeconds);
        caller.setAttribute(SECONDS_LEFT, left);
        return left;
    }

    /** It rings no more. What it costs goes on: only the end of the call ends that. */
    void answered(SipSession caller) {
        for (ServletTimer timer : caller.getApplicationSession().getTimers()) {
            Due due = (Due) timer.getInfo();
            if (due.rings && due.caller.equals(caller.getId())) {
                timer.cancel();
            }
        }
    }

    /**
     * The call of that leg is over. A timer that is not cancelled keeps the application session
     * alive.
     */
    void stop(SipSession leg) {
        for (ServletTimer timer : leg.getApplicationSession().getTimers()) {
            Due due = (Due) timer.getInfo();
            if (due.caller.equals(leg.getId()) || due.callee.equals(leg.getId())) {
                timer.cancel();
            }
        }
    }
}
