package io.carillon.server.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import javax.servlet.ServletException;
import javax.servlet.sip.B2buaHelper;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import javax.servlet.sip.UAMode;
import org.jspecify.annotations.Nullable;

/** Serves calls of all kinds, by the user called. Public, as a container asks for its key. */
public final class KindsServlet extends SipServlet implements TimerListener {
    private static final long serialVersionUID = 1L;
    private static final String BOB = "sip:bob@10.0.1.2:5060";
    private static final String KIND = "kind";

    private final transient SimulatedCluster cluster;
    private final int node;

    KindsServlet(SimulatedCluster cluster, int node) {
        this.cluster = cluster;
        this.node = node;
    }

    /** Calls to a room are in one application session. */
    public static @Nullable String key(SipServletRequest request) {
        String user = user(request);
        return user.startsWith("room") ? user : null;
    }

    private static String user(SipServletRequest request) {
        return String.valueOf(((SipURI) request.getRequestURI()).getUser());
    }

    private static String kind(SipServletMessage message) {
        return String.valueOf(message.getApplicationSession().getAttribute(KIND));
    }

    private TimerService timers() {
        return (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
    }

    private SipFactory factory() {
        return (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        if (request.getMethod().equals("INVITE") && request.isInitial()) {
            begins(request);
            return;
        }
        switch (kind(request)) {
            case "proxy" -> {} // the container sends it on
            case "b2bua" -> between(request);
            default -> {
                if (request.getMethod().equals("ACK")) {
                    confirmed(request);
                } else if (!request.getMethod().equals("CANCEL")) {
                    request.createResponse(200).send();
                }
            }
        }
    }

    private void begins(SipServletRequest invite) throws ServletException, IOException {
        SipApplicationSession call = invite.getApplicationSession();
        String user = user(invite);
        call.setAttribute(KIND, user.startsWith("room") ? "room" : user);
        switch (user) {
            case "proxy" -> {
                invite.getProxy().setRecordRoute(true);
                invite.getProxy().proxyTo(factory().createURI(BOB));
            }
            case "b2bua" -> {
                SipServletRequest leg =
                        invite.getB2buaHelper().createRequest(invite, true, Map.of());
                leg.setRequestURI(factory().createURI(BOB));
                leg.send();
            }
            case "rings" -> {
                invite.createResponse(180).send();
                invite.getSession().setAttribute("invite", invite);
                timers().createTimer(call, 1_500, false, invite.getSession().getId());
            }
            default -> invite.createResponse(200).send();
        }
    }

    private void confirmed(SipServletRequest ack) {
        SipApplicationSession call = ack.getApplicationSession();
        if (kind(ack).equals("timers") && call.getAttribute("set") == null) {
            call.setAttribute("set", true);
            for (int seconds : List.of(1, 4, 9)) {
                String name = call.getId() + "/" + seconds;
                cluster.fired.set(name);
                timers().createTimer(call, seconds * 1_000L, false, name);
            }
        }
    }

    @Override
    public void timeout(ServletTimer timer) {
        SipApplicationSession call = timer.getApplicationSession();
        if (!"rings".equals(call.getAttribute(KIND))) {
            cluster.fired.fired((String) timer.getInfo(), node, cluster.time.nanoTime());
            return;
        }
        SipSession session = call.getSipSession((String) timer.getInfo());
        Object invite = session == null ? null : session.getAttribute("invite");
        if (invite instanceof SipServletRequest rings && !rings.isCommitted()) {
            try {
                rings.createResponse(200).send();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    // ---- a plain B2BUA ----

    private void between(SipServletRequest request) throws IOException {
        B2buaHelper helper = request.getB2buaHelper();
        SipSession other = helper.getLinkedSession(request.getSession());
        switch (request.getMethod()) {
            case "ACK" -> acknowledge(other, helper);
            case "CANCEL" -> {
                if (other != null && other.getState() != SipSession.State.CONFIRMED) {
                    helper.createCancel(other).send();
                }
            }
            case "BYE" -> {
                if (other == null || other.getState() == SipSession.State.TERMINATED) {
                    request.createResponse(200).send();
                } else {
                    acknowledge(other, helper);
                    onward(request, other, helper);
                }
            }
            default -> {
                if (other == null || other.getState() == SipSession.State.TERMINATED) {
                    request.createResponse(481).send();
                } else {
                    onward(request, other, helper);
                }
            }
        }
    }

    private static void onward(SipServletRequest request, SipSession other, B2buaHelper helper)
            throws IOException {
        try {
            helper.createRequest(other, request, null).send();
        } catch (IllegalStateException glare) {
            request.createResponse(491).send();
        }
    }

    private static void acknowledge(@Nullable SipSession other, B2buaHelper helper)
            throws IOException {
        if (other == null) {
            return;
        }
        for (SipServletMessage pending : helper.getPendingMessages(other, UAMode.UAC)) {
            if (pending instanceof SipServletResponse response && response.getStatus() / 100 == 2) {
                response.createAck().send();
            }
        }
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException {
        if (!kind(response).equals("b2bua")) {
            return;
        }
        SipServletRequest answered = response.getRequest();
        SipServletRequest original = answered.getB2buaHelper().getLinkedSipServletRequest(answered);
        boolean success = response.getMethod().equals("INVITE") && response.getStatus() / 100 == 2;
        if (original != null && !original.isCommitted()) {
            original.createResponse(response.getStatus()).send();
        } else if (success) {
            response.createAck().send();
            if (original == null
                    || original.getSession().getState() != SipSession.State.CONFIRMED) {
                response.getSession().createRequest("BYE").send();
            }
        }
    }
}
