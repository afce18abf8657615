package io.carillon.net.loop;

import io.carillon.sip.hop.Hop;

/** A plain end of a {@link LoopNetwork}: what a scripted peer of a test is. */
@FunctionalInterface
public interface LoopReceiver {

    /**
     * A message came; called on a thread of the network, one message at a time.
     *
     * @param message its bytes, given away
     * @param from the transport, and the sender's address as its remote
     */
    void received(byte[] message, Hop from);
}
