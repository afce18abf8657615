package io.carillon.it.failover.application;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
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
import javax.servlet.sip.annotation.SipApplicationKey;
import org.jspecify.annotations.Nullable;

/**
 * What the phones of a trial cluster call. By the user of the Request-URI:
 *
 * <ul>
 *   <li>{@code timers}: answers at once; {@code X-Timers: 800, 5000} in the INVITE are its timers,
 *       in milliseconds from the ACK on. Each is written down when it fires.
 *   <li>{@code keyed}: answers at once; calls share {@value #ROOMS} application sessions by a key.
 *   <li>{@code direct}: proxies without Record-Route.
 *   <li>{@code uac}: a MESSAGE makes it call the URI in {@code X-Call}.
 *   <li>{@code subscription}: a NOTIFY for each SUBSCRIBE, with its number in {@code X-Number}.
 * </ul>
 *
 * <p>In a call an INFO with {@code X-Do: INVITE} or {@code BYE} makes it send that. What it sends
 * says in {@code X-Node} which node has sent it.
 */
public final class TrialServlet extends SipServlet implements TimerListener {
    private static final long serialVersionUID = 1L;

    /** What has to be in its archive beside it. */
    public static final String LOG_CLASS = TimerLog.class.getName();

    private static final String TIMERS = "X-Timers";
    private static final String NUMBER = "number";
    private static final String EVENT = "presence";
    private static final int ROOMS = 16;
    private static final String SECONDS = "3600";

    @Resource private transient @Nullable TimerService timers;
    @Resource private transient @Nullable SipFactory factory;
    private transient @Nullable TimerLog log;
    private String node = "";

    @Override
    public void init() throws ServletException {
        String number = getServletContext().getInitParameter("node");
        String file = getServletContext().getInitParameter("timer-log");
        if (number == null || file == null) {
            throw new ServletException("node and timer-log say who it is and where it writes");
        }
        node = number;
        try {
            log = new TimerLog(Path.of(file), number);
        } catch (IOException e) {
            throw new ServletException("timer-log " + file + " cannot be written", e);
        }
    }

    private <T extends SipServletMessage> T by(T message) {
        message.setHeader("X-Node", node);
        return message;
    }

    private static String user(SipServletRequest request) {
        return request.getRequestURI() instanceof SipURI uri ? String.valueOf(uri.getUser()) : "";
    }

    /** A key leads to another node than the Call-ID in most cases. */
    @SipApplicationKey
    public static @Nullable String room(SipServletRequest request) {
        return user(request).equals("keyed")
                ? "room" + Math.floorMod(request.getCallId().hashCode(), ROOMS)
                : null;
    }

    @Override
    protected void doInvite(SipServletRequest invite) throws ServletException, IOException {
        if (!invite.isInitial()) {
            answer(invite);
        } else if (user(invite).equals("direct")) {
            Proxy proxy = invite.getProxy();
            proxy.setRecordRoute(false);
            proxy.setSupervised(false);
            proxy.proxyTo(invite.getRequestURI());
        } else {
            String wanted = invite.getHeader(TIMERS);
            if (wanted != null) {
                invite.getSession().setAttribute(TIMERS, wanted);
            }
            by(invite.createResponse(180)).send();
            answer(invite);
        }
    }

    private void answer(SipServletRequest invite) throws IOException {
        SipServletResponse ok = by(invite.createResponse(200));
        ok.setContent(description(), "application/sdp");
        ok.send();
    }

    private static byte[] description() {
        return ("v=0\r\no=trial 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\n"
                        + "t=0 0\r\nm=audio 9 RTP/AVP 0\r\na=inactive\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    protected void doAck(SipServletRequest ack) {
        SipSession session = ack.getSession();
        TimerService service = timers;
        if (service == null || !(session.getAttribute(TIMERS) instanceof String wanted)) {
            return;
        }
        session.removeAttribute(TIMERS);
        int number = 0;
        for (String each : wanted.split(",", -1)) {
            long millis = Long.parseLong(each.strip());
            String info =
                    session.getCallId()
                            + ' '
                            + number++
                            + ' '
                            + (System.currentTimeMillis() + millis);
            service.createTimer(ack.getApplicationSession(), millis, false, info);
        }
    }

    @Override
    public void timeout(ServletTimer timer) {
        String[] words = String.valueOf(timer.getInfo()).split(" ", -1);
        TimerLog written = log;
        try {
            if (written != null) {
                written.fired(words[0], words[1], words[2]);
            }
        } catch (IOException e) {
            log("A timer cannot be written down", e);
        }
    }

    @Override
    protected void doUpdate(SipServletRequest update) throws IOException {
        by(update.createResponse(200)).send();
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        by(bye.createResponse(200)).send();
    }

    @Override
    protected void doInfo(SipServletRequest info) throws IOException {
        String wanted = info.getHeader("X-Do");
        try {
            if (wanted != null) {
                ask(info.getSession(), wanted);
            }
        } catch (IllegalStateException pending) {
            // The ACK to the INVITE before is on its way still.
            boolean up =
                    info.getSession().isValid()
                            && info.getSession().getState() == SipSession.State.CONFIRMED;
            by(info.createResponse(up ? 491 : 481)).send();
            return;
        }
        by(info.createResponse(200)).send();
    }

    private void ask(SipSession session, String wanted) throws IOException {
        SipServletRequest request = by(session.createRequest(wanted));
        if (wanted.equals("INVITE")) {
            request.setContent(description(), "application/sdp");
        }
        request.send();
    }

    @Override
    protected void doMessage(SipServletRequest message) throws ServletException, IOException {
        by(message.createResponse(200)).send();
        SipFactory made = factory;
        String target = message.getHeader("X-Call");
        if (made == null || target == null) {
            return;
        }
        SipApplicationSession call = made.createApplicationSession();
        SipServletRequest invite =
                made.createRequest(
                        call, "INVITE", message.getFrom().getURI(), made.createURI(target));
        by(invite).setContent(description(), "application/sdp");
        invite.send();
    }

    @Override
    protected void doSuccessResponse(SipServletResponse response) throws IOException {
        if (response.getMethod().equals("INVITE")) {
            by(response.createAck()).send();
        }
    }

    /** RFC 6665 4.2.1.2: each SUBSCRIBE that is accepted is followed by a NOTIFY at once. */
    @Override
    protected void doSubscribe(SipServletRequest subscribe) throws IOException {
        boolean ends = subscribe.getExpires() == 0;
        SipSession session = subscribe.getSession();
        SipServletResponse ok = by(subscribe.createResponse(200));
        ok.setHeader("Expires", ends ? "0" : SECONDS);
        ok.send();
        int number = session.getAttribute(NUMBER) instanceof Integer before ? before + 1 : 1;
        session.setAttribute(NUMBER, number);
        SipServletRequest notify = by(session.createRequest("NOTIFY"));
        notify.setHeader("Event", EVENT);
        notify.setHeader(
                "Subscription-State",
                ends ? "terminated;reason=timeout" : "active;expires=" + SECONDS);
        notify.setHeader("X-Number", Integer.toString(number));
        notify.send();
    }
}
