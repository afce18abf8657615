package io.carillon.server.cluster;

import org.jspecify.annotations.Nullable;

/**
 * For how long records have had one copy only, and how long that will last: each look tells how
 * many partitions it concerns. Any thread.
 */
final class CopiesWatch {
    private static final long MILLI = 1_000_000;

    private boolean open;
    private long sinceNanos;
    private int most;
    private long mostNanos;
    private int missing;
    private @Nullable Long lastMillis;

    /**
     * What is known of it.
     *
     * @param forMillis since when partitions have one copy only; 0 where all have two
     * @param inMillis when all have two again, as fast as it went so far; null where nothing can be
     *     said
     * @param lastMillis how long it took the last time; null where it did not happen yet
     */
    record Seen(long forMillis, @Nullable Long inMillis, @Nullable Long lastMillis) {}

    /** So many partitions have one copy only now. */
    synchronized void look(int partitions, long nowNanos) {
        if (partitions == 0 && open) {
            open = false;
            lastMillis = (nowNanos - sinceNanos) / MILLI;
        } else if (partitions > 0 && !open) {
            open = true;
            sinceNanos = nowNanos;
            most = 0;
        }
        if (partitions > most) {
            most = partitions;
            mostNanos = nowNanos;
        }
        missing = partitions;
    }

    synchronized Seen seen(long nowNanos) {
        if (!open) {
            return new Seen(0, null, lastMillis);
        }
        long took = nowNanos - mostNanos;
        int done = most - missing;
        Long in = done == 0 ? null : (Long) (took / done * missing / MILLI);
        return new Seen((nowNanos - sinceNanos) / MILLI, in, lastMillis);
    }
}
