package io.carillon.net.link;

import io.carillon.cluster.link.LinkMessage;
import io.carillon.sip.hop.Hop;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the hops of messages that came by routers, so that those of one peer share one. A
 * direct-mapped table, so it cannot grow. Owner: one loop.
 */
final class LinkedHops {
    private static final int SLOTS = 1024;

    private final @Nullable Hop[] hops = new @Nullable Hop[SLOTS];

    /** As if the message had come to the router's address without a router. */
    Hop of(LinkMessage message) {
        InetSocketAddress remote = message.remote();
        int slot = (remote.hashCode() * 0x9E3779B9) >>> 22;
        Hop hop = hops[slot];
        if (hop == null
                || !remote.equals(hop.remote())
                || hop.transport() != message.transport()
                || hop.local() == null
                || !hop.local().equals(message.local())) {
            hop = new Hop(message.transport(), message.local(), remote, 0);
            hops[slot] = hop;
        }
        return hop;
    }
}
