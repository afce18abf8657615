package io.carillon.lab.rig;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;

/** A server under test: one that we started, or one that somebody else runs. */
public interface LoadedServer extends AutoCloseable {
    String name();

    InetSocketAddress address();

    /** Its process, where that is known and this one did not start it. */
    default List<ProcessHandle> foreign() {
        return List.of();
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
