package io.carillon.examples.uas;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.ListIterator;
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
 * A phone that answers: rings, picks up, and releases the call when the caller does or when the
 * talk time is over.
 *
 * <p>Context parameters: {@code ring-millis} (time between 180 and 200, default 0) and {@code
 * talk-seconds} (the servlet sends BYE after it; default 0: it leaves the release to the caller).
 *
 * <p>Compiled against the SIP Servlet API alone; declared non-blocking in sip.xml.
 */
public class UasServlet extends SipServlet implements TimerListener {
    private static final long serialVersionUID = 1L;
    private static final List<String> ALLOWED =
            Arrays.asList(
                    "INVITE", "ACK", "BYE", "CANCEL", "OPTIONS", "INFO", "MESSAGE", "UPDATE",
                    "PRACK");

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
        try {
            long value = text == null ? 0 : Long.parseLong(text.trim());
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new ServletException(
                    name + " must be a whole number, 0 or more, but is '" + text + "'", e);
        }
        throw new ServletException(
                name + " must be a whole number, 0 or more, but is '" + text + "'");
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        if (!ALLOWED.contains(request.getMethod())) {
            // RFC 3261 8.2.1: a method that is known elsewhere but not allowed here is 405, an
            // unknown one 501.
            boolean known =
                    Arrays.asList("REGISTER", "SUBSCRIBE", "NOTIFY", "PUBLISH", "REFER")
                            .contains(request.getMethod());
            SipServletResponse response = request.createResponse(known ? 405 : 501);
            allow(response);
            response.send();
            return;
        }
        super.doRequest(request);
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
        invite.createResponse(SipServletResponse.SC_RINGING).send();
        if (ringMillis == 0) {
            answer(invite);
            return;
        }
        SipSession session = invite.getSession();
        session.setAttribute("invite", invite);
        timers.createTimer(invite.getApplicationSession(), ringMillis, false, session.getId());
    }

    /** RFC 3261 8.2.2.3 and 8.2.3: what we cannot understand is refused before the phone rings. */
    private static boolean refused(SipServletRequest request) throws IOException {
        SipServletResponse refusal = null;
        if (request.getHeader("Require") != null) {
            refusal = request.createResponse(SipServletResponse.SC_BAD_EXTENSION);
            for (ListIterator<String> tags = request.getHeaders("Require"); tags.hasNext(); ) {
                refusal.addHeader("Unsupported", tags.next());
            }
        } else if (request.getContentLength() > 0 && !isSdp(request.getContentType())) {
            refusal = request.createResponse(SipServletResponse.SC_UNSUPPORTED_MEDIA_TYPE);
            refusal.setHeader("Accept", "application/sdp");
        } else if (!acceptsSdp(request)) {
            refusal = request.createResponse(SipServletResponse.SC_NOT_ACCEPTABLE);
            refusal.setHeader("Warning", "399 carillon \"only application/sdp can be offered\"");
        }
        if (refusal == null) {
            return false;
        }
        refusal.send();
        return true;
    }

    private static boolean isSdp(String contentType) {
        return contentType != null
                && contentType.toLowerCase(java.util.Locale.ROOT).startsWith("application/sdp");
    }

    private static boolean acceptsSdp(SipServletRequest request) {
        ListIterator<String> accepted = request.getHeaders("Accept");
        if (!accepted.hasNext()) {
            return true;
        }
        while (accepted.hasNext()) {
            String range = accepted.next().toLowerCase(java.util.Locale.ROOT);
            if (range.contains("application/sdp")
                    || range.contains("application/*")
                    || range.contains("*/*")) {
                return true;
            }
        }
        return false;
    }

    private void answer(SipServletRequest invite) throws IOException {
        SipServletResponse ok = invite.createResponse(SipServletResponse.SC_OK);
        allow(ok);
        ok.setContent(description(), "application/sdp");
        ok.send();
    }

    /** RFC 3264: this phone has no media, and says so. */
    private static byte[] description() {
        int id = ThreadLocalRandom.current().nextInt(1, Integer.MAX_VALUE);
        String sdp =
                "v=0\r\no=uas "
                        + id
                        + " 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\n"
                        + "m=audio 9 RTP/AVP 0\r\na=inactive\r\n";
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
            log("The call " + session.getCallId() + " could not go on: " + e.getMessage(), e);
        }
    }

    @Override
    protected void doBye(SipServletRequest bye) throws IOException {
        bye.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doOptions(SipServletRequest options) throws IOException {
        if (refused(options)) {
            return;
        }
        SipServletResponse ok = options.createResponse(SipServletResponse.SC_OK);
        allow(ok);
        ok.setHeader("Accept", "application/sdp");
        ok.send();
    }

    @Override
    protected void doInfo(SipServletRequest info) throws IOException {
        info.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doMessage(SipServletRequest message) throws IOException {
        message.createResponse(SipServletResponse.SC_OK).send();
    }

    @Override
    protected void doUpdate(SipServletRequest update) throws IOException {
        answer(update);
    }

    @Override
    protected void doPrack(SipServletRequest prack) throws IOException {
        prack.createResponse(SipServletResponse.SC_OK).send();
    }

    private static void allow(SipServletResponse response) {
        response.setHeader("Allow", String.join(", ", ALLOWED));
    }
}
