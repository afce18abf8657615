package io.carillon.examples.uas;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.ListIterator;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;

/**
 * A phone that answers: rings, picks up, and ends the call when the caller does or after {@code
 * talk-seconds} (context parameter; 0, the default: the caller alone ends it). It rings for {@code
 * ring-millis} (default 0) before it answers.
 */
public class UasServlet extends SipServlet implements TimerListener {
    private static final long serialVersionUID = 1L;
    private static final String ALLOW =
            "INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, MESSAGE, UPDATE, PRACK";
    private static final List<String> KNOWN =
            Arrays.asList("REGISTER", "NOTIFY", "PUBLISH", "REFER");

    @Resource private transient TimerService timers;
    private long ringMillis;
    private long talkMillis;

    @Override
    public void init() throws ServletException {
        ringMillis = parameter("ring-millis");
        talkMillis = 1000 * parameter("talk-seconds");
    }

    private long parameter(String name) throws ServletException {
        String text = getServletContext().getInitParameter(name);
        if (text != null && !text.trim().matches("\\d{1,9}")) {
            throw new ServletException(name + " must be a whole number, not '" + text + "'");
        }
        return text == null ? 0 : Long.parseLong(text.trim());
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        switch (request.getMethod()) {
            case "BYE":
            case "INFO":
            case "MESSAGE":
            case "PRACK":
                request.createResponse(200).send();
                break;
            case "INVITE":
            case "ACK":
            case "CANCEL":
            case "OPTIONS":
            case "UPDATE":
                super.doRequest(request);
                break;
            case "SUBSCRIBE":
                // RFC 6665 4.2.1.1: there is no event package here.
                request.createResponse(489).send();
                break;
            default:
                // RFC 3261 8.2.1: a method that others know is 405 here, an unknown one 501.
                boolean known = KNOWN.contains(request.getMethod());
                SipServletResponse no = request.createResponse(known ? 405 : 501);
                no.setHeader("Allow", ALLOW);
                no.send();
        }
    }

    @Override
    protected void doInvite(SipServletRequest invite) throws IOException {
        if (refused(invite)) {
            return;
        }
        if (!invite.isInitial()) {
            answer(invite);
            return;
        }
        invite.createResponse(180).send();
        if (ringMillis == 0) {
            answer(invite);
            return;
        }
        SipSession session = invite.getSession();
        session.setAttribute("invite", invite);
        timers.createTimer(invite.getApplicationSession(), ringMillis, false, session.getId());
    }

    /** RFC 3261 8.2.2.3 and 8.2.3: what cannot be understood or answered is refused first. */
    private static boolean refused(SipServletRequest request) throws IOException {
        SipServletResponse no;
        if (request.getHeader("Require") != null) {
            no = request.createResponse(420);
            String unknown = unknown(request);
            if (!unknown.isEmpty()) {
                no.setHeader("Unsupported", unknown);
            }
        } else if (request.getContentLength() > 0 && !names(request.getContentType())) {
            no = request.createResponse(415);
            no.setHeader("Accept", "application/sdp");
        } else if (!request.getMethod().equals("OPTIONS") && !acceptsSdp(request)) {
            no = request.createResponse(406);
            no.setHeader("Warning", "399 carillon \"only application/sdp can be offered\"");
        } else {
            return false;
        }
        no.send();
        return true;
    }

    /** Each once, the first 16, none of more than 64 characters: no 420 outgrows its request. */
    private static String unknown(SipServletRequest request) {
        Set<String> named = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        ListIterator<String> tags = request.getHeaders("Require");
        while (tags.hasNext() && named.size() < 16) {
            String tag = tags.next();
            if (tag.length() <= 64) {
                named.add(tag);
            }
        }
        return String.join(", ", named);
    }

    private static boolean acceptsSdp(SipServletRequest request) {
        ListIterator<String> accepted = request.getHeaders("Accept");
        boolean any = !accepted.hasNext();
        while (accepted.hasNext() && !any) {
            String range = accepted.next();
            any = names(range) || range.startsWith("*/*") || range.startsWith("application/*");
        }
        return any;
    }

    private static boolean names(String mediaType) {
        return mediaType != null
                && mediaType.toLowerCase(Locale.ROOT).startsWith("application/sdp");
    }

    private static void answer(SipServletRequest request) throws IOException {
        SipServletResponse ok = request.createResponse(200);
        ok.setHeader("Allow", ALLOW);
        if (request.getMethod().equals("INVITE") || request.getContentLength() > 0) {
            ok.setContent(description(), "application/sdp");
        }
        ok.send();
    }

    /** RFC 3264: this phone has no media, and says so. */
    private static byte[] description() {
        int id = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
        String sdp =
                "v=0\r\no=uas "
                        + id
                        + " 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\n"
                        + "t=0 0\r\nm=audio 9 RTP/AVP 0\r\na=inactive\r\n";
        return sdp.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    protected void doAck(SipServletRequest ack) {
        SipSession session = ack.getSession();
        if (talkMillis > 0 && session.getAttribute("talking") == null) {
            session.setAttribute("talking", true);
            timers.createTimer(ack.getApplicationSession(), talkMillis, false, session.getId());
        }
    }

    @Override
    public void timeout(ServletTimer timer) {
        SipSession session = timer.getApplicationSession().getSipSession((String) timer.getInfo());
        if (session == null || !session.isValid()) {
            return;
        }
        try {
            if (session.getState() == SipSession.State.EARLY) {
                answer((SipServletRequest) session.getAttribute("invite"));
            } else if (session.getState() == SipSession.State.CONFIRMED) {
                session.createRequest("BYE").send();
            }
        } catch (IOException e) {
            log("The call " + session.getCallId() + " cannot go on", e);
        }
    }

    @Override
    protected void doOptions(SipServletRequest options) throws IOException {
        if (!refused(options)) {
            SipServletResponse ok = options.createResponse(200);
            ok.setHeader("Allow", ALLOW);
            ok.setHeader("Accept", "application/sdp");
            ok.send();
        }
    }

    @Override
    protected void doUpdate(SipServletRequest update) throws IOException {
        answer(update);
    }
}
