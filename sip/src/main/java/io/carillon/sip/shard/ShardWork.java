package io.carillon.sip.shard;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.transaction.Transaction;
import io.carillon.sip.transaction.TransactionTable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** What a shard has at hand, and what it lets in: for who runs it. On its thread. */
public final class ShardWork {
    private ShardWork() {}

    /** Adds the partitions in which something is to be answered that no record of a call holds. */
    public static void underWay(Shard shard, BitSet partitions) {
        shard.core().servers().underWay(partitions);
        shard.core().clients().underWay(partitions);
    }

    /**
     * Ends, without a word to anyone, what is under way in partitions that are another node's: when
     * they come back, their calls are resumed from records, and nothing of before may answer.
     */
    public static void drop(Shard shard, BitSet partitions) {
        drop(shard.core().servers(), partitions, shard.now());
        drop(shard.core().clients(), partitions, shard.now());
        shard.requests().drop(partitions);
    }

    private static void drop(TransactionTable table, BitSet partitions, long nowNanos) {
        List<Transaction> gone = new ArrayList<>();
        table.forEach(each -> {
            if (each.partition() >= 0 && partitions.get(each.partition())) {
                gone.add(each);
            }
        });
        gone.forEach(each -> each.discard(nowNanos));
    }

    /** Does the shard refuse new work now? */
    public static boolean sheds(Shard shard) {
        return shard.core().shedding().control().limits();
    }

    /**
     * May a message go on, which is not for this shard but came to its loop? What is shed is
     * answered here.
     *
     * @return false when it is dealt with
     */
    public static boolean lets(Shard shard, byte[] message, int length, Hop from, long nowNanos) {
        return shard.core().shedding().lets(message, length, from, nowNanos);
    }
}
