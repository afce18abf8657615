package io.carillon.servlet.session;

import io.carillon.servlet.app.Application;
import io.carillon.sip.dialog.DialogKey;
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
    private final ConcurrentHashMap<DialogKey, ServletSession> proxied = new ConcurrentHashMap<>();
    private final AtomicInteger count = new AtomicInteger();
    private final int cap;

    /**
     * @param cap of application sessions; more are refused
     */
    public SessionTables(int cap) {
        this.cap = cap;
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
        proxied.put(key, session);
    }

    public void removeProxied(DialogKey key, ServletSession session) {
        proxied.remove(key, session);
    }

    /**
     * The proxied dialog of a request with that key (as its receiver would see it), whichever end
     * sent it.
     */
    public @Nullable ServletSession proxied(DialogKey key) {
        ServletSession found = proxied.get(key);
        return found != null
                ? found
                : proxied.get(
                        new DialogKey(
                                key.callId(),
                                /* localTag= */ key.remoteTag(),
                                /* remoteTag= */ key.localTag()));
    }

    /** Dialogs of user agents and proxies now. */
    public int dialogs() {
        return dialogs.size() + proxied.size();
    }
}
