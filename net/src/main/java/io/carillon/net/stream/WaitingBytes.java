package io.carillon.net.stream;

import io.carillon.net.NetworkCounter;
import io.carillon.net.Tally;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes of unfinished messages on all connections: a connection may hold as much as one
 * message, but not all of them at once. Over the limit a connection that holds much is closed; one
 * that holds the piece of a usual message stays until twice the limit. Any thread; asked only where
 * a read ended inside a message.
 */
final class WaitingBytes {
    /** More than a usual message of SIP. */
    private static final int MUCH = 4096;

    private final long limit;
    private final AtomicLong held = new AtomicLong();

    WaitingBytes(long limit) {
        this.limit = limit;
    }

    /**
     * What a connection holds has changed.
     *
     * @param before bytes that it held
     * @param now bytes that it holds
     * @param tally of its loop
     * @return whether it may keep them
     */
    boolean changed(int before, int now, Tally tally) {
        long all = held.addAndGet((long) now - before);
        tally.add(NetworkCounter.STREAM_BYTES_WAITING, (long) now - before);
        return now <= before || all <= limit || (now <= MUCH && all <= 2 * limit);
    }
}
