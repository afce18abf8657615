package io.carillon.lab.compare;

import io.carillon.lab.peers.Contender;
import java.io.IOException;
import java.nio.file.Path;

/** A server that runs, is warm, and can be put under load. */
interface ServerUnderTest extends AutoCloseable {
    String name();

    /**
     * Loads it at a rate and reads it.
     *
     * @param place folder for the logs and counts of this window
     */
    MeasuredWindow window(int rate, Path place) throws IOException;

    /** How long ago it took calls first. */
    long secondsSinceReady();

    /** Waits, without load. */
    void idle(long seconds) throws IOException;

    @Override
    void close() throws IOException;

    /** Starts servers. */
    interface Starter {
        ServerUnderTest start(Contender contender) throws IOException;
    }
}
