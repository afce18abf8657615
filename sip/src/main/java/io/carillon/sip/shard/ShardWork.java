package io.carillon.sip.shard;

import io.carillon.sip.hop.Hop;
import java.util.BitSet;

/** What a shard has at hand, and what it lets in: for who runs it. On its thread. */
public final class ShardWork {
    private ShardWork() {}

    /** Adds the partitions in which something is to be answered that no record of a call holds. */
    public static void underWay(Shard shard, BitSet partitions) {
        shard.core().servers().underWay(partitions);
        shard.core().clients().underWay(partitions);
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
