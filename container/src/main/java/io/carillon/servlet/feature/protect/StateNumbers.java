package io.carillon.servlet.feature.protect;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of the states of records within a term. An id without a key is used once, so its record
 * counts from 1. An application session with a key may end and begin again with the same id, while
 * the store remembers that it was removed: the states of the new one have to be later than that, or
 * the store would drop them and say that it has them. So all records with a key draw from one row.
 * Any thread.
 */
final class StateNumbers {
    /** Between the last state of one and the first of the next is the removal. */
    private static final int GAP = 1;

    /** Of records without a key. */
    static final StateNumbers OF_ONE = new StateNumbers(null);

    private final @Nullable AtomicLong highest;

    private StateNumbers(@Nullable AtomicLong highest) {
        this.highest = highest;
    }

    /** Of all records with a key that one node writes. */
    static StateNumbers ofKeys() {
        return new StateNumbers(new AtomicLong(-GAP));
    }

    /** The number before the first one of a record that begins now. */
    long start() {
        return highest == null ? 0 : highest.get() + GAP;
    }

    /** A state has this number. */
    void drawn(long number) {
        if (highest != null) {
            highest.accumulateAndGet(number, Math::max);
        }
    }
}
