package io.carillon.net.udp;

import io.carillon.net.shard.ShardLoop;
import java.net.InetSocketAddress;

/** Takes the datagrams of a port in place of the shards: of one that carries no SIP of its own. */
@FunctionalInterface
public interface DatagramTaker {
    /**
     * A datagram came. Called on the loop of the socket that it lay in.
     *
     * @param datagram owned by the taker from now on
     */
    void received(ShardLoop loop, byte[] datagram, int length);

    /** An ICMP error came about a datagram that had gone to that address. On any loop. */
    default void unreachable(InetSocketAddress remote) {}
}
