package io.carillon.sip.overload;

/** What a shard was told, for tests of who tells it. */
public final class ToldDelay {
    private ToldDelay() {}

    /** The least since the last call, in nanoseconds; 0 for nothing. */
    public static long take(QueueingDelay delay, Waiting where) {
        long least = delay.take(where);
        return least == QueueingDelay.NOTHING ? 0 : least;
    }
}
