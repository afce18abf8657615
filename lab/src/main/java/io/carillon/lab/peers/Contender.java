package io.carillon.lab.peers;

import io.carillon.lab.rig.ServerProcess;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** A server that can take part in a comparison. */
public interface Contender {
    /** One word: what the options and the results call it. */
    String name();

    /** What it is and where it does less or more than Carillon, in a sentence for the table. */
    String description();

    /** Over which it can be called, and calls on. */
    default Set<Transport> transports() {
        return Set.of(Transport.UDP);
    }

    /** Why it cannot take part there, in a sentence; empty where it can. */
    default String objection(Site site) {
        return "";
    }

    /**
     * Writes its configuration into the folder and says how it is started.
     *
     * @throws IOException where it is not installed, saying how to get it
     */
    ServerProcess.Launch launch(Site site, Path folder) throws IOException;

    /** Starts it and waits until it takes calls. */
    default ServerProcess start(Site site, Path folder) throws IOException {
        return ServerProcess.start(launch(site, folder), folder);
    }
}
