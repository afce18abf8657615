package io.carillon.servlet.kernel;

import io.carillon.servlet.app.Application;
import io.carillon.servlet.port.SessionShares;
import io.carillon.sip.dialog.DialogKey;
import io.carillon.sip.hop.Hop;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where sessions are found: application sessions by id, dialogs of user agents by their key,
 * dialogs that go through a proxy by theirs in either direction. Any thread.
 */
public final class SessionTables {
    private final ConcurrentHashMap<String, ApplicationSession> byId = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<DialogKey, ServletSession> dialogs = new ConcurrentHashMap<>();

    /** A session, or where several are on one dialog their array, the caller's side first. */
    private final ConcurrentHashMap<DialogKey, Object> proxied = new ConcurrentHashMap<>();

    private final AtomicInteger count = new AtomicInteger();
    private volatile int cap;
    private volatile SessionShares shares;

    /**
     * @param cap of application sessions; more are refused
     */
    public SessionTables(int cap) {
        this.cap = cap;
        this.shares = SessionShares.none(cap);
    }

    /** Which part of the application sessions each may hold. */
    public SessionShares shares() {
        return shares;
    }

    /** Before the first session. */
    public void shares(SessionShares limits) {
        shares = limits;
    }

    /** May that hop's source begin another application session, where there is room? */
    public boolean admitsCall(@Nullable Hop from) {
        return shares.admitsCall(from, count.get());
    }

    /** May that visitor of a page begin another application session, where there is room? */
    public boolean admitsPage(long source) {
        return shares.admitsPage(source, count.get());
    }

    /** May an application begin another for a call of who is counted there? */
    public boolean admitsPassage(int place) {
        return shares.admitsPassage(place, count.get());
    }

    /** Application sessions that may be. */
    public int cap() {
        return cap;
    }

    /** So many from now on: those that are more than that live on. */
    public void resize(int most) {
        cap = most;
        shares.resize(most);
    }

    /** Is there no room for another application session? */
    public boolean full() {
        return count.get() >= cap;
    }

    /** Adds it, or returns the one that has its id already. */
    public ApplicationSession add(ApplicationSession session) {
        ApplicationSession before = byId.putIfAbsent(session.getId(), session);
        if (before == null) {
            count.incrementAndGet();
            return session;
        }
        return before;
    }

    /** False when it was gone before. */
    boolean remove(ApplicationSession session) {
        if (byId.remove(session.getId(), session)) {
            count.decrementAndGet();
            return true;
        }
        return false;
    }

    public @Nullable ApplicationSession find(String id) {
        return byId.get(id);
    }

    public Collection<ApplicationSession> all() {
        return byId.values();
    }

    public int size() {
        return count.get();
    }

    /** The id of the application session with that key: a function of application and key. */
    public static String keyedId(Application application, String key) {
        return application.name() + ":" + key;
    }

    void addDialog(DialogKey key, ServletSession session) {
        dialogs.put(key, session);
    }

    /** Adds it where nobody has the key. */
    boolean expectDialog(DialogKey key, ServletSession session) {
        return dialogs.putIfAbsent(key, session) == null;
    }

    void removeDialog(DialogKey key, ServletSession session) {
        dialogs.remove(key, session);
    }

    public @Nullable ServletSession dialog(DialogKey key) {
        return dialogs.get(key);
    }

    /**
     * A dialog that goes through a record-routing proxy: found by either end's view of its tags.
     */
    public void addProxied(DialogKey key, ServletSession session) {
        Object before = proxied.putIfAbsent(key, session);
        if (before != null && before != session) {
            proxied.compute(key, (same, held) -> DialogPath.with(held, session));
        }
    }

    /** As {@link #addProxied}; false when it stands there already. */
    public boolean expectProxied(DialogKey key, ServletSession session) {
        if (DialogPath.has(proxied.get(key), session)) {
            return false;
        }
        addProxied(key, session);
        return true;
    }

    public void removeProxied(DialogKey key, ServletSession session) {
        if (!proxied.remove(key, session)) {
            proxied.computeIfPresent(key, (same, held) -> DialogPath.without(held, session));
        }
    }

    /**
     * The proxied dialog of a request with that key (as its receiver would see it), whichever end
     * sent it: the one that meets it first where several are on the way.
     */
    public @Nullable ServletSession proxied(DialogKey key) {
        return proxied(key, -1);
    }

    /**
     * As {@link #proxied(DialogKey)}.
     *
     * @param depth the place on the chain that the request names; -1 when it names none
     */
    public @Nullable ServletSession proxied(DialogKey key, int depth) {
        Object found = proxied.get(key);
        if (found instanceof ServletSession one) {
            return one;
        }
        if (found != null) {
            return DialogPath.first(found, depth, true);
        }
        found = proxied.get(turned(key));
        return found instanceof ServletSession one ? one : DialogPath.first(found, depth, false);
    }

    /**
     * The next of ours on the way of a request that has been at that place.
     *
     * @param depth -1 at the caller's end, {@link Integer#MAX_VALUE} at the callee's
     */
    public @Nullable ServletSession next(DialogKey key, int depth) {
        Object found = proxied.get(key);
        return found != null
                ? DialogPath.behind(found, depth)
                : DialogPath.before(proxied.get(turned(key)), depth);
    }

    private static DialogKey turned(DialogKey key) {
        return new DialogKey(
                key.callId(), /* localTag= */ key.remoteTag(), /* remoteTag= */ key.localTag());
    }

    /** Dialogs of user agents and proxies now. */
    public int dialogs() {
        return dialogs.size() + proxied.size();
    }
}
