package io.carillon.net.stream;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that wait for slow readers on all connections: each may let much wait, but not all of
 * them at once. Over the limit those of the source that lets most wait are closed ({@link
 * OverfullRelief}); until they are, a quarter more may wait. What a reader that keeps up has in its
 * queue is not counted, so that its messages touch nothing that is shared. Any thread.
 */
final class UnsentBytes {
    /** A queue up to here is no slow reader's. */
    static final int LITTLE = 16_384;

    private final long limit;
    private final AtomicLong held = new AtomicLong();
    private final OverfullRelief<?> relief;

    /**
     * @param relief closes connections over its limit
     */
    UnsentBytes(OverfullRelief<?> relief) {
        this.limit = relief.limit();
        this.relief = relief;
    }

    /**
     * What waits on a connection has changed.
     *
     * @param before bytes that were counted of it
     * @param now bytes to be counted
     * @param tally of its loop
     */
    void changed(long before, long now, LoopCounts tally) {
        held.addAndGet(now - before);
        tally.add(NetworkCounter.STREAM_BYTES_UNSENT, now - before);
    }

    /** May more wait, where a connection's queue is counted already? */
    boolean room() {
        long all = held.get();
        if (all <= limit) {
            return true;
        }
        relief.check(all);
        return all <= limit + limit / 4;
    }
}
