package io.carillon.cluster.link;

import java.net.InetSocketAddress;

/** Sends a frame as a datagram from the address of the link. Called on the owner's thread. */
@FunctionalInterface
public interface LinkOutlet {
    /**
     * @param frame changes when this has returned
     * @param length how many bytes of it count
     */
    void transmit(byte[] frame, int length, InetSocketAddress to);
}
