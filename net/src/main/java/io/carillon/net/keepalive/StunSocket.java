package io.carillon.net.keepalive;

import java.net.InetSocketAddress;

/** A UDP socket by which STUN leaves. Called on the thread of its loop. */
@FunctionalInterface
public interface StunSocket {

    /**
     * Sends one STUN message; what is lost is not told.
     *
     * @param message must not change any more
     */
    void send(byte[] message, InetSocketAddress remote);
}
