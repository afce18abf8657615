package io.carillon.net.count;

/** One event loop's counts. Written by that loop's thread only, read by any thread, racily. */
@SuppressWarnings(
        "EnumOrdinal") // an index into an array that lives no longer than the enum's class
public final class LoopCounts {

    /** Longs of padding on both sides, so that two loops' counts share no cache line. */
    private static final int PADDING = 16;

    private final long[] counts = new long[NetworkCounter.values().length + 2 * PADDING];

    /** Counts one. */
    public void count(NetworkCounter counter) {
        counts[PADDING + counter.ordinal()]++;
    }

    /** Counts many (or back, for a gauge). */
    public void add(NetworkCounter counter, long amount) {
        counts[PADDING + counter.ordinal()] += amount;
    }

    /** This loop's count. */
    public long get(NetworkCounter counter) {
        return counts[PADDING + counter.ordinal()];
    }
}
