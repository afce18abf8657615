package io.carillon.router;

import io.carillon.cluster.link.PeerId;

/** What a router has counted. Written by its loop only, read by any thread, racily. */
@SuppressWarnings(
        "EnumOrdinal") // an index into an array that lives no longer than the enum's class
public final class RouterCounts {
    private final long[] counts = new long[RouterCounter.values().length];
    private final long[] toNodes = new long[PeerId.NONE];
    private final long[] fromNodes = new long[PeerId.NONE];
    private long keptBytes;

    void count(RouterCounter counter) {
        counts[counter.ordinal()]++;
    }

    void to(int node) {
        toNodes[node]++;
    }

    void from(int node) {
        fromNodes[node]++;
    }

    void kept(long bytes) {
        keptBytes = bytes;
    }

    /** Bytes of messages of connections that no node has taken or answered yet. */
    public long keptBytes() {
        return keptBytes;
    }

    /** The count so far. */
    public long get(RouterCounter counter) {
        return counts[counter.ordinal()];
    }

    /** Messages given to that node. */
    public long toNode(int node) {
        return toNodes[node];
    }

    /** Messages sent for that node. */
    public long fromNode(int node) {
        return fromNodes[node];
    }
}
