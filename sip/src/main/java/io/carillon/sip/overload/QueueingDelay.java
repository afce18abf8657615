package io.carillon.sip.overload;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long messages of a shard have waited before work on them began: the longest of each place
 * since it was asked last. A place that nothing was told of has no delay.
 *
 * <p>Any thread. Memory is fixed.
 */
public final class QueueingDelay {
    static final Waiting[] PLACES = Waiting.values();

    private final AtomicLongArray longest = new AtomicLongArray(PLACES.length);

    /**
     * Work on a message begins, or it still waits.
     *
     * @param nanos for how long it has waited
     */
    public void waited(Waiting where, long nanos) {
        int at = where.index();
        long known = longest.get(at);
        while (nanos > known) {
            if (longest.compareAndSet(at, known, nanos)) {
                return;
            }
            known = longest.get(at);
        }
    }

    /** The longest since the last call for that place; one reader. */
    public long take(Waiting where) {
        return longest.getAndSet(where.index(), 0);
    }
}
