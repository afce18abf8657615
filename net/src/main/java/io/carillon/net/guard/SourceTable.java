package io.carillon.net.guard;

import io.carillon.sip.guard.SourceKey;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Some thousands of sources with a deadline each (its sign is the user's), in a table of fixed
 * size: sets of eight, the set by a hash with a seed of this process. Where a set is full the entry
 * that ends first gives way.
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
    int put(long key, long deadline) {
        int slot = find(key);
        if (slot < 0) {
            slot = first(key);
            for (int i = slot; i < first(key) + WAYS; i++) {
                if (Math.abs(deadlines.getOpaque(i)) < Math.abs(deadlines.getOpaque(slot))) {
                    slot = i;
                }
            }
            // Nobody may see the new source with the old one's deadline.
            deadlines.set(slot, NONE);
            keys.set(slot, key);
        }
        deadlines.set(slot, deadline);
        return slot;
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
