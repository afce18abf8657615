package io.carillon.lab.compare;

import io.carillon.lab.peers.Contender;
import java.io.IOException;
import java.nio.file.Path;

/** A server that runs, is warm, and can be put under load. */
interface UnderTest extends AutoCloseable {
    String name();

    /**
     * Loads it at a rate and reads it.
     *
     * @param place folder for the logs and counts of this window
     */
    Window window(int rate, Path place) throws IOException;

    @Override
    void close() throws IOException;

    /** Starts servers. */
    interface Starter {
        UnderTest start(Contender contender) throws IOException;
    }
}
