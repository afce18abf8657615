package io.carillon.lab.load;

import io.carillon.sip.hop.Hop;
import org.jspecify.annotations.Nullable;

/** The output of the engine: the network, or a network in memory. Called on its thread. */
@FunctionalInterface
interface LoadWire {
    /**
     * Sends bytes, which are the engine's again when this returns.
     *
     * @param headersEnd offset of the empty line after the headers
     * @param sender the leg to tell when a stream fails; null when nobody minds
     */
    void send(Hop to, byte[] bytes, int length, int headersEnd, @Nullable Leg sender);
}
