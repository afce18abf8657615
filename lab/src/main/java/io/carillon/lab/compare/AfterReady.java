package io.carillon.lab.compare;

import io.carillon.lab.peers.Site;

/**
 * When windows may lie, in seconds after a server's READY: begun not before {@code from}, read
 * before {@code until}.
 */
record AfterReady(long from, long until) {
    /** Whenever the servers are warm. */
    static final AfterReady ANY_TIME = new AfterReady(0, Long.MAX_VALUE);

    /** The second to the tenth minute: caches and JIT are warm, the heap still grows. */
    static final AfterReady AS_SHIPPED = new AfterReady(120, 600);

    /** For the start and the end of what makes the calls. */
    private static final long AROUND_THE_LOAD_SECONDS = 10;

    static AfterReady of(Site site) {
        return site.asShipped() ? AS_SHIPPED : ANY_TIME;
    }

    boolean isLimited() {
        return until < Long.MAX_VALUE;
    }

    /** Seconds that a server waits yet which has been READY for so long. */
    long secondsToWait(long secondsSinceReady) {
        return Math.max(0, from - secondsSinceReady);
    }

    /** Whether a pair of windows is over in time where the older server is of that age. */
    boolean hasRoom(long secondsSinceReady, LoadShape shape) {
        return !isLimited() || secondsSinceReady + pairSeconds(shape) <= until;
    }

    /** Whether a window that ended at this age of its server may count. */
    boolean holds(long secondsSinceReady) {
        return secondsSinceReady <= until;
    }

    /**
     * Sees that a pair of windows has room once both servers are warm.
     *
     * @throws IllegalArgumentException in a sentence
     */
    void check(LoadShape shape) {
        // The first one waits while the second one is warmed up.
        long begin = Math.max(from, 2L * shape.warmupSeconds());
        if (isLimited() && !hasRoom(begin, shape)) {
            throw new IllegalArgumentException(
                    "--as-shipped ends its windows "
                            + until
                            + " s after READY: a pair of them takes "
                            + pairSeconds(shape)
                            + " s and begins after "
                            + begin
                            + " s; less of --warmup, --fill, --measure or --hold");
        }
    }

    private static long pairSeconds(LoadShape shape) {
        long window =
                shape.fillSeconds()
                        + shape.measureSeconds()
                        + shape.holdMillis() / 1000
                        + AROUND_THE_LOAD_SECONDS;
        return 2 * window;
    }

    @Override
    public String toString() {
        return from + " to " + until + " s after READY";
    }
}
