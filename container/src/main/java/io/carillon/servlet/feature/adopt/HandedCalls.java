package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.CallPartition;
import java.util.BitSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Calls of partitions that are handed over together. Each is asked in its own turn whether the
 * store has it as it is: what ran in that turn before may have changed it since anybody looked.
 * Such a call stays, and its partition with it.
 *
 * <p>Any thread; guarded by its own monitor, under which nothing else is called.
 */
final class HandedCalls {
    private final BitSet partitions;
    private final Predicate<ApplicationSession> written;
    private final Consumer<BitSet> over;
    private final BitSet stay = new BitSet();

    /** Calls whose turn is awaited, and one for who counts them. */
    private int left = 1;

    /**
     * @param written asked in the turn of a call
     * @param over is told of those of the partitions that have calls which stay, once each call was
     *     asked
     */
    HandedCalls(BitSet partitions, Predicate<ApplicationSession> written, Consumer<BitSet> over) {
        this.partitions = (BitSet) partitions.clone();
        this.written = written;
        this.over = over;
    }

    boolean has(int partition) {
        return partitions.get(partition);
    }

    synchronized void begin() {
        left++;
    }

    /** In the turn of the call. */
    boolean lets(ApplicationSession call) {
        int partition = CallPartition.of(call);
        if (!has(partition)) {
            return false;
        }
        boolean lets = written.test(call);
        if (!lets) {
            synchronized (this) {
                stay.set(partition);
            }
        }
        return lets;
    }

    /** That call was asked; or all are there that were to be asked. */
    void end() {
        synchronized (this) {
            if (--left > 0) {
                return;
            }
        }
        over.accept(stay);
    }
}
