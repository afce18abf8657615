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

    /**
     * As {@link #execute}, after so many nanoseconds, which are meant: timers of the wheel may be
     * 10 ms late. At once where there is no such clock. On the shard's thread.
     */
    default void executeIn(long nanos, Runnable task) {
        execute(task);
    }

    /**
     * Runs work that may block beside the shard: on a virtual thread which the shard's own thread
     * carries. Work that does not block costs no other thread and no wake-up; work that blocks lets
     * the shard go on; work that computes keeps the thread, and the shard gets another. For the
     * shard it is another thread: {@link #inShard} is false in it. Any thread.
     *
     * @return false where there are no such threads: nothing happens then
     */
    default boolean carry(CarriedWork work) {
        return false;
    }
}
