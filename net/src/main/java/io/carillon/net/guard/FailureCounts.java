package io.carillon.net.guard;

/**
 * Failures of sources within a window, in a table of fixed size. The window of a source begins with
 * its first failure. Owner: the lock of {@link Bans}.
 */
final class FailureCounts {
    private final SourceTable windows;
    private final int[] counts;
    private final long windowNanos;

    FailureCounts(int sets, long seed, long windowNanos) {
        this.windows = new SourceTable(sets, seed);
        this.counts = new int[windows.size()];
        this.windowNanos = windowNanos;
    }

    /** Adds to a source's failures; how many it has in its window now. */
    int add(long source, int weight, long now) {
        int slot = windows.find(source);
        if (slot < 0 || windows.deadlineAt(slot) <= now) {
            slot = windows.put(source, now + windowNanos, now);
            counts[slot] = 0;
        }
        counts[slot] += weight;
        return counts[slot];
    }

    void forget(long source) {
        int slot = windows.find(source);
        if (slot >= 0) {
            windows.clear(slot);
        }
    }

    void forgetAll() {
        for (int slot = 0; slot < counts.length; slot++) {
            windows.clear(slot);
        }
    }
}
