package io.carillon.net.stream;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of unfinished messages on all connections: a connection may hold as much as one
 * message, but not all of them at once. Over the limit those of the source that holds most are
 * closed ({@link OverfullRelief}); until they are, whoever asks for more has twice the limit. Any
 * thread; asked only where a read ended inside a message.
 */
final class WaitingBytes {
    private final long limit;
    private final AtomicLong held = new AtomicLong();
    private final OverfullRelief<?> relief;

    /**
     * @param relief closes connections over its limit
     */
    WaitingBytes(OverfullRelief<?> relief) {
        this.limit = relief.limit();
        this.relief = relief;
    }

    /**
     * What a connection holds has changed.
     *
     * @param before bytes that it held
     * @param now bytes that it holds
     * @param tally of its loop
     * @return whether it may keep them
     */
    boolean changed(int before, int now, LoopCounts tally) {
        long all = held.addAndGet((long) now - before);
        tally.add(NetworkCounter.STREAM_BYTES_WAITING, (long) now - before);
        if (now <= before || all <= limit) {
            return true;
        }
        relief.check(all);
        return all <= 2 * limit;
    }
}
