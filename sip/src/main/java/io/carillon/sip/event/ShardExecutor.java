package io.carillon.sip.event;

import java.util.concurrent.Executor;

/**
 * The only queue between threads: tasks given to {@link #execute} run one after the other on the
 * shard's thread, never inside {@code execute} itself.
 */
public interface ShardExecutor extends Executor {
    /** True on the shard's thread. */
    boolean inShard();

    /**
     * The clock of the shard, in the nanoseconds of {@code Shard.receive} and {@code
     * Shard.advance}: {@code System.nanoTime()} in production, virtual time in tests. Asked when a
     * command comes from outside, as the last advance may be long ago.
     */
    long nanoTime();
}
