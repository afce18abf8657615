package io.carillon.grid.store;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * Members that are not in the grid any more, and since when: how long those were away that come
 * back. One that was started anew is another member, and never comes back; it is forgotten after an
 * hour.
 *
 * <p>Any thread; guarded by its own monitor. It holds a time for each member that went of late.
 */
final class Absences {
    private final long briefNanos;
    private final Map<Object, Long> since = new HashMap<>();

    /**
     * @param briefNanos so long an absence is brief
     */
    Absences(long briefNanos) {
        this.briefNanos = briefNanos;
    }

    /**
     * The members have changed.
     *
     * @param underWay a change, or parts that have met compare what they have: who is back is not
     *     forgotten yet
     */
    synchronized void moved(
            Collection<?> before, Collection<?> after, boolean underWay, long nowNanos) {
        Set<Object> gone = new HashSet<>(before);
        gone.removeAll(after);
        gone.forEach(member -> since.putIfAbsent(member, nowNanos));
        if (!underWay) {
            after.forEach(since::remove);
        }
        Iterator<Long> times = since.values().iterator();
        while (times.hasNext()) {
            if (nowNanos - times.next() > 60 * briefNanos) {
                times.remove();
            }
        }
    }

    /** Was each of these who is back away for a short time, and is one back at all? */
    synchronized boolean wereBrief(Collection<?> members, long nowNanos) {
        boolean back = false;
        for (Object member : members) {
            Long gone = since.get(member);
            if (gone != null) {
                back = true;
                if (nowNanos - gone >= briefNanos) {
                    return false;
                }
            }
        }
        return back;
    }
}
