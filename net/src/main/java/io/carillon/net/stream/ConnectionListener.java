package io.carillon.net.stream;

import io.carillon.sip.hop.Hop;

/** Told when a stream connection ends. */
@FunctionalInterface
public interface ConnectionListener {

    /**
     * A connection that was established ended. Called on the connection's shard thread, after its
     * waiting messages were reported as failed; must not block.
     *
     * @param peer the connection: transport, both addresses and its number
     * @param cause why it ended
     */
    void closed(Hop peer, CloseCause cause);
}
