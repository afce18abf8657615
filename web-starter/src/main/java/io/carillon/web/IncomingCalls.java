package io.carillon.web;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The calls to users of the API that are not over. Anybody may call, so a user has ten at a time at
 * most, half of them of one source, and all users together as many as may run of pages.
 *
 * <p>Any thread, one lock. A call leaves when it ends, with its application session at the latest.
 */
final class IncomingCalls {
    /** A phone has fewer lines. */
    static final int MOST_OF_USER = 10;

    static final int MOST_OF_SOURCE = MOST_OF_USER / 2;

    /**
     * A call.
     *
     * @param source of its INVITE, by {@link io.carillon.sip.guard.SourceKey}
     */
    record Known(String user, long source, CallNotification notification) {
        Known in(CallNotification.State state) {
            CallNotification next =
                    new CallNotification(notification.id(), notification.from(), state);
            return new Known(user, source, next);
        }
    }

    private final int most;

    // Guarded by this.
    private final Map<String, Known> byId = new HashMap<>();

    /** The oldest first. */
    private final Map<String, Map<String, Known>> byUser = new HashMap<>();

    /**
     * @param most calls to all users
     */
    IncomingCalls(int most) {
        this.most = most;
    }

    /**
     * Takes a call in, or answers false: one in the application session of a call that is here, by
     * Replaces or Join, too.
     */
    synchronized boolean begin(Known call) {
        Map<String, Known> own = byUser.getOrDefault(call.user(), Map.of());
        long same = own.values().stream().filter(one -> one.source() == call.source()).count();
        if (byId.containsKey(call.notification().id())
                || byId.size() >= most
                || own.size() >= MOST_OF_USER
                || same >= MOST_OF_SOURCE) {
            return false;
        }
        put(call);
        return true;
    }

    private void put(Known call) {
        byId.put(call.notification().id(), call);
        byUser.computeIfAbsent(call.user(), user -> new LinkedHashMap<>())
                .put(call.notification().id(), call);
    }

    /** The call in its next state; null where it is over already, or never began. */
    synchronized @Nullable Known enter(String id, CallNotification.State state) {
        Known before = byId.get(id);
        if (before == null) {
            return null;
        }
        Known now = before.in(state);
        if (state == CallNotification.State.ENDED) {
            byId.remove(id);
            byUser.computeIfPresent(
                    now.user(),
                    (user, own) -> {
                        own.remove(id);
                        return own.isEmpty() ? null : own;
                    });
        } else {
            put(now);
        }
        return now;
    }

    synchronized @Nullable Known find(String id) {
        return byId.get(id);
    }

    /** The user's, the oldest first. */
    synchronized List<CallNotification> of(String user) {
        return byUser.getOrDefault(user, Map.of()).values().stream()
                .map(Known::notification)
                .toList();
    }
}
