package io.carillon.net.udp;

import io.carillon.net.keepalive.StunSocket;
import io.carillon.net.listen.ReceiveBuffer;
import io.carillon.net.shard.BatchedOutput;
import io.carillon.net.shard.FailureReport;
import io.carillon.sip.message.SipMessage;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One datagram socket of one loop. Received datagrams are copied out once, into an array of their
 * own size, and delivered to their shard; sent ones wait until the loop's iteration ends and then
 * leave with one system call.
 *
 * <p>Owner: the loop it is registered with.
 */
public interface UdpSocket extends BatchedOutput, StunSocket {

    /** RFC 768: 65,535 less the UDP and the smallest IP header. */
    int MAX_PAYLOAD = 65_507;

    /** More than the largest datagram, so none is cut. */
    int SLOT_BYTES = 65_536;

    /** Datagrams that wait and are flushed without waiting for the end of the iteration. */
    int FLUSH_AT = 128;

    /** Received datagrams after which other work of the loop gets its turn. */
    int MAX_DATAGRAMS = 512;

    @Override
    default boolean datagrams() {
        return true;
    }

    /** The bound address; a wildcard stays one. */
    InetSocketAddress local();

    /** Begins to receive. */
    void receive();

    /** What the kernel granted. */
    ReceiveBuffer receiveBuffer();

    /**
     * Sends one message; it leaves when the loop's iteration ends.
     *
     * @param failure told when the kernel refuses it; a full queue is no failure but loss, as
     *     networks have it
     */
    default void send(
            SipMessage message, InetSocketAddress remote, @Nullable FailureReport failure) {
        send(message.bytes(), message.length(), remote, failure);
    }

    /** As the other; the bytes may change when this has returned. */
    void send(byte[] bytes, int length, InetSocketAddress remote, @Nullable FailureReport failure);

    @Override
    default void send(byte[] message, InetSocketAddress remote) {
        send(message, message.length, remote, null);
    }

    /** Sends what waits and closes; returns when that is done. */
    void close();

    /**
     * Clients hold their address translation open by datagrams that are empty or a few line breaks
     * or NULs.
     */
    static boolean isKeepAlive(byte[] bytes) {
        if (bytes.length > 8) {
            return false;
        }
        for (byte b : bytes) {
            if (b != '\r' && b != '\n' && b != 0) {
                return false;
            }
        }
        return true;
    }
}
