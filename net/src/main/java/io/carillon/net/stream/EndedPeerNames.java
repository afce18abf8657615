package io.carillon.net.stream;

import io.carillon.sip.guard.Holders;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Names of peers whose connection has ended, each kept for the source that it came from: the name
 * stands in every message of its client and in its dialogs, so whoever uses it next from elsewhere
 * would get what is sent in them.
 *
 * <p>Any thread, one lock. Bounded: where there are too many, the oldest of the source with most is
 * forgotten.
 */
final class EndedPeerNames {
    /** A name has at most that many characters (RFC 1035 2.3.4); longer ones are not kept. */
    static final int LONGEST = 255;

    private record Kept(long source, long untilNanos) {}

    private final int most;
    private final long keepNanos;
    private final LongSupplier clock;

    // Guarded by this.
    private final Map<String, Kept> byName = new HashMap<>();
    private final Holders<String> bySource = new Holders<>();

    /**
     * @param most names
     * @param keepNanos how long each is kept
     * @param clock in nanoseconds
     */
    EndedPeerNames(int most, long keepNanos, LongSupplier clock) {
        this.most = most;
        this.keepNanos = keepNanos;
        this.clock = clock;
    }

    /** The connection of that source that had the name has ended. */
    synchronized void keep(String name, long source) {
        forget(name);
        byName.put(name, new Kept(source, clock.getAsLong() + keepNanos));
        bySource.add(source, name, false);
        if (byName.size() > most) {
            forget(bySource.ofMost().iterator().next());
        }
    }

    /** May a connection of that source have the name? */
    synchronized boolean mayTake(String name, long source) {
        Kept kept = byName.get(name);
        if (kept == null || kept.source == source) {
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
            bySource.remove(kept.source, name);
        }
    }

    synchronized int size() {
        return byName.size();
    }
}
