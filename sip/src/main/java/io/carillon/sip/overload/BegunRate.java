package io.carillon.sip.overload;

/** How much new work was let in lately. Owner: the shard's thread. */
final class BegunRate {
    private static final double SHORT_SECONDS = 0.2;
    private static final double LONG_SECONDS = 2;

    private long all;
    private long before;
    private double lately;
    private double forLong;

    /** One was let in. */
    void add() {
        all++;
    }

    /**
     * Takes in what came since the last look.
     *
     * @param seconds since then
     */
    void look(double seconds) {
        double now = (all - before) / seconds;
        before = all;
        lately += (now - lately) * Math.min(1, seconds / SHORT_SECONDS);
        forLong += (now - forLong) * Math.min(1, seconds / LONG_SECONDS);
    }

    /** Since the start. */
    long all() {
        return all;
    }

    /** For each second, in about the last 0.2 s. */
    double lately() {
        return lately;
    }

    /** For each second, in about the last 2 s. */
    double forLong() {
        return forLong;
    }
}
