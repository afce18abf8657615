package io.carillon.servlet.kernel;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.hop.Transport;
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

    static boolean secure(@Nullable Hop hop) {
        return hop != null
                && (hop.transport() == Transport.TLS || hop.transport() == Transport.WSS);
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
