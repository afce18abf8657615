package io.carillon.server.cluster;

import io.carillon.servlet.feature.adopt.LeavingCalls.Told;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    private static final Logger LOG = LoggerFactory.getLogger(LeavingPartitions.class);

    /** What was changed before is with other nodes by then, where the store keeps up. */
    private static final long HAND_OVER_MILLIS = 200;

    /** After so many looks an operator hears which call it is. */
    static final int LONG_LOOKS = 25;

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

        /** Which call keeps that partition here, and why; empty where nobody knows. */
        default String keeps(int partition) {
            return "";
        }
    }

    /** One hand-over of a partition; what is heard of one counts for it alone. */
    private static final class HandOver {
        /** So often it was looked at in vain. */
        private int looks;
    }

    private final Calls calls;
    private final Later later;
    private final IntConsumer handedOver;

    /** Those that are handed over now, and whose calls are still here. */
    private final Map<Integer, HandOver> leaving = new HashMap<>();

    /** Those of the change that is taken in now. */
    private Map<Integer, HandOver> begun = new HashMap<>();

    /** Those that are looked at once more. */
    private Map<Integer, HandOver> next = new HashMap<>();

    /** Those whose calls were all asked, and have left. */
    private final Map<Integer, HandOver> empty = new HashMap<>();

    private BitSet lost = new BitSet();

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

    /**
     * Another node has it, and waits until its calls were written a last time. All of a change, up
     * to its {@link #flush}, are looked at together.
     */
    void handOver(int partition) {
        HandOver one = new HandOver();
        leaving.put(partition, one);
        if (begun.isEmpty()) {
            Map<Integer, HandOver> together = begun;
            later.after(HAND_OVER_MILLIS, () -> look(together));
        }
        begun.put(partition, one);
    }

    /**
     * What the next owner would not find stays, until the store has it or the partition is lost
     * over it.
     */
    private void look(Map<Integer, HandOver> those) {
        BitSet now = still(those);
        BitSet waits;
        try {
            waits = calls.unwritten(now);
            now.andNot(waits);
            if (!now.isEmpty()) {
                calls.letGo(now, (partition, all) -> asked(those.get(partition), partition, all));
            }
        } catch (RuntimeException | LinkageError e) {
            // Nobody else would look again: their messages would wait until they are lost.
            LOG.error("Partitions {} could not be handed over, and are tried again", now, e);
            waits = still(those);
        }
        again(waits);
    }

    /** Each call of it was asked in its turn. */
    private void asked(@Nullable HandOver one, int partition, boolean all) {
        if (one == null || leaving.get(partition) != one) {
            return; // another node may have it by now, or this one again
        }
        if (!all) {
            BitSet waits = new BitSet();
            waits.set(partition);
            again(waits);
            return;
        }
        if (empty.isEmpty()) {
            later.after(TOGETHER_MILLIS, this::finish);
        }
        empty.put(partition, one);
    }

    /** Only now may the next owner begin: what handlers were at meanwhile is in the store. */
    private void finish() {
        BitSet gone = still(empty);
        empty.clear();
        // What has begun there since is handed over as well.
        BitSet more = calls.present(gone);
        gone.andNot(more);
        if (!gone.isEmpty()) {
            gone.stream().forEach(leaving::remove);
            calls.drop(gone);
            gone.stream().forEach(handedOver);
        }
        again(more);
    }

    private BitSet still(Map<Integer, HandOver> those) {
        BitSet now = new BitSet();
        those.forEach((partition, one) -> {
            if (leaving.get(partition) == one) {
                now.set(partition);
            }
        });
        return now;
    }

    /** All that wait are looked at together: each look walks through all calls. */
    private void again(BitSet waits) {
        for (int partition = waits.nextSetBit(0);
                partition >= 0;
                partition = waits.nextSetBit(partition + 1)) {
            HandOver one = leaving.get(partition);
            if (one != null) {
                if (++one.looks == LONG_LOOKS) {
                    LOG.warn(
                            "Partition {} is not handed over after {} s: {}",
                            partition,
                            LONG_LOOKS * HAND_OVER_MILLIS / 1_000,
                            calls.keeps(partition));
                }
                if (next.isEmpty()) {
                    later.after(HAND_OVER_MILLIS, this::lookAgain);
                }
                next.put(partition, one);
            }
        }
    }

    private void lookAgain() {
        Map<Integer, HandOver> all = next;
        next = new HashMap<>();
        look(all);
    }

    /** A change was taken in whole: what it took away is dropped. */
    void flush() {
        begun = new HashMap<>();
        if (!lost.isEmpty()) {
            BitSet all = lost;
            lost = new BitSet();
            calls.drop(all);
        }
    }
}
