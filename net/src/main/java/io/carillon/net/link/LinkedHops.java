package io.carillon.net.link;

import io.carillon.cluster.link.FlowNumber;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.TlsPeerBytes;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TlsPeer;
import java.net.InetSocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the hops of messages that came by routers, so that those of one peer share one, and
 * certificates are read once. A direct-mapped table, so it cannot grow. Owner: one loop.
 */
final class LinkedHops {
    private static final int SLOTS = 1024;

    private final @Nullable Hop[] hops = new @Nullable Hop[SLOTS];
    private final byte[][] besides = new byte[SLOTS][];

    /** As if the message had come to the router's address without a router. */
    Hop of(LinkMessage message) {
        InetSocketAddress remote = message.remote();
        long connection = FlowNumber.of(message.router(), message.connection());
        int slot = (remote.hashCode() * 0x9E3779B9) >>> 22;
        Hop hop = hops[slot];
        if (hop == null
                || !remote.equals(hop.remote())
                || hop.transport() != message.transport()
                || hop.connection() != connection
                || hop.local() == null
                || !hop.local().equals(message.local())
                || !Arrays.equals(besides[slot], message.beside())) {
            hop = new Hop(message.transport(), message.local(), remote, connection);
            if (message.transport().secure() && message.beside().length > 0) {
                TlsPeer peer = TlsPeerBytes.read(message.beside());
                hop = peer == null ? hop : hop.beside(peer);
            }
            hops[slot] = hop;
            besides[slot] = message.beside();
        }
        return hop;
    }
}
