package io.carillon.servlet.feature.protect;

import io.carillon.servlet.port.CallStore;
import io.carillon.sip.token.Ownership;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;

/** What is counted of the way into the store; plain adders, read racy. Any thread. */
final class ProtectionCounts {
    /** States of calls given to the store. */
    final LongAdder states = new LongAdder();

    /** Their bytes. */
    final LongAdder bytes = new LongAdder();

    /** Batches given to the store. */
    final LongAdder batches = new LongAdder();

    /** Batches that failed. */
    final LongAdder failures = new LongAdder();

    /** Records removed as their calls had ended. */
    final LongAdder removals = new LongAdder();

    /** Records that should have been removed, and were not. */
    final LongAdder removalsLost = new LongAdder();

    /** Changes after which the record was as before. */
    final LongAdder unchanged = new LongAdder();

    /** Calls that could not be written at all. */
    final LongAdder unwritable = new LongAdder();

    /** Messages that waited for their record, and left when it was safe. */
    final LongAdder leftProtected = new LongAdder();

    /** How long messages have waited for their records. */
    final WaitTimes waits = new WaitTimes();

    /** Messages that left before their record was safe. */
    private final Map<Unprotected, LongAdder> leftUnprotected = adders();

    /** Calls that are not safe now, but for those that one node holds. */
    private final Map<Unprotected, LongAdder> calls = adders();

    /** Calls whose last state the store has, for each partition. */
    private final AtomicIntegerArray stored = new AtomicIntegerArray(Ownership.PARTITIONS);

    private static Map<Unprotected, LongAdder> adders() {
        Map<Unprotected, LongAdder> all = new EnumMap<>(Unprotected.class);
        for (Unprotected why : Unprotected.values()) {
            all.put(why, new LongAdder());
        }
        return all;
    }

    private static LongAdder of(Map<Unprotected, LongAdder> all, Unprotected why) {
        LongAdder adder = all.get(why);
        if (adder == null) {
            throw new IllegalStateException("not counted: " + why);
        }
        return adder;
    }

    void left(Unprotected why) {
        of(leftUnprotected, why).increment();
    }

    void stored(int partition, int more) {
        stored.addAndGet(partition, more);
    }

    void unprotected(Unprotected why, int more) {
        of(calls, why).add(more);
    }

    /** As they are now; {@link ProtectionStatus} says what they mean. */
    ProtectionStatus status(CallStore store, long lagNanos, int waiting, long inFlight) {
        long safe = 0;
        long alone = 0;
        for (int partition = 0; partition < stored.length(); partition++) {
            int here = stored.get(partition);
            if (here > 0 && store.holders(partition) >= 2) {
                safe += here;
            } else {
                alone += Math.max(0, here);
            }
        }
        Map<Unprotected, Long> now = sums(calls);
        now.put(Unprotected.ONE_HOLDER, alone);
        return new ProtectionStatus(
                safe,
                now,
                leftProtected.sum(),
                sums(leftUnprotected),
                states.sum(),
                bytes.sum(),
                batches.sum(),
                failures.sum(),
                removals.sum(),
                removalsLost.sum(),
                unchanged.sum(),
                unwritable.sum(),
                waits.within(),
                waiting,
                inFlight,
                lagNanos / 1_000_000L);
    }

    private static Map<Unprotected, Long> sums(Map<Unprotected, LongAdder> all) {
        Map<Unprotected, Long> sums = new EnumMap<>(Unprotected.class);
        all.forEach((why, adder) -> sums.put(why, adder.sum()));
        return sums;
    }
}
