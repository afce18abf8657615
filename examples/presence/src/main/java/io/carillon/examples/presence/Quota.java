package io.carillon.examples.presence;

import java.util.HashMap;
import java.util.Map;

/**
 * Bounds the bytes of all publications together. While more than half is taken a source has its
 * share of what others leave, so that a few cannot take the room from all others. Any thread, one
 * lock; a source has an entry for as long as it has a publication.
 */
final class Quota {
    private final long most;
    private final int sharePercent;
    private final Map<String, Long> ofSources = new HashMap<>();
    private long taken;

    Quota(long most, int sharePercent) {
        this.most = most;
        this.sharePercent = sharePercent;
    }

    /**
     * @param old ends; null for none
     * @param next begins; null for none
     * @return whether there was room. Without it nothing has changed
     */
    synchronized boolean exchange(Publication old, Publication next) {
        count(old, -1);
        if (next != null && (old == null || next.bytes() > old.bytes()) && !fits(next)) {
            count(old, 1);
            return false;
        }
        count(next, 1);
        return true;
    }

    private boolean fits(Publication next) {
        long all = taken + next.bytes();
        long own = ofSources.getOrDefault(next.source, 0L) + next.bytes();
        long left = most - (all - own);
        return all <= most && (all <= most / 2 || own <= left * sharePercent / 100);
    }

    private void count(Publication one, int sign) {
        if (one != null) {
            taken += sign * one.bytes();
            ofSources.merge(
                    one.source,
                    sign * one.bytes(),
                    (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
        }
    }
}
