package io.carillon.examples.presence;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.servlet.ServletException;
import javax.servlet.sip.ServletTimer;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import javax.servlet.sip.TimerService;

/**
 * A user whose presence is watched. All of it lies in his application session: publications and the
 * composed document are attributes, watchers are SIP sessions, and a timer stands for each of both.
 * When the last timer and the last session are gone, the application session ends by itself.
 */
final class Presentity {
    private static final String PUBLICATIONS = "publications";
    private static final String ENTITY = "entity";
    private static final String DOCUMENT = "document";
    private static final String EVENT = "event";

    /** A NOTIFY is on its way. */
    private static final String AWAITS = "awaits";

    /** There is news since that NOTIFY. */
    private static final String NEWS = "news";

    private final SipApplicationSession session;
    private final TimerService timers;

    Presentity(SipApplicationSession session, TimerService timers) {
        this.session = session;
        this.timers = timers;
    }

    // ---- publications ----

    @SuppressWarnings("unchecked") // only this class writes the attribute
    private Map<String, byte[]> all() {
        Object all = session.getAttribute(PUBLICATIONS);
        return all == null ? new LinkedHashMap<>() : new LinkedHashMap<>((Map<String, byte[]>) all);
    }

    boolean has(String tag) {
        return all().containsKey(tag);
    }

    int publications() {
        return all().size();
    }

    /**
     * RFC 3903 6: creates, refreshes, modifies or (for 0 seconds) removes a publication.
     *
     * @param before its entity tag until now; null for a new one
     * @param document null to leave it as it is
     * @return its entity tag from now on
     */
    String publish(String before, byte[] document, int seconds) {
        Map<String, byte[]> all = all();
        byte[] old = before == null ? null : all.remove(before);
        cancelTimer(before);
        String tag = UUID.randomUUID().toString();
        if (seconds > 0) {
            all.put(tag, document == null ? old : document);
            timers.createTimer(session, seconds * 1000L, false, tag);
        }
        session.setAttribute(PUBLICATIONS, all);
        return tag;
    }

    void composeIfNew(String entity) throws ServletException {
        if (session.getAttribute(DOCUMENT) == null) {
            compose(entity);
        }
    }

    /** Makes one document of all publications. */
    void compose(String entity) throws ServletException {
        session.setAttribute(ENTITY, entity);
        session.setAttribute(DOCUMENT, Pidf.compose("sip:" + entity, all().values()));
    }

    // ---- watchers ----

    int watchers() {
        return subscriptions().size();
    }

    private List<SipSession> subscriptions() {
        List<SipSession> found = new ArrayList<>();
        Iterator<?> children = session.getSessions("SIP");
        while (children.hasNext()) {
            SipSession child = (SipSession) children.next();
            if (child.getAttribute(EVENT) != null && timer(child.getId()) != null) {
                found.add(child);
            }
        }
        return found;
    }

    void watch(SipSession watcher, String event, int seconds) throws IOException {
        watcher.setAttribute(EVENT, event);
        cancelTimer(watcher.getId());
        if (seconds > 0) {
            timers.createTimer(session, seconds * 1000L, false, watcher.getId());
        }
        tell(watcher);
    }

    void tellAll() throws IOException {
        for (SipSession watcher : subscriptions()) {
            tell(watcher);
        }
    }

    /**
     * One NOTIFY at a time: a later one that overtakes it would be refused (RFC 3261 12.2.2, the
     * CSeq), and a watcher who is slow gets the newest state only.
     */
    private void tell(SipSession watcher) throws IOException {
        if (watcher.getState() != SipSession.State.CONFIRMED) {
            return;
        }
        if (watcher.getAttribute(AWAITS) != null) {
            watcher.setAttribute(NEWS, true);
            return;
        }
        ServletTimer ends = timer(watcher.getId());
        SipServletRequest notify = watcher.createRequest("NOTIFY");
        notify.setHeader("Event", (String) watcher.getAttribute(EVENT));
        notify.setHeader(
                "Subscription-State",
                ends == null
                        ? "terminated;reason=timeout"
                        : "active;expires=" + (ends.getTimeRemaining() + 999) / 1000);
        notify.setContent(session.getAttribute(DOCUMENT), Pidf.TYPE);
        watcher.setAttribute(AWAITS, true);
        notify.send();
    }

    /** The final response to a NOTIFY. */
    void notified(SipServletResponse response) throws IOException {
        SipSession watcher = response.getSession();
        boolean news = watcher.getAttribute(NEWS) != null;
        watcher.removeAttribute(AWAITS);
        watcher.removeAttribute(NEWS);
        if (response.getStatus() >= 300) {
            // RFC 6665 4.2.2: who does not take a NOTIFY is a watcher no longer. After 481 and 408
            // the dialog is gone; else the NOTIFY that follows here ends it.
            news = timer(watcher.getId()) != null;
            cancelTimer(watcher.getId());
        }
        if (news) {
            tell(watcher);
        }
    }

    // ---- time ----

    void expire(String what) throws IOException, ServletException {
        if (has(what)) {
            Map<String, byte[]> left = all();
            left.remove(what);
            session.setAttribute(PUBLICATIONS, left);
            compose((String) session.getAttribute(ENTITY));
            tellAll();
        } else {
            SipSession watcher = session.getSipSession(what);
            cancelTimer(what);
            if (watcher != null && watcher.isValid()) {
                tell(watcher); // without a timer this is the last NOTIFY
            }
        }
    }

    private ServletTimer timer(String info) {
        for (ServletTimer timer : session.getTimers()) {
            if (timer.getInfo().equals(info)) {
                return timer;
            }
        }
        return null;
    }

    private void cancelTimer(String info) {
        ServletTimer timer = timer(info);
        if (timer != null) {
            timer.cancel();
        }
    }
}
