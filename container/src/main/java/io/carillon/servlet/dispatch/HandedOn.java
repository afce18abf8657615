package io.carillon.servlet.dispatch;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where requests were handed on to, so that their repeats and CANCELs follow: {@value #MOST} of
 * them at most, then the oldest is forgotten. Any thread, under its own lock.
 */
final class HandedOn {
    static final int MOST = 20_000;

    private record Stub(int partition, long untilNanos) {}

    /** By Call-ID and From tag, the oldest first. */
    private final Map<Long, Stub> stubs = new LinkedHashMap<>();

    private volatile boolean none = true;

    /**
     * A request has gone to the owner of that partition.
     *
     * @param untilNanos when none of its CANCELs will come any more
     */
    void add(long key, int partition, long untilNanos, long nowNanos) {
        synchronized (stubs) {
            stubs.remove(key);
            stubs.put(key, new Stub(partition, untilNanos));
            Iterator<Stub> oldest = stubs.values().iterator();
            while (oldest.hasNext()) {
                Stub first = oldest.next();
                if (stubs.size() <= MOST && first.untilNanos() - nowNanos > 0) {
                    break;
                }
                oldest.remove();
            }
            none = false;
        }
    }

    /** The partition that it has gone to; -1 where it has not. */
    int find(long key, long nowNanos) {
        synchronized (stubs) {
            Stub known = stubs.get(key);
            return known == null || known.untilNanos() - nowNanos <= 0 ? -1 : known.partition();
        }
    }

    /** Was none ever handed on? Takes no lock. */
    boolean none() {
        return none;
    }

    /** How many are remembered. */
    int size() {
        synchronized (stubs) {
            return stubs.size();
        }
    }
}
