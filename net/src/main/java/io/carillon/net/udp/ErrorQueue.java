package io.carillon.net.udp;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.shard.ShardLoop;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The ICMP errors about datagrams of one socket: ip(7), IP_RECVERR. Each comes with the address
 * that the datagram had gone to and with as much of the datagram as the error quoted.
 *
 * <p>An error is believed when it quotes a request of ours with the branch of its Via: anybody can
 * send an ICMP message with forged addresses, but nobody can guess a branch. Whether that request
 * still waits is for its shard to know. What is said about frames is told to who takes them, and
 * believed as far as he likes.
 *
 * <p>Owner: the loop of the socket.
 */
final class ErrorQueue {
    /** Errors read before other work of the loop gets its turn. */
    private static final int MAX_ERRORS = 64;

    private static final int MESSAGE_BYTES = 56;
    private static final int CONTROL_BYTES = 512;
    private static final int QUOTE_BYTES = 2048;
    private static final int CONTROL_HEADER_BYTES = 16;
    private static final int NAME_LENGTH_AT = 8;
    private static final int CONTROL_LENGTH_AT = 40;

    private static final int IPPROTO_IP = 0;
    private static final int IP_RECVERR = 11;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_RECVERR = 25;
    private static final int ORIGIN_ICMP = 2;
    private static final int ORIGIN_ICMP6 = 3;

    private final ShardLoop loop;
    private final @Nullable DatagramTaker taker;
    private final LoopCounts tally;
    private final MemorySegment message;
    private final MemorySegment vector;
    private final MemorySegment address;
    private final MemorySegment control;
    private final MemorySegment quote;

    /**
     * @param taker of a port that carries frames: hears of all errors; null: they are about SIP
     */
    ErrorQueue(ShardLoop loop, @Nullable DatagramTaker taker) {
        this.loop = loop;
        this.taker = taker;
        this.tally = loop.tally();
        Arena arena = Arena.ofAuto();
        message = arena.allocate(MESSAGE_BYTES, 8);
        vector = arena.allocate(16, 8);
        address = arena.allocate(SocketAddresses.SLOT_BYTES, 8);
        control = arena.allocate(CONTROL_BYTES, 8);
        quote = arena.allocate(QUOTE_BYTES, 8);
        vector.set(ValueLayout.JAVA_LONG, 0, quote.address());
        vector.set(ValueLayout.JAVA_LONG, 8, QUOTE_BYTES);
        message.set(ValueLayout.JAVA_LONG, 0, address.address());
        message.set(ValueLayout.JAVA_LONG, 16, vector.address());
        message.set(ValueLayout.JAVA_LONG, 24, 1L);
        message.set(ValueLayout.JAVA_LONG, 32, control.address());
    }

    /** Is that an error which a send or receive call reports for an earlier datagram? */
    static boolean reports(int errno) {
        return switch (errno) {
            case 13, 71, 92, 101, 111, 113 -> true;
            default -> false;
        };
    }

    /** Reads what waits, within limits; how many. */
    int drain(DatagramCalls calls, int fd) {
        int count = 0;
        while (count < MAX_ERRORS) {
            message.set(ValueLayout.JAVA_INT, NAME_LENGTH_AT, SocketAddresses.IN6_BYTES);
            message.set(ValueLayout.JAVA_LONG, CONTROL_LENGTH_AT, (long) CONTROL_BYTES);
            int length = calls.receiveError(fd, message.address());
            if (length < 0) {
                break;
            }
            count++;
            if (fatal()) {
                quoted(length);
            } else {
                tally.count(NetworkCounter.ICMP_IGNORED);
            }
        }
        return count;
    }

    /**
     * RFC 3261 18.4: "Host, network, port or protocol unreachable errors, or parameter problem
     * errors SHOULD cause the transport layer to inform the transport user of a failure in sending.
     * Source quench and TTL exceeded ICMP errors SHOULD be ignored."
     */
    private boolean fatal() {
        long length = message.get(ValueLayout.JAVA_LONG, CONTROL_LENGTH_AT);
        for (long at = 0; at + CONTROL_HEADER_BYTES + 8 <= length; ) {
            long bytes = control.get(ValueLayout.JAVA_LONG, at);
            int level = control.get(ValueLayout.JAVA_INT, at + 8);
            int type = control.get(ValueLayout.JAVA_INT, at + 12);
            if ((level == IPPROTO_IP && type == IP_RECVERR)
                    || (level == IPPROTO_IPV6 && type == IPV6_RECVERR)) {
                int errno = control.get(ValueLayout.JAVA_INT, at + CONTROL_HEADER_BYTES);
                int origin = control.get(ValueLayout.JAVA_BYTE, at + CONTROL_HEADER_BYTES + 4);
                return (origin == ORIGIN_ICMP || origin == ORIGIN_ICMP6) && reports(errno);
            }
            if (bytes < CONTROL_HEADER_BYTES) {
                return false;
            }
            at += (bytes + 7) & ~7L;
        }
        return false;
    }

    private void quoted(int length) {
        DatagramTaker frames = taker;
        if (frames != null) {
            tally.count(NetworkCounter.ICMP_ERRORS);
            frames.unreachable(SocketAddresses.read(address, 0));
            return;
        }
        byte[] bytes = new byte[Math.min(length, QUOTE_BYTES)];
        MemorySegment.copy(quote, ValueLayout.JAVA_BYTE, 0, bytes, 0, bytes.length);
        QuotedRequest request = QuotedRequest.of(bytes);
        InetSocketAddress remote = SocketAddresses.read(address, 0);
        String method = request == null ? "" : request.method();
        if (!loop.unreachable(method, request == null ? "" : request.branch(), remote)) {
            tally.count(NetworkCounter.ICMP_IGNORED);
        } else {
            tally.count(NetworkCounter.ICMP_ERRORS);
        }
    }
}
