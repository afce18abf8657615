package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.port.CallStore;
import io.carillon.servlet.port.CallStore.State;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Records that come to light after this node went on with their partition: a part of a divided grid
 * had them alone, or the store could not read them in time. Nobody here would ever ask for them, so
 * they would lie in the grid for good. All partitions of this node are read again then, a few at a
 * time.
 *
 * <p>A record that nobody knows may be of a call that has just ended here, whose removal is on its
 * way. So it counts only where it is still there some seconds later.
 *
 * <p>Any thread; guarded by its own monitor, under which nothing else is called. It holds a number
 * for each partition of this node, and the ids of those that it is to see again.
 */
final class LateRecords {
    /** Longer than a removal is under way. */
    static final long SETTLES_MILLIS = 10_000;

    /** Until a partition is tried again that could not be read. */
    static final long AGAIN_MILLIS = 30_000;

    /** Partitions that are read at the same time: others read because somebody waits. */
    private static final int AT_ONCE = 4;

    /** What this node has. */
    interface Known {
        /** A call with that id, or a record that is known already. */
        boolean has(String id);

        /** Nobody knows that one; perhaps told more than once. */
        void found(State state, long term);
    }

    private final CallStore store;
    private final RecordReads.Later timers;
    private final Known known;
    private final Map<Integer, Long> terms = new HashMap<>();
    private final BitSet due = new BitSet();

    /** Those that are tried later: one timer for each. */
    private final BitSet later = new BitSet();

    private int reading;

    LateRecords(CallStore store, RecordReads.Later timers, Known known) {
        this.store = store;
        this.timers = timers;
        this.known = known;
    }

    /** This node has that partition from now on. */
    synchronized void owns(int partition, long term) {
        terms.merge(partition, term, Math::max);
    }

    synchronized void lost(BitSet partitions) {
        partitions.stream().forEach(terms::remove);
    }

    /** Has this node the partition still, in that term? */
    synchronized boolean goesOn(int partition, long term) {
        return terms.getOrDefault(partition, term - 1) == term;
    }

    /** There may be records in any partition that nobody here has seen. */
    void lookAll() {
        synchronized (this) {
            terms.keySet().forEach(due::set);
        }
        next();
    }

    /** That partition could not be read as a whole: tries later. */
    void lookLater(int partition) {
        synchronized (this) {
            if (later.get(partition)) {
                return;
            }
            later.set(partition);
        }
        timers.later(
                partition,
                TimeUnit.MILLISECONDS.toNanos(AGAIN_MILLIS),
                () -> {
                    synchronized (this) {
                        later.clear(partition);
                        due.set(partition);
                    }
                    next();
                });
    }

    private void next() {
        while (true) {
            int partition;
            long term;
            synchronized (this) {
                partition = due.nextSetBit(0);
                if (partition < 0 || reading >= AT_ONCE) {
                    return;
                }
                due.clear(partition);
                Long own = terms.get(partition);
                if (own == null) {
                    continue;
                }
                term = own;
                reading++;
            }
            first(partition, term);
        }
    }

    private void first(int partition, long term) {
        Set<String> unknown = new HashSet<>();
        store.readAll(
                partition,
                state -> {
                    if (isUnknown(state)) {
                        unknown.add(state.id());
                    }
                },
                failure -> {
                    synchronized (this) {
                        reading--;
                    }
                    if (failure != null) {
                        lookLater(partition);
                    } else if (!unknown.isEmpty()) {
                        timers.later(
                                partition,
                                TimeUnit.MILLISECONDS.toNanos(SETTLES_MILLIS),
                                () -> second(partition, term, unknown));
                    }
                    next();
                });
    }

    private void second(int partition, long term, Set<String> unknown) {
        store.readAll(
                partition,
                state -> {
                    if (unknown.contains(state.id())
                            && isUnknown(state)
                            && goesOn(partition, term)) {
                        known.found(state, term);
                    }
                },
                failure -> {
                    if (failure != null) {
                        lookLater(partition);
                    }
                });
    }

    private boolean isUnknown(State state) {
        return state.bytes() != null && !known.has(state.id());
    }
}
