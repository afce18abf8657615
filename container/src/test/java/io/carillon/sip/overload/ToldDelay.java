package io.carillon.sip.overload;

/** What a shard was told of its handlers, for tests of who tells it. */
public final class ToldDelay {
    private ToldDelay() {}

    /** The least since the last call, in nanoseconds; the longest value for nothing. */
    public static long take(QueueingDelay delay) {
        return delay.take(Waiting.HANDLER);
    }
}
