package io.carillon.net.guard;

import io.carillon.sip.guard.SourceKey;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.IntPredicate;

/**
 * Some thousands of sources with a deadline each, in a table of fixed size: sets of eight, the set
 * by a hash with a seed of this process. Where a set is full and no deadline of it is over, the
 * network that has most entries in it gives one up, the one that ends first: whoever owns a network
 * pushes out his own.
 *
 * <p>{@link #deadline} is for any thread and takes no lock; the owner's lock guards the rest.
 */
final class SourceTable {
    private static final int WAYS = 8;

    /** No deadline. */
    static final long NONE = 0;

    private final AtomicLongArray keys;
    private final AtomicLongArray deadlines;
    private final long seed;
    private final int setMask;

    /**
     * @param sets a power of two; each holds eight sources
     */
    SourceTable(int sets, long seed) {
        keys = new AtomicLongArray(sets * WAYS);
        deadlines = new AtomicLongArray(sets * WAYS);
        setMask = sets - 1;
        this.seed = seed;
    }

    int size() {
        return keys.length();
    }

    private int first(long key) {
        return ((int) SourceKey.mix(key ^ seed) & setMask) * WAYS;
    }

    /** What was put for a source, else {@link #NONE}. */
    long deadline(long key) {
        int slot = find(key);
        return slot < 0 ? NONE : deadlines.getOpaque(slot);
    }

    /** The slot of a source, or -1. */
    int find(long key) {
        int from = first(key);
        for (int i = from; i < from + WAYS; i++) {
            if (keys.getOpaque(i) == key) {
                return i;
            }
        }
        return -1;
    }

    /** Gives a source a deadline; the slot that it has now. */
    int put(long key, long deadline, long now) {
        int slot = find(key);
        if (slot < 0) {
            slot = leaving(key, now);
            // Nobody may see the new source with the old one's deadline.
            deadlines.set(slot, NONE);
            keys.set(slot, key);
        }
        deadlines.set(slot, deadline);
        return slot;
    }

    /** The slot of its set that a new source takes. */
    private int leaving(long key, long now) {
        int from = first(key);
        int slot = earliest(from, i -> true);
        if (end(slot) <= now) {
            return slot;
        }
        int most = 1;
        long crowded = SourceKey.network(key);
        for (int i = from; i < from + WAYS; i++) {
            long network = SourceKey.network(keys.getOpaque(i));
            int count = network == SourceKey.network(key) ? 1 : 0;
            for (int k = from; k < from + WAYS; k++) {
                count += SourceKey.network(keys.getOpaque(k)) == network ? 1 : 0;
            }
            if (count > most) {
                most = count;
                crowded = network;
            }
        }
        long network = crowded;
        return most == 1
                ? slot
                : earliest(from, i -> SourceKey.network(keys.getOpaque(i)) == network);
    }

    /** Of those of a set that are meant the slot whose deadline comes first. */
    private int earliest(int from, IntPredicate meant) {
        int slot = -1;
        for (int i = from; i < from + WAYS; i++) {
            if (meant.test(i) && (slot < 0 || end(i) < end(slot))) {
                slot = i;
            }
        }
        return slot;
    }

    private long end(int slot) {
        return deadlines.getOpaque(slot);
    }

    /** Gives the source of a slot another deadline. */
    void set(int slot, long deadline) {
        deadlines.set(slot, deadline);
    }

    /** Takes the entry of a slot out. */
    void clear(int slot) {
        deadlines.set(slot, NONE);
        keys.set(slot, 0);
    }

    long keyAt(int slot) {
        return keys.getOpaque(slot);
    }

    long deadlineAt(int slot) {
        return deadlines.getOpaque(slot);
    }
}
