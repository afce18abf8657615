package io.carillon.examples.presence;

import java.io.IOException;
import java.util.List;
import java.util.ListIterator;
import java.util.Locale;
import javax.annotation.Resource;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipApplicationSessionListener;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
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
public class PresenceServlet extends SipServlet
        implements TimerListener, SipApplicationSessionListener {
    private static final long serialVersionUID = 1L;
    private static final int DEFAULT_SECONDS = 3600;

    /** Characters of a user's address, which is kept with him. */
    private static final int MAX_ADDRESS = 200;

    /** Characters of an Event, which is kept with each watcher and stands in what he is told. */
    private static final int MAX_EVENT = 200;

    /**
     * Of a watcher's session: his requests may move it, as a proxy or a password stands for him.
     */
    private static final String ANYWHERE = "anywhere";

    @Resource private transient TimerService timers;
    private int minSeconds;
    private int maxBytes;
    private int maxPublications;
    private transient Share watchers;
    private int maxUnproved;
    private transient Quota quota;

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
        watchers = new Share(limit("max-watchers"), limit("share-percent"));
        maxUnproved = limit("max-unproved");
        long bytes = Runtime.getRuntime().maxMemory() / 100 * limit("heap-percent");
        quota = new Quota(bytes, limit("share-percent"));
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
            if (presentity(request).length() > MAX_ADDRESS) {
                throw new Refused(request, 414, null, null);
            }
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
        Presentity presentity = presentityOf(request.getApplicationSession());
        presentity.named(presentity(request));
        return presentity;
    }

    private Presentity presentityOf(SipApplicationSession session) {
        return new Presentity(session, timers, quota);
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
        byte[] document = document(publish, presentity.entity()); // 5
        if (document == null && before == null && seconds > 0) {
            throw new Refused(publish, 400, null, null);
        }
        if (before == null && seconds > 0 && presentity.publications() >= maxPublications) {
            throw new Refused(publish, 403, null, null);
        }
        String tag =
                presentity.publish(
                        before == null ? null : before.trim(),
                        document == null ? null : new Publication(document, Sender.of(publish)),
                        seconds);
        if (tag == null) {
            throw new Refused(publish, 503, "Retry-After", "60");
        }
        SipServletResponse ok = publish.createResponse(200); // 6
        ok.setHeader("SIP-ETag", tag);
        ok.setExpires(seconds);
        ok.send();
        if (document != null || seconds == 0) {
            presentity.tellAll();
        }
    }

    /** The body, when there is one, as it stands among others: each part names its namespaces. */
    private byte[] document(SipServletRequest publish, String entity)
            throws Refused, ServletException, IOException {
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
        byte[] alone = Pidf.compose(entity, List.of(document));
        if (alone.length > 2 * maxBytes) {
            throw new Refused(publish, 413, null, null);
        }
        return alone;
    }

    // ---- SUBSCRIBE ----

    private void subscribe(SipServletRequest subscribe, Presentity presentity)
            throws Refused, ServletException, IOException {
        checkEvent(subscribe);
        if (!acceptsPidf(subscribe)) {
            throw new Refused(subscribe, 406, "Accept", Pidf.TYPE);
        }
        int seconds = seconds(subscribe);
        SipSession watcher = subscribe.getSession();
        boolean anywhere =
                watcher.getAttribute(ANYWHERE) != null || subscribe.getRemoteUser() != null;
        boolean here = subscribe.isInitial() ? Sender.begins(subscribe) : Sender.stays(subscribe);
        if (!anywhere && !here) {
            // A document of ours goes to nobody who may not have asked for it, and opens no
            // connection: a user who has proved to be one may name another address.
            throw new Refused(subscribe, 403, "Warning", "399 presence \"Subscribe from there\"");
        }
        boolean there = subscribe.getRemoteUser() != null || Sender.connected(subscribe);
        // Our tag was told to him alone, and a phone that takes any NOTIFY never asks for more.
        boolean proved = there || !subscribe.isInitial();
        String source = Sender.of(subscribe);
        int port = subscribe.getInitialRemotePort();
        if (!presentity.watches(watcher) && !presentity.admits(source, watchers)) {
            throw new Refused(subscribe, 403, null, null);
        }
        if (!presentity.watches(watcher)
                && !proved
                && presentity.unprovedOf(source, port) >= maxUnproved) {
            // They prove themselves, or are gone, by then.
            throw new Refused(subscribe, 503, "Retry-After", Integer.toString(minSeconds));
        }
        if (!proved) {
            seconds = Math.min(seconds, minSeconds); // by the refresh he proves that he asked
        }
        if (anywhere || (subscribe.isInitial() && subscribe.getHeader("Record-Route") != null)) {
            watcher.setAttribute(ANYWHERE, true);
        }
        if (Sender.connected(subscribe)) {
            Sender.named(subscribe);
        }
        SipServletResponse ok = subscribe.createResponse(200);
        ok.setExpires(seconds);
        ok.send();
        // RFC 6665 4.2.1.2: each SUBSCRIBE that is accepted is followed by a NOTIFY at once; one
        // for 0 seconds, by the last.
        presentity.counts(watcher, source, port, proved);
        presentity.watch(watcher, subscribe.getHeader("Event"), seconds, there);
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
        if (event.length() > MAX_EVENT) {
            throw new Refused(request, 400, null, null);
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
    protected void doResponse(SipServletResponse response) throws IOException, ServletException {
        if (response.getStatus() >= 200) {
            // RFC 3261 12.2.1.2: the Contact of a 2xx moves the dialog as that of a SUBSCRIBE does.
            boolean moved =
                    response.getStatus() < 300
                            && response.getSession().getAttribute(ANYWHERE) == null
                            && !Sender.stays(response);
            presentityOf(response.getApplicationSession()).notified(response, moved);
        }
    }

    /** A publication or a subscription was not refreshed in time. */
    @Override
    public void timeout(ServletTimer timer) {
        try {
            presentityOf(timer.getApplicationSession()).expire((String) timer.getInfo());
        } catch (IOException | ServletException e) {
            log("Watchers cannot be told of what has expired", e);
        }
    }

    @Override
    public void sessionDestroyed(SipApplicationSessionEvent event) {
        presentityOf(event.getApplicationSession()).ends();
    }

    @Override
    public void sessionCreated(SipApplicationSessionEvent event) {
        // It holds nothing yet.
    }

    @Override
    public void sessionExpired(SipApplicationSessionEvent event) {
        // sessionDestroyed follows.
    }

    @Override
    public void sessionReadyToInvalidate(SipApplicationSessionEvent event) {
        // The last publication and the last watcher are gone.
    }
}
