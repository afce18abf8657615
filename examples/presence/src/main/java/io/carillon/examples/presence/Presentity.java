package io.carillon.examples.presence;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
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

    /** Made when a watcher is told, and gone with the last one. */
    private static final String DOCUMENT = "document";

    /**
     * For whom they count, by the ids of SIP sessions: those that watch, and those whose last
     * NOTIFY is on its way.
     */
    private static final String WATCHERS = "watchers";

    /** Ids of those whose SUBSCRIBE another may have sent. */
    private static final String UNPROVED = "unproved";

    private static final String EVENT = "event";

    /** A NOTIFY is on its way. */
    private static final String AWAITS = "awaits";

    /** There is news since that NOTIFY. */
    private static final String NEWS = "news";

    /** His dialog goes to an address that he did not come from. */
    private static final String MOVED = "moved";

    /** He is known to be where he subscribed from. */
    private static final String HEARD = "heard";

    /** The port that he subscribed from. */
    private static final String PORT = "port";

    /** He has got the one document that he gets before he has proved that he asked. */
    private static final String STATED = "stated";

    /** Bytes of that document: a phone that takes any NOTIFY may be anybody's victim. */
    private static final int MOST_UNPROVED = 1_000;

    /** He was sent a NOTIFY without the state, to see whether he is there. */
    private static final String ASKED = "asked";

    private final SipApplicationSession session;
    private final TimerService timers;
    private final Quota quota;

    Presentity(SipApplicationSession session, TimerService timers, Quota quota) {
        this.session = session;
        this.timers = timers;
        this.quota = quota;
    }

    /**
     * @param address user and host, as the first request that is about him has them
     */
    void named(String address) {
        if (session.getAttribute(ENTITY) == null) {
            session.setAttribute(ENTITY, "sip:" + address);
        }
    }

    String entity() {
        return (String) session.getAttribute(ENTITY);
    }

    // ---- publications ----

    @SuppressWarnings("unchecked") // only this class writes the attribute
    private Map<String, Publication> all() {
        Object all = session.getAttribute(PUBLICATIONS);
        return all == null ? Map.of() : (Map<String, Publication>) all;
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
     * @param next null to leave it as it is
     * @return its entity tag from now on; null when there is no room for it
     */
    String publish(String before, Publication next, int seconds) {
        Publication old = before == null ? null : all().get(before);
        Publication stays = seconds == 0 ? null : next == null ? old : next;
        String tag = UUID.randomUUID().toString();
        if (!replace(before, old, tag, stays)) {
            return null;
        }
        if (before != null) {
            cancelTimer(before);
        }
        if (seconds > 0) {
            timers.createTimer(session, seconds * 1000L, false, tag);
        }
        return tag;
    }

    private boolean replace(String before, Publication old, String tag, Publication next) {
        if (old != next && !quota.exchange(old, next)) {
            return false;
        }
        Map<String, Publication> all = new LinkedHashMap<>(all());
        all.remove(before);
        if (next != null) {
            all.put(tag, next);
        }
        session.setAttribute(PUBLICATIONS, all);
        if (old != next) {
            session.removeAttribute(DOCUMENT);
        }
        return true;
    }

    /** The application session ends. */
    void ends() {
        all().values().forEach(each -> quota.exchange(each, null));
    }

    /** One document of all publications. */
    private byte[] document() throws ServletException {
        byte[] made = (byte[]) session.getAttribute(DOCUMENT);
        if (made == null) {
            List<byte[]> parts = new ArrayList<>();
            all().values().forEach(each -> parts.add(each.document));
            made = parts.size() == 1 ? parts.get(0) : Pidf.compose(entity(), parts);
            session.setAttribute(DOCUMENT, made);
        }
        return made;
    }

    // ---- watchers ----

    @SuppressWarnings("unchecked") // only this class writes the attribute
    private Map<String, String> watchers() {
        Object watchers = session.getAttribute(WATCHERS);
        return watchers == null ? Map.of() : (Map<String, String>) watchers;
    }

    @SuppressWarnings("unchecked") // only this class writes the attribute
    private Set<String> unproved() {
        Object unproved = session.getAttribute(UNPROVED);
        return unproved == null ? Set.of() : (Set<String>) unproved;
    }

    boolean watches(SipSession watcher) {
        return watchers().containsKey(watcher.getId());
    }

    /** Has that source room for one more? */
    boolean admits(String source, Share most) {
        return most.admits(watchers().values(), source);
    }

    /**
     * How many of that source's have not proved that they asked. Of those that have answered only
     * the ones at that port count: each phone behind a router has a port of its own, and a victim
     * answers at its own alone.
     */
    long unprovedOf(String source, int port) {
        Map<String, String> watchers = watchers();
        return unproved().stream()
                .filter(id -> source.equals(watchers.get(id)))
                .map(session::getSipSession)
                .filter(Objects::nonNull)
                .filter(other ->
                        other.getAttribute(HEARD) == null
                                || Integer.valueOf(port).equals(other.getAttribute(PORT)))
                .count();
    }

    /**
     * From here on he counts, until he is forgotten.
     *
     * @param proved whether he surely is who asked
     */
    void counts(SipSession watcher, String source, int port, boolean proved) {
        String id = watcher.getId();
        watcher.setAttribute(PORT, port);
        Map<String, String> watchers = new HashMap<>(watchers());
        if (watchers.putIfAbsent(id, source) == null) {
            session.setAttribute(WATCHERS, watchers);
        }
        unproved(id, !proved);
    }

    private void unproved(String id, boolean add) {
        Set<String> unproved = new HashSet<>(unproved());
        if (add ? unproved.add(id) : unproved.remove(id)) {
            session.setAttribute(UNPROVED, unproved);
        }
    }

    /**
     * For 0 seconds he is told once, and counts until he has answered that.
     *
     * @param there no other than he can have sent the SUBSCRIBE
     */
    void watch(SipSession watcher, String event, int seconds, boolean there)
            throws IOException, ServletException {
        String id = watcher.getId();
        watcher.setAttribute(EVENT, event);
        if (there) {
            watcher.setAttribute(HEARD, true);
        }
        watcher.removeAttribute(MOVED);
        cancelTimer(id);
        tell(
                watcher,
                seconds == 0 ? null : timers.createTimer(session, seconds * 1000L, false, id));
    }

    private void forget(String watcher) {
        unproved(watcher, false);
        Map<String, String> watchers = new HashMap<>(watchers());
        watchers.remove(watcher);
        session.setAttribute(WATCHERS, watchers);
        if (watchers.isEmpty()) {
            session.removeAttribute(DOCUMENT);
        }
    }

    void tellAll() throws IOException, ServletException {
        Map<Object, ServletTimer> ends = new HashMap<>();
        session.getTimers().forEach(timer -> ends.put(timer.getInfo(), timer));
        Iterator<?> children = session.getSessions("SIP");
        while (children.hasNext()) {
            SipSession child = (SipSession) children.next();
            if (ends.containsKey(child.getId())) {
                tell(child, ends.get(child.getId()));
            }
        }
    }

    /**
     * One NOTIFY at a time: a later one that overtakes it would be refused (RFC 3261 12.2.2, the
     * CSeq), and a watcher who is slow gets the newest state only.
     *
     * <p>A SUBSCRIBE by UDP may bear another's address. So the state waits for the first answer,
     * which needs the NOTIFY to be read. RFC 6665 4.2.2: pending is "that policy information is
     * insufficient to accept or deny the subscription at this time". But a phone that takes any
     * NOTIFY answers it too (RFC 6665 4.1.3): so who has proved nothing yet gets one small
     * document, and what comes later when he refreshes.
     *
     * @param ends null: this NOTIFY is the last
     */
    private void tell(SipSession watcher, ServletTimer ends) throws IOException, ServletException {
        boolean moved = watcher.getAttribute(MOVED) != null;
        if (moved || watcher.getState() != SipSession.State.CONFIRMED) {
            if (!moved || ends == null) {
                forget(watcher.getId());
            }
            return;
        }
        if (watcher.getAttribute(AWAITS) != null) {
            watcher.setAttribute(NEWS, true);
            return;
        }
        boolean heard = watcher.getAttribute(HEARD) != null;
        boolean small = isProved(watcher) || mayHaveOne(watcher);
        if (heard && !small && ends != null) {
            return;
        }
        boolean asks = !heard && watcher.getAttribute(ASKED) == null && !all().isEmpty();
        long seconds = ends == null ? 0 : (ends.getTimeRemaining() + 999) / 1000;
        SipServletRequest notify = watcher.createRequest("NOTIFY");
        notify.setHeader("Event", (String) watcher.getAttribute(EVENT));
        notify.setHeader(
                "Subscription-State",
                asks
                        ? "pending;expires=" + seconds
                        : ends == null ? "terminated;reason=timeout" : "active;expires=" + seconds);
        if ((heard || all().isEmpty()) && small) {
            notify.setContent(document(), Pidf.TYPE);
            if (!all().isEmpty()) {
                watcher.setAttribute(STATED, true);
            }
        }
        if (asks) {
            watcher.setAttribute(ASKED, true);
            watcher.setAttribute(NEWS, true); // what follows the answer
        }
        watcher.setAttribute(AWAITS, true);
        notify.send();
    }

    private boolean isProved(SipSession watcher) {
        return !unproved().contains(watcher.getId());
    }

    private boolean mayHaveOne(SipSession watcher) throws ServletException {
        return watcher.getAttribute(STATED) == null && document().length <= MOST_UNPROVED;
    }

    /**
     * The final response to a NOTIFY.
     *
     * @param moved it names a Contact that is not where it came from: nothing goes there, until a
     *     SUBSCRIBE brings him back
     */
    void notified(SipServletResponse response, boolean moved) throws IOException, ServletException {
        SipSession watcher = response.getSession();
        boolean news = watcher.getAttribute(NEWS) != null;
        watcher.removeAttribute(AWAITS);
        watcher.removeAttribute(NEWS);
        ServletTimer ends = timer(watcher.getId());
        if (moved) {
            watcher.setAttribute(MOVED, true);
        }
        if (response.getStatus() < 300) {
            watcher.setAttribute(HEARD, true);
        }
        if (response.getStatus() >= 300) {
            // RFC 6665 4.2.2: who does not take a NOTIFY is a watcher no longer. After 481 and 408
            // the dialog is gone; else the NOTIFY that follows here ends it.
            news = ends != null;
            cancelTimer(watcher.getId());
            ends = null;
        }
        if (news) {
            tell(watcher, ends);
        } else if (ends == null) {
            forget(watcher.getId());
        }
    }

    // ---- time ----

    void expire(String what) throws IOException, ServletException {
        if (has(what)) {
            replace(what, all().get(what), null, null);
            tellAll();
            return;
        }
        SipSession watcher = session.getSipSession(what);
        cancelTimer(what);
        if (watcher != null && watcher.isValid()) {
            tell(watcher, null);
        } else {
            forget(what);
        }
    }

    /** One look at the timers: one for each publication and watcher. */
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
