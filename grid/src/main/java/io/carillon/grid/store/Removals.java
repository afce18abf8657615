package io.carillon.grid.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * What was removed lately. A removal is remembered in the grid for a time, so that a late write
 * does not bring the record back; here stands which ones may be forgotten now. Bounded: beyond it
 * the oldest are forgotten earlier. Guarded by itself.
 */
final class Removals {
    /** At 1,000 calls that end in a second, more than the time to remember. */
    static final int MOST = 200_000;

    /** A removal, and when it may be forgotten. */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    record Removal(String key, byte[] value, long atNanos) {}

    private final Deque<Removal> waiting = new ArrayDeque<>();
    private final long keptNanos;

    Removals(long keptNanos) {
        this.keptNanos = keptNanos;
    }

    synchronized void add(String key, byte[] value, long nowNanos) {
        waiting.add(new Removal(key, value, nowNanos + keptNanos));
    }

    /** Takes what may be forgotten now. */
    synchronized List<Removal> due(long nowNanos, int most) {
        List<Removal> due = new ArrayList<>();
        while (due.size() < most && !waiting.isEmpty()) {
            if (waiting.size() <= MOST && waiting.getFirst().atNanos() - nowNanos > 0) {
                break;
            }
            due.add(waiting.removeFirst());
        }
        return due;
    }

    synchronized int size() {
        return waiting.size();
    }
}
