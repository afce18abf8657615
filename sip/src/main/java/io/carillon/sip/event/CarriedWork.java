package io.carillon.sip.event;

/**
 * Work that may block, for {@link ShardExecutor#carry}. Its {@link #run} is called once, on a
 * virtual thread of its own.
 */
public interface CarriedWork extends Runnable {
    /**
     * Asked before it begins, on the shard's thread: may it still be carried? What was added in the
     * meantime may have shown that such work computes for too long.
     *
     * @return false when it has gone elsewhere: then it is dropped here
     */
    boolean stays();

    /**
     * It has held the shard's thread for longer than it may, and goes on: the shard has got another
     * thread. Told on the thread of the guard, which must not wait.
     *
     * @param nanos for how long until now
     */
    void heldTheShard(long nanos);
}
