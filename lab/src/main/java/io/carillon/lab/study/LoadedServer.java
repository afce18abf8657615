package io.carillon.lab.study;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A server under test: ours, a peer's, or one that somebody else runs. */
interface LoadedServer extends AutoCloseable {
    String name();

    InetSocketAddress address();

    /** Whether the lab started it. */
    default boolean isOurChild() {
        return true;
    }

    /** CPU time of its process so far, nanoseconds; 0 throughout when its process is not known. */
    long cpuNanos() throws IOException;

    /** Datagrams that the kernel dropped at its sockets so far. */
    long drops() throws IOException;

    /** Throws when the server ended by itself. */
    void checkAlive() throws IOException;

    /** Waits until it has little to do, or a time is over. */
    void awaitQuiet() throws IOException;

    @Override
    void close() throws IOException;
}
