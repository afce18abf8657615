package io.carillon.net.udp;

import io.carillon.sip.stack.Hop;
import io.carillon.sip.stack.Transport;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the hops that datagrams came from, so that the thousands of messages of one peer share
 * one. A direct-mapped table: a stranger takes the place of whoever had it, so it cannot grow.
 * Owner: one loop.
 */
final class Origins {

    private static final int SLOTS = 1024;

    private final InetSocketAddress local;
    private final @Nullable Hop[] hops = new @Nullable Hop[SLOTS];

    Origins(InetSocketAddress local) {
        this.local = local;
    }

    Hop of(InetSocketAddress remote) {
        int hash = remote.hashCode() * 0x9E3779B9;
        int slot = hash >>> 22;
        Hop hop = hops[slot];
        if (hop == null || !hop.remote().equals(remote)) {
            hop = new Hop(Transport.UDP, local, remote, 0);
            hops[slot] = hop;
        }
        return hop;
    }
}
