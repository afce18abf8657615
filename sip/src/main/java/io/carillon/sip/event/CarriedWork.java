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
     * Asked when it has waited and can go on, on the shard's thread: may it go on there? Else what
     * waits in many calls and computes then could take all threads that the shard gets instead of
     * its own.
     *
     * @param rest runs it on, until it ends or waits again; to be called once, on a platform thread
     * @return false when that is done elsewhere
     */
    default boolean goesOn(Runnable rest) {
        return true;
    }

    /**
     * It has held the shard's thread for longer than it may, and goes on: the shard has got another
     * thread. Told on another thread, which may wait.
     *
     * @param nanos for how long until now
     */
    void heldTheShard(long nanos);
}
