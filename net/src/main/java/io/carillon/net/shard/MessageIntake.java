package io.carillon.net.shard;

import io.carillon.sip.hop.Hop;
import java.net.InetSocketAddress;

/**
 * Takes the messages of a loop in place of its shard: for a user of the network with another, or
 * no, transaction layer, such as a load generator. Called on the loop's thread.
 */
@FunctionalInterface
public interface MessageIntake {

    /**
     * A message came.
     *
     * @param message its bytes, owned by the taker from now on
     * @param length how many of them count
     * @param from where it came from; a stream's messages are framed
     * @param nowNanos the time of the batch it came in
     */
    void received(byte[] message, int length, Hop from, long nowNanos);

    /**
     * The network says that a datagram of ours found nobody at that address.
     *
     * @return false when nobody here is concerned
     */
    default boolean unreachable(InetSocketAddress remote, long nowNanos) {
        return false;
    }
}
