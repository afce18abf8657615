package io.carillon.net.shard;

/**
 * How long a thread has slept in all. Written by that thread, or by who has its place; read by any.
 */
final class IdleTime {
    private volatile long totalNanos;

    /** Since when it sleeps; 0 while it works. */
    private volatile long sinceNanos;

    /**
     * @param nowNanos it sleeps from now on
     */
    IdleTime(long nowNanos) {
        sinceNanos = nowNanos;
    }

    /** It falls asleep. */
    void begins(long nowNanos) {
        sinceNanos = nowNanos;
    }

    /** Does it sleep, as far as it was told? */
    boolean sleeps() {
        return sinceNanos != 0;
    }

    /** It is awake; told once more does no harm. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void ends(long nowNanos) {
        long since = sinceNanos;
        if (since != 0) {
            sinceNanos = 0;
            totalNanos += nowNanos - since;
        }
    }

    /** In all until now. What ends at this moment may count twice, or not at all. */
    long untilNanos(long nowNanos) {
        long since = sinceNanos;
        return totalNanos + (since == 0 ? 0 : nowNanos - since);
    }
}
