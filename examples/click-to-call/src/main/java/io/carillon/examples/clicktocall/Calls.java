package io.carillon.examples.clicktocall;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import javax.servlet.ServletContext;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TimerService;

/**
 * Begins, finds and ends calls. A visitor is an application session: it holds his HTTP session, his
 * calls as attributes, and both SIP sessions of each. Every method belongs into its turn.
 */
final class Calls {
    /** The attribute of the servlet context by which the page's servlet finds this. */
    static final String ATTRIBUTE = "io.carillon.examples.clicktocall";

    /** Attributes of a SIP session: its call's id, its leg, its INVITE while it is unanswered. */
    static final String CALL = "call";

    static final String LEG = "leg";
    static final String INVITE = "invite";

    /** Attribute of B's session: the 200 whose ACK has to wait for A's answer. */
    static final String WAITING = "waiting";

    private static final String PREFIX = "call.";
    private static final int KEPT = 20;

    private final ServletContext context;
    private final SipFactory factory;
    private final TimerService timers;
    private final String host;
    private final long noAnswerMillis;
    private final long longestMillis;
    private final int perVisitor;
    private final RunningCalls running;
    private final SecureRandom random = new SecureRandom();
    private volatile Consumer<Call> watcher = call -> {};

    Calls(ServletContext context) throws ServletException {
        this.context = context;
        factory = (SipFactory) context.getAttribute(SipServlet.SIP_FACTORY);
        timers = (TimerService) context.getAttribute(SipServlet.TIMER_SERVICE);
        List<?> own = (List<?>) context.getAttribute(SipServlet.OUTBOUND_INTERFACES);
        host = own.isEmpty() ? "127.0.0.1" : ((SipURI) own.get(0)).getHost();
        noAnswerMillis = number("no-answer-seconds") * 1000L;
        longestMillis = number("longest-call-seconds") * 1000L;
        perVisitor = number("calls-per-visitor");
        running = new RunningCalls(number("calls-in-all"), number("share-percent"));
    }

    private int number(String parameter) throws ServletException {
        String text = String.valueOf(context.getInitParameter(parameter)).trim();
        if (!text.matches("[1-9][0-9]{0,6}")) {
            throw new ServletException(parameter + " must be a number above 0, not '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    /** Whoever wants to see each change of a call, in its turn. */
    void watchedBy(Consumer<Call> newWatcher) {
        watcher = newWatcher;
    }

    /** There is no room for another call. */
    static final class Full extends Exception {
        private static final long serialVersionUID = 1L;
        final boolean visitor;

        Full(boolean visitor, String message) {
            super(message);
            this.visitor = visitor;
        }
    }

    // ---- finding ----

    /** The call of that id, or null. */
    Call find(SipApplicationSession visitor, String id) {
        return id == null ? null : (Call) visitor.getAttribute(PREFIX + id);
    }

    /** The call of a SIP session, or null. */
    Call of(SipSession session) {
        return find(session.getApplicationSession(), (String) session.getAttribute(CALL));
    }

    List<Call> all(SipApplicationSession visitor) {
        List<Call> found = new ArrayList<>();
        for (Iterator<String> names = visitor.getAttributeNames(); names.hasNext(); ) {
            String name = names.next();
            if (name.startsWith(PREFIX)) {
                found.add((Call) visitor.getAttribute(name));
            }
        }
        return found;
    }

    // ---- from here to there ----

    /**
     * RFC 3725 4.4, flow IV: A is called with an offer that has no media, so that its phone can be
     * answered and waits for as long as B's rings.
     *
     * @param source for whom it counts
     */
    Call begin(SipApplicationSession visitor, String source, SipURI a, SipURI b) throws Full {
        List<Call> all = all(visitor);
        if (all.stream().filter(call -> !call.over()).count() >= perVisitor) {
            throw new Full(true, "there are " + perVisitor + " calls of yours already");
        }
        if (!running.begin(source)) {
            throw new Full(false, "there are too many calls already");
        }
        all.stream()
                .filter(Call::over)
                .limit(Math.max(0, all.size() - KEPT + 1))
                .forEach(old -> visitor.removeAttribute(PREFIX + old.id()));
        String id = String.format("%016x", random.nextLong());
        Call call = new Call(id, source, a.toString(), b.toString());
        change(visitor, call, Call.State.CALLING_A, "");
        invite(visitor, call, Leg.A);
        return call;
    }

    /** Calls one of the phones; the other is the caller that it shows. */
    void invite(SipApplicationSession visitor, Call call, Leg leg) {
        try {
            SipServletRequest invite =
                    factory.createRequest(
                            visitor,
                            "INVITE",
                            factory.createURI(call.address(leg.other())),
                            factory.createURI(call.address(leg)));
            SipSession session = invite.getSession();
            session.setHandler("click-to-call");
            session.setAttribute(CALL, call.id());
            session.setAttribute(LEG, leg);
            session.setAttribute(INVITE, invite);
            if (leg == Leg.A) {
                Sdp sdp = sdp(call);
                invite.setContent(call.silence() ? sdp.silence() : sdp.withoutMedia(), Sdp.TYPE);
            }
            restart(visitor, call, noAnswerMillis);
            invite.send();
        } catch (ServletException | IOException | IllegalStateException e) {
            context.log("Call " + call.id() + ": no INVITE to " + call.address(leg), e);
            end(visitor, call, "failed " + e.getMessage());
        }
    }

    Sdp sdp(Call call) {
        return new Sdp(call.id(), host);
    }

    /** The next state; the visitor sees it. */
    void change(SipApplicationSession visitor, Call call, Call.State next, String why) {
        call.enter(next, why);
        keep(visitor, call);
        watcher.accept(call);
    }

    /** What changed in a call goes into its application session's state. */
    void keep(SipApplicationSession visitor, Call call) {
        visitor.setAttribute(PREFIX + call.id(), call);
    }

    void connected(SipApplicationSession visitor, Call call) {
        restart(visitor, call, longestMillis);
        change(visitor, call, Call.State.CONNECTED, "");
    }

    /** The call's one timer begins anew. */
    void restart(SipApplicationSession visitor, Call call, long millis) {
        stopTimer(visitor, call);
        call.timer(timers.createTimer(visitor, millis, false, call.id()).getId());
        keep(visitor, call);
    }

    void stopTimer(SipApplicationSession visitor, Call call) {
        ServletTimer timer = call.timer() == null ? null : visitor.getTimer(call.timer());
        if (timer != null) {
            timer.cancel();
        }
        call.timer(null);
    }

    // ---- the end ----

    /** Ends the call: each phone gets what its state wants, CANCEL or BYE. */
    void end(SipApplicationSession visitor, Call call, String why) {
        if (call.over()) {
            return;
        }
        running.end(call.source());
        stopTimer(visitor, call);
        change(visitor, call, Call.State.ENDED, why);
        List<SipSession> legs = new ArrayList<>();
        for (Iterator<?> all = visitor.getSessions("SIP"); all.hasNext(); ) {
            legs.add((SipSession) all.next());
        }
        for (SipSession session : legs) {
            if (call.id().equals(session.getAttribute(CALL))) {
                release(session);
            }
        }
    }

    /** Ends one phone's half. What crosses this is ended when it comes: a late 200 gets its BYE. */
    void release(SipSession session) {
        if (!session.isValid() || session.getState() == SipSession.State.TERMINATED) {
            return;
        }
        SipServletRequest invite = (SipServletRequest) session.getAttribute(INVITE);
        SipServletResponse waiting = (SipServletResponse) session.getAttribute(WAITING);
        try {
            if (waiting != null) {
                session.removeAttribute(WAITING);
                refuse(waiting);
            }
            if (invite == null && session.getState() == SipSession.State.CONFIRMED) {
                session.createRequest("BYE").send();
            } else if (invite != null && invite.getAttribute("cancelled") == null) {
                invite.setAttribute("cancelled", true); // forks share their INVITE
                invite.createCancel().send();
            }
        } catch (IOException | IllegalStateException e) {
            context.log("The end of " + session + " could not be sent", e);
        }
    }

    /** RFC 3725 6 with RFC 3261 13.2.2.4: an offer in a 2xx gets an answer, even if only a no. */
    static void refuse(SipServletResponse success) throws IOException {
        SipServletRequest ack = success.createAck();
        if (Sdp.in(success)) {
            ack.setContent(Sdp.refusal(success.getRawContent()), Sdp.TYPE);
        }
        ack.send();
    }
}
