package io.carillon.server.cluster;

import java.util.BitSet;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Partitions that this node has lost, or hands over. Those of one change of the table are dropped
 * together: a walk through all calls for each of hundreds would hold up the beats, and so the
 * lease.
 *
 * <p>One thread, the cluster's.
 */
final class LeavingPartitions {
    /** What was changed before is with other nodes by then, where the store keeps up. */
    private static final long HAND_OVER_MILLIS = 200;

    /** Runs something later, on the same thread. */
    interface Later {
        void after(long millis, Runnable task);
    }

    /** Lets calls go, each in its turn. */
    interface LetGo {
        /**
         * @param over is told, on the thread of {@link LeavingPartitions}, of which partitions a
         *     call has stayed
         */
        void letGo(BitSet partitions, Consumer<BitSet> over);
    }

    private final Consumer<BitSet> drop;
    private final UnaryOperator<BitSet> unwritten;
    private final LetGo letGo;
    private final Later later;
    private final IntConsumer handedOver;

    /** Those that are handed over now, and whose calls are still here. */
    private final BitSet leaving = new BitSet();

    private BitSet lost = new BitSet();
    private @Nullable BitSet handing;

    /**
     * @param drop drops their calls
     * @param unwritten which of them have calls that the store does not know as they are
     * @param letGo drops those of their calls that it knows so still
     * @param handedOver is told of each whose calls were dropped and are the next owner's
     */
    LeavingPartitions(
            Consumer<BitSet> drop,
            UnaryOperator<BitSet> unwritten,
            LetGo letGo,
            Later later,
            IntConsumer handedOver) {
        this.drop = drop;
        this.unwritten = unwritten;
        this.letGo = letGo;
        this.later = later;
        this.handedOver = handedOver;
    }

    /** Another node may have it: its calls are dropped with the next {@link #flush}. */
    void lost(int partition) {
        leaving.clear(partition);
        lost.set(partition);
    }

    /** It is this node's again, and stays. */
    void back(int partition) {
        leaving.clear(partition);
    }

    /** Another node has it, and waits until its calls were written a last time. */
    void handOver(int partition) {
        BitSet all = handing;
        if (all == null) {
            BitSet together = new BitSet();
            all = together;
            handing = together;
            later.after(HAND_OVER_MILLIS, () -> handOver(together));
        }
        all.set(partition);
        leaving.set(partition);
    }

    /**
     * What the next owner would not find stays, until the store has it or the partition is lost
     * over it.
     */
    private void handOver(BitSet together) {
        together.and(leaving);
        BitSet waits = unwritten.apply(together);
        together.andNot(waits);
        if (!together.isEmpty()) {
            letGo.letGo(together, stayed -> gone(together, stayed));
        }
        again(waits);
    }

    /**
     * Each call of these was asked in its turn. Only now may the next owner begin with them: what a
     * handler was at meanwhile is in the store.
     */
    private void gone(BitSet together, BitSet stayed) {
        together.and(leaving); // another node may have them by now, or this one again
        BitSet waits = (BitSet) together.clone();
        waits.and(stayed);
        together.andNot(waits);
        if (!together.isEmpty()) {
            leaving.andNot(together);
            drop.accept(together);
            together.stream().forEach(handedOver);
        }
        again(waits);
    }

    private void again(BitSet waits) {
        if (!waits.isEmpty()) {
            later.after(HAND_OVER_MILLIS, () -> handOver(waits));
        }
    }

    /** A change was taken in whole: what it took away is dropped. */
    void flush() {
        handing = null;
        if (!lost.isEmpty()) {
            BitSet all = lost;
            lost = new BitSet();
            drop.accept(all);
        }
    }
}
