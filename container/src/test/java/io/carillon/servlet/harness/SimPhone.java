package io.carillon.servlet.harness;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;

/**
 * A phone that rings, answers, refuses, gives up, re-INVITEs and hangs up as its seed says, and
 * writes down how each call ended.
 */
public final class SimPhone extends SipServlet implements TimerListener {
    /** How far a call got and how it ended, as this end saw it. */
    public static final class Call {
        public boolean answered;
        public boolean confirmed;
        public boolean failed;
        public boolean cancelled;
        public boolean released;

        /** This end sent the BYE. */
        public boolean byeSent;

        /** When it sent it, in milliseconds of the container. */
        public long byeSentAt;

        /** This end got a BYE. */
        public boolean byeReceived;

        /** A later request was answered 481 or not at all: the other end has no such call. */
        public boolean foundGone;

        boolean inside;
        int lastStep;
    }

    private final SplittableRandom random;
    public final Map<String, Call> calls = new HashMap<>();

    public SimPhone(SplittableRandom random) {
        this.random = random;
    }

    private Call call(String number) {
        return calls.computeIfAbsent(number, n -> new Call());
    }

    private static Call of(SipSession session) {
        return (Call) session.getApplicationSession().getAttribute("call");
    }

    /** Events of one application session come one at a time. */
    private static void enter(Call call) {
        if (call.inside) {
            throw new IllegalStateException("two things at a time in one application session");
        }
        call.inside = true;
    }

    /** A step never comes before the one it needs: 1 INVITE, 2 answer, 3 ACK, 4 release. */
    private static void step(Call call, int step) {
        if (step < call.lastStep && call.lastStep == 4) {
            return; // what was on its way when the call was released
        }
        if (step > call.lastStep + 2) {
            throw new IllegalStateException("step " + step + " after " + call.lastStep);
        }
        call.lastStep = Math.max(call.lastStep, step);
    }

    public void dial(int number, String uri) {
        try {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            SipApplicationSession session = factory.createApplicationSession();
            SipServletRequest invite =
                    factory.createRequest(session, "INVITE", "sip:a@caller", uri);
            invite.setHeader("X-Call", Integer.toString(number));
            Call call = call(Integer.toString(number));
            session.setAttribute("call", call);
            session.setAttribute("invite", invite);
            if (random.nextInt(5) == 0) {
                timer(session, random.nextInt(4_000), "cancel");
            }
            invite.send();
        } catch (ServletException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void timer(SipApplicationSession session, long delayMillis, String what) {
        TimerService timers = (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
        timers.createTimer(session, delayMillis, false, what);
    }

    @Override
    public void timeout(ServletTimer timer) {
        SipApplicationSession session = timer.getApplicationSession();
        Call call = (Call) session.getAttribute("call");
        enter(call);
        try {
            act(session, call, (String) timer.getInfo());
            if (call.byeSent && call.byeSentAt == 0) {
                call.byeSentAt = timer.scheduledExecutionTime();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            call.inside = false;
        }
    }

    private void act(SipApplicationSession parent, Call call, String what) throws IOException {
        SipServletRequest invite = (SipServletRequest) parent.getAttribute("invite");
        SipSession session = invite.getSession();
        if (!session.isValid()) {
            return;
        }
        switch (what) {
            case "cancel" -> {
                if (session.getState() != SipSession.State.CONFIRMED
                        && !call.failed
                        && !call.answered) {
                    call.cancelled = true;
                    invite.createCancel().send();
                }
            }
            case "answer" -> {
                if (!call.cancelled) {
                    try {
                        SipServletResponse ok = invite.createResponse(200);
                        ok.send();
                        call.answered = true;
                        step(call, 2);
                    } catch (IllegalStateException cancelCameFirst) {
                        call.cancelled = true;
                    }
                }
            }
            case "reinvite" -> {
                if (session.getState() == SipSession.State.CONFIRMED && !call.released) {
                    try {
                        session.createRequest("INVITE").send();
                    } catch (IllegalStateException inProgress) {
                        timer(parent, 500 + random.nextInt(1_000), "bye");
                    }
                }
            }
            case "bye" -> {
                if (session.getState() == SipSession.State.CONFIRMED && !call.released) {
                    call.released = true;
                    call.byeSent = true;
                    step(call, 4);
                    session.createRequest("BYE").send();
                }
            }
            default -> throw new IllegalStateException(what);
        }
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        Call call =
                request.isInitial() && request.getHeader("X-Call") != null
                        ? call(request.getHeader("X-Call"))
                        : of(request.getSession());
        enter(call);
        try {
            request.getApplicationSession().setAttribute("call", call);
            super.doRequest(request);
        } finally {
            call.inside = false;
        }
    }

    @Override
    protected void doInvite(SipServletRequest invite) throws IOException {
        if (!invite.isInitial()) {
            invite.createResponse(200).send();
            return;
        }
        Call call = of(invite.getSession());
        step(call, 1);
        invite.getApplicationSession().setAttribute("invite", invite);
        if (random.nextInt(6) == 0) {
            call.failed = true;
            invite.createResponse(486).send();
            return;
        }
        invite.createResponse(180).send();
        timer(invite.getApplicationSession(), random.nextInt(4_000), "answer");
    }

    @Override
    protected void doAck(SipServletRequest ack) {
        Call call = of(ack.getSession());
        if (!call.confirmed) {
            step(call, 3);
            call.confirmed = true;
            later(ack.getApplicationSession());
        }
    }

    private void later(SipApplicationSession session) {
        if (random.nextInt(3) == 0) {
            timer(session, random.nextInt(3_000), "reinvite");
        }
        timer(session, 500 + random.nextInt(6_000), "bye");
    }

    @Override
    protected void doCancel(SipServletRequest cancel) {
        of(cancel.getSession()).cancelled = true;
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        Call call = of(bye.getSession());
        step(call, 4);
        call.released = true;
        call.byeReceived = true;
        bye.createResponse(200).send();
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException {
        Call call = of(response.getSession());
        enter(call);
        try {
            respond(response, call);
        } finally {
            call.inside = false;
        }
    }

    private void respond(SipServletResponse response, Call call) throws IOException {
        int status = response.getStatus();
        if (!response.getMethod().equals("INVITE") || status < 200) {
            return;
        }
        if (status < 300) {
            response.createAck().send();
            if (response.getRequest().isInitial()) {
                step(call, 2);
                call.answered = true;
                call.confirmed = true;
                later(response.getApplicationSession());
            }
        } else if (response.getRequest().isInitial()) {
            call.failed = true;
        } else if (status == 481 || status == 408) {
            call.foundGone = true;
            call.released = true; // RFC 3261 12.2.1.2: the other end has no such call any more
        }
    }
}
