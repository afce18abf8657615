package io.carillon.net.shard;

import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.shard.Shard;

/**
 * Makes the shards of a network; called on the thread that starts it, before any socket receives.
 */
@FunctionalInterface
public interface ShardFactory {

    /**
     * Makes one shard.
     *
     * @param index 0 to the number of shards - 1
     * @param executor the way to the shard's thread
     * @param wire the shard's output
     * @param startNanos the {@link System#nanoTime()} that is the shard's time zero; all later
     *     times it gets are of that clock
     */
    Shard create(int index, ShardExecutor executor, Wire wire, long startNanos);
}
