package io.carillon.grid.store;

import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Partitions of which nobody seen has a copy, as those who had one were lost at one time: the grid
 * gives such a partition to others, empty. That is no proof that it has no records: those who had
 * them may live, behind a wire that was cut, and come back. For a time nobody may rely on what is
 * read of it. Any thread; one entry for each partition at most.
 */
final class LostCopies {
    /** Who had the copies, and until when they may come back. */
    private record Lost(Set<Object> holders, long untilNanos) {}

    private final Map<Integer, Lost> lost = new ConcurrentHashMap<>();
    private final long nanos;

    /**
     * @param nanos so long they may come back
     */
    LostCopies(long nanos) {
        this.nanos = nanos;
    }

    /**
     * Others are to hold a partition; reads still ask those before. So it may be lost from now on,
     * and what was lost is not back yet.
     *
     * @param before those whom reads ask, none where there was no such partition
     * @param after those whom they will ask
     */
    void moves(int partition, Collection<?> before, Collection<?> after, long nowNanos) {
        if (!before.isEmpty() && Collections.disjoint(before, after)) {
            Lost fresh = new Lost(Set.copyOf(before), nowNanos + nanos);
            lost.merge(partition, fresh, (old, now) -> old.untilNanos - nowNanos > 0 ? old : now);
        }
    }

    /** Reads ask those after from now on; as above. */
    void moved(int partition, Collection<?> before, Collection<?> after, long nowNanos) {
        Lost known = lost.get(partition);
        if (known == null) {
            moves(partition, before, after, nowNanos);
        } else if (!Collections.disjoint(known.holders, after)) {
            lost.remove(partition, known);
        }
    }

    /** One of these whose copies were lost; -1 for none. */
    int oneOf(Collection<Integer> partitions, long nowNanos) {
        if (lost.isEmpty()) {
            return -1;
        }
        for (int partition : partitions) {
            Lost known = lost.get(partition);
            if (known != null && known.untilNanos - nowNanos > 0) {
                return partition;
            }
            if (known != null) {
                lost.remove(partition, known);
            }
        }
        return -1;
    }
}
