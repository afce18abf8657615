package io.carillon.cluster.link;

/** One thread's counts of a link. Written by that thread only, read by any thread, racily. */
@SuppressWarnings(
        "EnumOrdinal") // an index into an array that lives no longer than the enum's class
public final class LinkCounts {
    private final long[] counts = new long[LinkCounter.values().length];

    /** Counts one. */
    public void count(LinkCounter counter) {
        counts[counter.ordinal()]++;
    }

    /** The count so far. */
    public long get(LinkCounter counter) {
        return counts[counter.ordinal()];
    }
}
