package io.carillon.sip.event;

/**
 * Work that may block, for {@link ShardExecutor#carry}. Its {@link #run} is called once, on a
 * virtual thread that nobody else has meanwhile, and that had none but work of the same owner
 * before.
 */
public interface CarriedWork extends Runnable {
    /** Whose it is: what it leaves in its thread's locals, other work of that owner may see. */
    Object owner();

    /**
     * Asked before it begins, on the shard's thread: may it still be carried? What was added in the
     * meantime may have shown that such work computes for too long, or that there is more of it
     * than one thread can do.
     *
     * @param waitedNanos for how long it has waited
     * @return false when it has gone elsewhere: then it is dropped here
     */
    boolean stays(long waitedNanos);

    /**
     * Asked when it has waited and can go on, on the shard's thread: may it go on there? Else what
     * waits in many calls and computes then could take all threads that the shard gets instead of
     * its own.
     *
     * @param rest runs it on, until it ends or waits again; to be called once, on a platform thread
     * @param waitedNanos for how long it could have gone on
     * @return false when that is done elsewhere
     */
    default boolean goesOn(Runnable rest, long waitedNanos) {
        return true;
    }

    /**
     * It has had more of a processor than it may, or waits in native code, and holds the shard's
     * thread still: the shard has got another one. Told on another thread, which may wait.
     *
     * @param nanos for how long until now
     */
    void heldTheShard(long nanos);
}
