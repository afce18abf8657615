package io.carillon.net.shard;

/** A socket with output that waits for the end of the event loop's iteration. */
@FunctionalInterface
public interface BatchedOutput {

    /**
     * Does each message leave by itself, so that it gains nothing by waiting for another? Those of
     * a stream go together in one segment, and in one record of TLS.
     */
    default boolean datagrams() {
        return false;
    }

    /** Hands everything that waits to the kernel. Called on the event loop's thread. */
    void flushBatch();
}
