package io.carillon.net.stream;

import io.carillon.sip.guard.Holders;
import io.carillon.sip.guard.SourceKey;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Names of peers whose connection has ended, each kept for the source that it came from and for the
 * user who had proved himself by it: the name stands in every message of its client and in its
 * dialogs, so whoever uses it next from elsewhere would get what is sent in them.
 *
 * <p>Any thread, one lock. Bounded, in two rooms: one for names of who belongs here, by a call, a
 * registration or credentials, and one for those of strangers, who push out each other's names
 * alone. Where a room is full, the oldest of the network with most in it is forgotten, so whoever
 * owns a network pushes out his own.
 */
final class EndedPeerNames {
    /** A name has at most that many characters (RFC 1035 2.3.4); longer ones are not kept. */
    static final int LONGEST = 255;

    /** Strangers have that part of all places. */
    static final int STRANGERS_SHARE = 4;

    private record Kept(Room room, long source, long user, long untilNanos) {}

    private static final class Room {
        final int most;
        final Holders<String> byNetwork = new Holders<>();

        Room(int most) {
            this.most = most;
        }
    }

    private final long keepNanos;
    private final LongSupplier clock;

    // Guarded by this.
    private final Map<String, Kept> byName = new HashMap<>();
    private final Room proved;
    private final Room strangers;

    /**
     * @param most names, in both rooms
     * @param keepNanos how long each is kept
     * @param clock in nanoseconds
     */
    EndedPeerNames(int most, long keepNanos, LongSupplier clock) {
        this.keepNanos = keepNanos;
        this.clock = clock;
        strangers = new Room(most / STRANGERS_SHARE);
        proved = new Room(most - strangers.most);
    }

    /**
     * The connection of that source that had the name has ended.
     *
     * @param belongs had it shown that it belongs here?
     * @param user who had proved himself by it; 0: nobody
     */
    synchronized void keep(String name, long source, boolean belongs, long user) {
        forget(name);
        Room room = belongs ? proved : strangers;
        byName.put(name, new Kept(room, source, user, clock.getAsLong() + keepNanos));
        room.byNetwork.add(SourceKey.network(source), name, false);
        if (room.byNetwork.count() > room.most) {
            forget(room.byNetwork.ofMost().iterator().next());
        }
    }

    /**
     * May a connection have the name?
     *
     * @param source of the connection
     * @param user who has proved himself by it; 0: nobody
     */
    synchronized boolean mayTake(String name, long source, long user) {
        Kept kept = byName.get(name);
        if (kept == null || kept.source == source || (user != 0 && kept.user == user)) {
            return true;
        }
        if (clock.getAsLong() - kept.untilNanos < 0) {
            return false;
        }
        forget(name);
        return true;
    }

    /** A connection has the name. */
    synchronized void taken(String name) {
        forget(name);
    }

    private void forget(String name) {
        @Nullable Kept kept = byName.remove(name);
        if (kept != null) {
            kept.room.byNetwork.remove(SourceKey.network(kept.source), name);
        }
    }

    synchronized int size() {
        return byName.size();
    }
}
