package io.carillon.net.udp;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the hops that datagrams came from, so that the thousands of messages of one peer share
 * one. A direct-mapped table: a stranger takes the place of whoever had it, so it cannot grow.
 * Owner: one loop.
 */
final class ReceivedHops {

    private static final int SLOTS = 1024;

    private final InetSocketAddress local;
    private final @Nullable Hop[] hops = new @Nullable Hop[SLOTS];
    // What is compared without making an object of the sender: address and port of an IPv4 one.
    private final long[] senders = new long[SLOTS];

    ReceivedHops(InetSocketAddress local) {
        this.local = local;
    }

    Hop of(InetSocketAddress remote) {
        int slot = slot(remote.hashCode());
        Hop hop = hops[slot];
        if (hop == null || !hop.remote().equals(remote)) {
            hop = remember(slot, remote, -1);
        }
        return hop;
    }

    /** The hop of a sender that the kernel wrote down. */
    Hop of(MemorySegment memory, long at) {
        int port = SocketAddresses.port(memory, at);
        if (!SocketAddresses.isIn(memory, at)) {
            InetSocketAddress remote = SocketAddresses.read(memory, at);
            int slot = slot(SocketAddresses.in6Hash(memory, at) + port);
            Hop hop = hops[slot];
            return hop != null && hop.remote().equals(remote) ? hop : remember(slot, remote, -1);
        }
        long sender = ((long) SocketAddresses.inAddress(memory, at) << 16) | port;
        int slot = slot(Long.hashCode(sender));
        Hop hop = hops[slot];
        return hop != null && senders[slot] == sender
                ? hop
                : remember(slot, SocketAddresses.read(memory, at), sender);
    }

    private static int slot(int hash) {
        return (hash * 0x9E3779B9) >>> 22;
    }

    private Hop remember(int slot, InetSocketAddress remote, long sender) {
        Hop hop = new Hop(Transport.UDP, local, remote, 0);
        hops[slot] = hop;
        senders[slot] = sender;
        return hop;
    }
}
