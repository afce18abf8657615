package io.carillon.sip.overload;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long messages of a shard have waited before work on them began, by the place where they do.
 * What counts is the <em>least</em> of each look: a queue that stands makes all wait, a pause of
 * the machine or one slow handler only some. So whoever measures tells of each, also of those that
 * hardly waited.
 *
 * <p>Any thread. Memory is fixed.
 */
public final class QueueingDelay {
    static final Waiting[] PLACES = Waiting.values();

    /** In place of a delay where nothing was told. */
    static final long NOTHING = Long.MAX_VALUE;

    private final AtomicLongArray least = new AtomicLongArray(PLACES.length);

    public QueueingDelay() {
        for (int i = 0; i < PLACES.length; i++) {
            least.set(i, NOTHING);
        }
    }

    /**
     * Work on a message begins, or it still waits.
     *
     * @param nanos for how long it has waited
     */
    public void waited(Waiting where, long nanos) {
        int at = where.index();
        long known = least.get(at);
        while (nanos < known) {
            if (least.compareAndSet(at, known, Math.max(0, nanos))) {
                return;
            }
            known = least.get(at);
        }
    }

    /** The least since the last call for that place, {@link #NOTHING} for none; one reader. */
    long take(Waiting where) {
        int at = where.index();
        return least.get(at) == NOTHING ? NOTHING : least.getAndSet(at, NOTHING);
    }
}
