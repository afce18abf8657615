package io.carillon.net.udp;

import io.carillon.net.guard.Guard;
import io.carillon.net.keepalive.StunPings;
import org.jspecify.annotations.Nullable;

/**
 * What a datagram meets before it is SIP. One for all sockets of a network.
 *
 * @param guard says who is listened to; null: everybody, and nothing is counted
 * @param pings STUN requests of ours that wait for answers
 */
public record DatagramScreening(@Nullable Guard guard, StunPings pings) {}
