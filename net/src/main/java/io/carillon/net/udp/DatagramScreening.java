package io.carillon.net.udp;

import io.carillon.net.guard.Guard;
import io.carillon.net.keepalive.StunPings;
import org.jspecify.annotations.Nullable;

/**
 * What a datagram meets before it is SIP. One for all sockets of a network, another one for those
 * of a link.
 *
 * @param guard says who is listened to; null: everybody, and nothing is counted
 * @param pings STUN requests of ours that wait for answers
 * @param taker of a port that carries frames: takes all that comes; null: it is SIP
 */
public record DatagramScreening(
        @Nullable Guard guard, StunPings pings, @Nullable DatagramTaker taker) {
    /** Of ports of SIP. */
    public DatagramScreening(@Nullable Guard guard, StunPings pings) {
        this(guard, pings, null);
    }
}
