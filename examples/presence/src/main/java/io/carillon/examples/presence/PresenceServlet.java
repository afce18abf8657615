package io.carillon.examples.presence;

import java.io.IOException;
import java.util.ListIterator;
import java.util.Locale;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipURI;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import javax.servlet.sip.URI;
import javax.servlet.sip.annotation.SipApplicationKey;

/**
 * A presence server: what is published for a user (RFC 3903) goes to those who subscribed to him
 * (RFC 6665, RFC 3856). The user's address is the key of the application session, so that his
 * publications and watchers are together, and are handled one after the other.
 */
public class PresenceServlet extends SipServlet implements TimerListener {
    private static final long serialVersionUID = 1L;
    private static final int DEFAULT_SECONDS = 3600;

    @Resource private transient TimerService timers;
    private int minSeconds;
    private int maxBytes;
    private int maxPublications;
    private int maxWatchers;

    /** A request that cannot be done: the response that says why. */
    private static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient SipServletResponse response;

        Refused(SipServletRequest request, int status, String header, String value) {
            response = request.createResponse(status);
            if (header != null) {
                response.setHeader(header, value);
            }
        }
    }

    @SipApplicationKey
    public static String presentity(SipServletRequest request) {
        URI uri = request.getRequestURI();
        if (!uri.isSipURI()) {
            return uri.toString().replaceFirst("^[A-Za-z]+:", "").replaceFirst("[;?].*", "");
        }
        SipURI sip = (SipURI) uri;
        return sip.getUser() + "@" + sip.getHost().toLowerCase(Locale.ROOT);
    }

    @Override
    public void init() throws ServletException {
        minSeconds = limit("min-seconds");
        maxBytes = limit("max-bytes");
        maxPublications = limit("max-publications");
        maxWatchers = limit("max-watchers");
    }

    private int limit(String name) throws ServletException {
        String text = getServletContext().getInitParameter(name);
        if (text == null || !text.trim().matches("[1-9][0-9]{0,6}")) {
            throw new ServletException(name + " must be a number from 1 up, not '" + text + "'");
        }
        return Integer.parseInt(text.trim());
    }

    @Override
    protected void doRequest(SipServletRequest request) throws ServletException, IOException {
        try {
            switch (request.getMethod()) {
                case "PUBLISH":
                    publish(request, presentityOf(request));
                    break;
                case "SUBSCRIBE":
                    subscribe(request, presentityOf(request));
                    break;
                case "OPTIONS":
                    say(request.createResponse(200));
                    break;
                case "ACK":
                case "CANCEL":
                    break;
                default:
                    say(request.createResponse(405));
            }
        } catch (Refused no) {
            no.response.send();
        }
    }

    private static void say(SipServletResponse response) throws IOException {
        response.setHeader("Allow", "PUBLISH, SUBSCRIBE, OPTIONS");
        response.setHeader("Allow-Events", "presence");
        response.setHeader("Accept", Pidf.TYPE);
        response.send();
    }

    private Presentity presentityOf(SipServletRequest request) {
        return new Presentity(request.getApplicationSession(), timers);
    }

    // ---- PUBLISH: the numbers are the steps of RFC 3903 section 6 ----

    private void publish(SipServletRequest publish, Presentity presentity)
            throws Refused, ServletException, IOException {
        checkEvent(publish); // 2
        String before = publish.getHeader("SIP-If-Match"); // 3
        if (before != null && !presentity.has(before.trim())) {
            throw new Refused(publish, 412, null, null);
        }
        int seconds = seconds(publish); // 4
        byte[] document = document(publish); // 5
        if (document == null && before == null && seconds > 0) {
            throw new Refused(publish, 400, null, null);
        }
        if (before == null && seconds > 0 && presentity.publications() >= maxPublications) {
            throw new Refused(publish, 403, null, null);
        }
        boolean changes = document != null || seconds == 0;
        String tag = presentity.publish(before == null ? null : before.trim(), document, seconds);
        if (changes) {
            presentity.compose(presentity(publish));
        }
        SipServletResponse ok = publish.createResponse(200); // 6
        ok.setHeader("SIP-ETag", tag);
        ok.setExpires(seconds);
        ok.send();
        if (changes) {
            presentity.tellAll();
        }
    }

    /** The body, when there is one; it has to be a document that can be composed with others. */
    private byte[] document(SipServletRequest publish) throws Refused, IOException {
        if (publish.getContentLength() <= 0) {
            return null;
        }
        if (publish.getContentLength() > maxBytes) {
            throw new Refused(publish, 413, null, null);
        }
        String type = publish.getContentType();
        if (type == null
                || !type.toLowerCase(Locale.ROOT).startsWith(Pidf.TYPE)
                || publish.getHeader("Content-Encoding") != null) {
            throw new Refused(publish, 415, "Accept", Pidf.TYPE);
        }
        byte[] document = publish.getRawContent();
        String fault = Pidf.fault(document);
        if (fault != null) {
            throw new Refused(publish, 400, "Warning", "399 presence \"" + fault + "\"");
        }
        return document;
    }

    // ---- SUBSCRIBE ----

    private void subscribe(SipServletRequest subscribe, Presentity presentity)
            throws Refused, ServletException, IOException {
        checkEvent(subscribe);
        if (!acceptsPidf(subscribe)) {
            throw new Refused(subscribe, 406, "Accept", Pidf.TYPE);
        }
        int seconds = seconds(subscribe);
        if (subscribe.isInitial() && subscribe.getRemoteUser() == null && !Sender.is(subscribe)) {
            // A document of ours, repeated until it is answered, goes to nobody who may not have
            // asked for it: a user who has proved to be one may name another address.
            throw new Refused(subscribe, 403, "Warning", "399 presence \"Subscribe from there\"");
        }
        if (subscribe.isInitial() && presentity.watchers() >= maxWatchers) {
            throw new Refused(subscribe, 403, null, null);
        }
        SipServletResponse ok = subscribe.createResponse(200);
        ok.setExpires(seconds);
        ok.send();
        if (subscribe.isInitial()) {
            presentity.composeIfNew(presentity(subscribe));
        }
        // RFC 6665 4.2.1.2: each SUBSCRIBE that is accepted is followed by a NOTIFY at once; one
        // for 0 seconds, by the last.
        presentity.watch(subscribe.getSession(), subscribe.getHeader("Event"), seconds);
    }

    private static boolean acceptsPidf(SipServletRequest request) {
        ListIterator<String> accepted = request.getHeaders("Accept");
        boolean any = !accepted.hasNext();
        while (accepted.hasNext() && !any) {
            String range = accepted.next().toLowerCase(Locale.ROOT);
            any =
                    range.startsWith(Pidf.TYPE)
                            || range.startsWith("*/*")
                            || range.startsWith("application/*");
        }
        return any;
    }

    // ---- of both ----

    private static void checkEvent(SipServletRequest request) throws Refused {
        String event = request.getHeader("Event");
        if (event == null || !event.split(";", 2)[0].trim().equals("presence")) {
            throw new Refused(request, 489, "Allow-Events", "presence");
        }
    }

    private int seconds(SipServletRequest request) throws Refused {
        int asked = request.getExpires();
        if (asked > 0 && asked < minSeconds) {
            throw new Refused(request, 423, "Min-Expires", Integer.toString(minSeconds));
        }
        return asked < 0 ? DEFAULT_SECONDS : Math.min(asked, DEFAULT_SECONDS);
    }

    @Override
    protected void doResponse(SipServletResponse response) throws IOException {
        if (response.getStatus() >= 200) {
            new Presentity(response.getApplicationSession(), timers).notified(response);
        }
    }

    /** A publication or a subscription was not refreshed in time. */
    @Override
    public void timeout(ServletTimer timer) {
        try {
            new Presentity(timer.getApplicationSession(), timers).expire((String) timer.getInfo());
        } catch (IOException | ServletException e) {
            log("Watchers cannot be told of what has expired", e);
        }
    }
}
