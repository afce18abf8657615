package io.carillon.server.access;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Browsers that have logged in. Kept in memory: they log in again after a restart. An account has
 * {@link #MOST_OF_ONE} at most, the one that was used longest ago gives way; all together {@link
 * #MOST}. Any thread, under one lock.
 */
public final class Sessions {
    private static final int MOST = 2_000;
    private static final int MOST_OF_ONE = 32;
    private static final int SECRET_BYTES = 32;

    private final long idleNanos;
    private final long longestNanos;
    private final LongSupplier nanos;
    private final SecureRandom random = new SecureRandom();

    /** By id; guarded by this. */
    private final Map<String, Held> held = new HashMap<>();

    private static final class Held {
        private final Session session;
        private final long began;
        private long used;

        Held(Session session, long now) {
            this.session = session;
            this.began = now;
            this.used = now;
        }
    }

    /**
     * @param idle after which an unused one is over
     * @param longest after which any is
     */
    public Sessions(Duration idle, Duration longest, LongSupplier nanos) {
        this.idleNanos = idle.toNanos();
        this.longestNanos = longest.toNanos();
        this.nanos = nanos;
    }

    /** Begins one. */
    public synchronized Session begin(
            String account, String way, String stamp, List<String> roles) {
        long now = nanos.getAsLong();
        held.values().removeIf(one -> over(one, now));
        if (count(account) >= MOST_OF_ONE) {
            dropOldest(account, now);
        } else if (held.size() >= MOST) {
            dropOldest(null, now);
        }
        Session made = new Session(secret(), secret(), account, way, stamp, List.copyOf(roles));
        held.put(made.id(), new Held(made, now));
        return made;
    }

    private int count(String account) {
        int count = 0;
        for (Held one : held.values()) {
            count += one.session.account().equals(account) ? 1 : 0;
        }
        return count;
    }

    private void dropOldest(@Nullable String account, long now) {
        Held oldest = null;
        for (Held one : held.values()) {
            if ((account == null || one.session.account().equals(account))
                    && (oldest == null || now - one.used > now - oldest.used)) {
                oldest = one;
            }
        }
        if (oldest != null) {
            held.remove(oldest.session.id());
        }
    }

    private boolean over(Held one, long now) {
        return now - one.used > idleNanos || now - one.began > longestNanos;
    }

    private String secret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * The session of a cookie; null: none.
     *
     * @param use whether that keeps it alive
     */
    public synchronized @Nullable Session find(String id, boolean use) {
        Held found = held.get(id);
        if (found == null) {
            return null;
        }
        long now = nanos.getAsLong();
        if (over(found, now)) {
            held.remove(id);
            return null;
        }
        if (use) {
            found.used = now;
        }
        return found.session;
    }

    /** Ends one. */
    public synchronized void end(String id) {
        held.remove(id);
    }

    /** Ends all of an account. */
    public synchronized void endAll(String account) {
        for (Iterator<Held> all = held.values().iterator(); all.hasNext(); ) {
            if (all.next().session.account().equals(account)) {
                all.remove();
            }
        }
    }

    /** How many there are. */
    public synchronized int size() {
        return held.size();
    }
}
