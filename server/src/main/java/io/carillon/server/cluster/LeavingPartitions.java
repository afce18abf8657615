package io.carillon.server.cluster;

import io.carillon.servlet.feature.adopt.LeavingCalls.Told;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Partitions that this node has lost, or hands over. Those of one change of the table are dropped
 * together: a walk through all calls for each of hundreds would hold up the beats, and so the
 * lease.
 *
 * <p>A hand-over takes four steps. What was changed before reaches the store. Each call leaves in
 * its turn, where the store has it as it is. When no call is left the rest of the partition is
 * dropped. Then the next owner hears of it. What is not so far is looked at again.
 *
 * <p>One thread, the cluster's.
 */
final class LeavingPartitions {
    /** What was changed before is with other nodes by then, where the store keeps up. */
    private static final long HAND_OVER_MILLIS = 200;

    /** Partitions whose last call has gone within that time are dropped together. */
    private static final long TOGETHER_MILLIS = 20;

    /** Runs something later, on the same thread. */
    interface Later {
        void after(long millis, Runnable task);
    }

    /** The calls of this node. */
    interface Calls {
        /** Drops what is there of these partitions. */
        void drop(BitSet partitions);

        /** Which of them have calls that the store does not know as they are. */
        BitSet unwritten(BitSet partitions);

        /**
         * Drops those calls that it knows so still, each in its turn.
         *
         * @param told on the thread of {@link LeavingPartitions}
         */
        void letGo(BitSet partitions, Told told);

        /** Which of them have calls here. */
        BitSet present(BitSet partitions);
    }

    /** One hand-over of partitions; what is heard of one counts for it alone. */
    private static final class HandOver {
        private final BitSet begun = new BitSet();
    }

    private final Calls calls;
    private final Later later;
    private final IntConsumer handedOver;

    /** Those that are handed over now, and whose calls are still here. */
    private final Map<Integer, HandOver> leaving = new HashMap<>();

    /** Those whose calls were all asked, and have left. */
    private final Map<Integer, HandOver> empty = new HashMap<>();

    private BitSet lost = new BitSet();
    private @Nullable HandOver handing;

    /**
     * @param handedOver is told of each of which nothing is left here
     */
    LeavingPartitions(Calls calls, Later later, IntConsumer handedOver) {
        this.calls = calls;
        this.later = later;
        this.handedOver = handedOver;
    }

    /** Another node may have it: its calls are dropped with the next {@link #flush}. */
    void lost(int partition) {
        leaving.remove(partition);
        lost.set(partition);
    }

    /** It is this node's again, and stays. */
    void back(int partition) {
        leaving.remove(partition);
    }

    /** Another node has it, and waits until its calls were written a last time. */
    void handOver(int partition) {
        HandOver all = handing;
        if (all == null) {
            HandOver together = new HandOver();
            all = together;
            handing = together;
            later.after(HAND_OVER_MILLIS, () -> look(together, together.begun));
        }
        all.begun.set(partition);
        leaving.put(partition, all);
    }

    /**
     * What the next owner would not find stays, until the store has it or the partition is lost
     * over it.
     */
    private void look(HandOver one, BitSet those) {
        BitSet now = still(one, those);
        BitSet waits = calls.unwritten(now);
        now.andNot(waits);
        if (!now.isEmpty()) {
            calls.letGo(now, (partition, all) -> asked(one, partition, all));
        }
        again(one, waits);
    }

    /** Each call of it was asked in its turn. */
    private void asked(HandOver one, int partition, boolean all) {
        if (leaving.get(partition) != one) {
            return; // another node may have it by now, or this one again
        }
        if (!all) {
            BitSet waits = new BitSet();
            waits.set(partition);
            again(one, waits);
            return;
        }
        if (empty.isEmpty()) {
            later.after(TOGETHER_MILLIS, this::finish);
        }
        empty.put(partition, one);
    }

    /** Only now may the next owner begin: what handlers were at meanwhile is in the store. */
    private void finish() {
        Map<Integer, HandOver> all = Map.copyOf(empty);
        empty.clear();
        BitSet gone = new BitSet();
        all.forEach((partition, one) -> {
            if (leaving.get(partition) == one) {
                gone.set(partition);
            }
        });
        // What has begun there since is handed over as well.
        BitSet more = calls.present(gone);
        gone.andNot(more);
        more.stream()
                .forEach(partition -> {
                    HandOver one = leaving.get(partition);
                    if (one != null) {
                        BitSet waits = new BitSet();
                        waits.set(partition);
                        again(one, waits);
                    }
                });
        if (!gone.isEmpty()) {
            gone.stream().forEach(leaving::remove);
            calls.drop(gone);
            gone.stream().forEach(handedOver);
        }
    }

    private BitSet still(HandOver one, BitSet those) {
        BitSet now = new BitSet();
        those.stream().filter(partition -> leaving.get(partition) == one).forEach(now::set);
        return now;
    }

    private void again(HandOver one, BitSet waits) {
        if (!waits.isEmpty()) {
            later.after(HAND_OVER_MILLIS, () -> look(one, waits));
        }
    }

    /** A change was taken in whole: what it took away is dropped. */
    void flush() {
        handing = null;
        if (!lost.isEmpty()) {
            BitSet all = lost;
            lost = new BitSet();
            calls.drop(all);
        }
    }
}
