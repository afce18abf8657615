package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.kernel.ApplicationSession;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Calls of partitions that are handed over together. Each is asked in its own turn whether the
 * store has it as it is: what ran in that turn before may have changed it since anybody looked.
 * Such a call stays, and its partition with it. Each partition is told of for itself, so a handler
 * that runs for long keeps no other partition waiting.
 *
 * <p>Any thread; guarded by its own monitor, under which nothing else is called.
 */
final class HandedCalls {
    private static final class Asked {
        /** Calls whose turn is awaited, and one for who counts them. */
        private int left = 1;

        private boolean all = true;
    }

    private final Predicate<ApplicationSession> written;
    private final LeavingCalls.Told told;
    private final Map<Integer, Asked> partitions = new HashMap<>();

    /**
     * @param written asked in the turn of a call
     */
    HandedCalls(BitSet partitions, Predicate<ApplicationSession> written, LeavingCalls.Told told) {
        this.written = written;
        this.told = told;
        partitions.stream().forEach(partition -> this.partitions.put(partition, new Asked()));
    }

    /** One more is to be asked. */
    synchronized void begin(int partition) {
        asked(partition).left++;
    }

    /** In the turn of the call. */
    boolean lets(ApplicationSession call, int partition) {
        boolean lets = false;
        try {
            lets = written.test(call);
        } finally {
            if (!lets) {
                stays(partition);
            }
        }
        return lets;
    }

    private synchronized void stays(int partition) {
        asked(partition).all = false;
    }

    private Asked asked(int partition) {
        Asked known = partitions.get(partition);
        if (known == null) {
            throw new IllegalArgumentException("partition " + partition + " is not handed over");
        }
        return known;
    }

    /** A call of that partition was asked; or all of them are known. */
    void end(int partition) {
        boolean all;
        synchronized (this) {
            Asked one = asked(partition);
            if (--one.left > 0) {
                return;
            }
            all = one.all;
        }
        told.asked(partition, all);
    }
}
