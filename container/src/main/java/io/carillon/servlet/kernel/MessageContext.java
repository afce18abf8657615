package io.carillon.servlet.kernel;

import io.carillon.servlet.port.OutboundInterfaces;
import io.carillon.servlet.port.Passage;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.server.ServerTransaction;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to a message without standing in it, as applications ask for it: addresses of the
 * way it came, attributes. Pure functions.
 */
final class MessageContext {
    private MessageContext() {}

    /** Of one from another application here: our own. */
    static @Nullable String remoteAddress(@Nullable Hop hop) {
        if (hop != null && hop.internal()) {
            return localAddress(hop);
        }
        return hop == null ? null : hop.remoteHost();
    }

    /** As {@link #remoteAddress}; -1 for a message that was made here. */
    static int remotePort(@Nullable Hop hop) {
        if (hop != null && hop.internal()) {
            return localPort(hop);
        }
        return hop == null ? -1 : hop.remote().getPort();
    }

    static @Nullable String localAddress(@Nullable Hop hop) {
        InetSocketAddress local = hop == null ? null : hop.local();
        return local == null ? null : local.getAddress().getHostAddress();
    }

    static int localPort(@Nullable Hop hop) {
        InetSocketAddress local = hop == null ? null : hop.local();
        return local == null ? -1 : local.getPort();
    }

    /** As a Via writes it. */
    static @Nullable String transport(@Nullable Hop hop) {
        return hop == null ? null : hop.transport().viaToken();
    }

    /** By TLS, as far as that hop goes. */
    static boolean secure(@Nullable Hop hop) {
        return hop != null && hop.transport().secure();
    }

    /**
     * Did a request come over TLS, also where applications of ours have passed it on, or made it of
     * another one? The interface that they have chosen for their own says nothing of that.
     *
     * @param from the hop that it came by; null for one that was made here
     * @param server its transaction; null for an ACK, and one that was made here
     */
    static boolean secure(@Nullable Hop from, @Nullable ServerTransaction server) {
        if (from == null) {
            return false;
        }
        if (from.internal() && !(from.beside() instanceof Passage)) {
            // In a dialog: what a proxy of ours passes on has the hop that it came by.
            Hop in = OutboundInterfaces.cameIn(from);
            return in != null
                    ? secure(in)
                    : from.beside() instanceof Origin.Known known && known.origin().secure();
        }
        return server == null
                ? secure(from) // an ACK
                : Origin.of(server.request(), from, server.shard().wire()).secure();
    }

    static @Nullable TlsPeer tlsPeer(@Nullable Hop hop) {
        return hop != null && hop.beside() instanceof TlsPeer peer ? peer : null;
    }

    /** The application's own one, else what is known of the TLS connection. */
    static @Nullable Object attribute(
            @Nullable MessageExtras own, @Nullable TlsPeer peer, String name) {
        Object value = own == null ? null : own.attribute(name);
        return value == null ? TlsAttributes.get(peer, name) : value;
    }

    static Enumeration<String> attributeNames(@Nullable MessageExtras own, @Nullable TlsPeer peer) {
        Set<String> names = new LinkedHashSet<>(TlsAttributes.names(peer));
        if (own != null) {
            names.addAll(own.attributeNames());
        }
        return Collections.enumeration(names);
    }
}
