package io.carillon.net.shard;

/** A socket with output that waits for the end of the event loop's iteration. */
@FunctionalInterface
public interface BatchedOutput {

    /** Hands everything that waits to the kernel. Called on the event loop's thread. */
    void flushBatch();
}
