package io.carillon.servlet.kernel;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to a message without standing in it: the way it came, who sent it, attributes.
 * Owner: the turn.
 */
abstract class MessageContext extends MessageContent {
    MessageContext(SipMessage message) {
        super(message);
    }

    MessageContext(MessageDraft draft) {
        super(draft);
    }

    /** Where the message came from; null when it was made here. */
    protected abstract @Nullable Hop receivedFrom();

    /**
     * Where the container got the message from, whatever applications it passed; null when it was
     * made here.
     */
    protected @Nullable Hop initiallyReceivedFrom() {
        return receivedFrom();
    }

    public final @Nullable String getRemoteAddr() {
        Hop hop = receivedFrom();
        if (hop != null && hop.internal()) {
            return getLocalAddr(); // from another application here
        }
        return hop == null ? null : hop.remoteHost();
    }

    public final int getRemotePort() {
        Hop hop = receivedFrom();
        if (hop != null && hop.internal()) {
            return getLocalPort();
        }
        return hop == null ? -1 : hop.remote().getPort();
    }

    public final @Nullable String getLocalAddr() {
        Hop hop = receivedFrom();
        InetSocketAddress local = hop == null ? null : hop.local();
        return local == null ? null : local.getAddress().getHostAddress();
    }

    public final int getLocalPort() {
        Hop hop = receivedFrom();
        InetSocketAddress local = hop == null ? null : hop.local();
        return local == null ? -1 : local.getPort();
    }

    public final @Nullable String getTransport() {
        Hop hop = receivedFrom();
        return hop == null ? null : hop.transport().viaToken();
    }

    public final @Nullable String getInitialRemoteAddr() {
        Hop hop = initiallyReceivedFrom();
        return hop == null ? null : hop.remoteHost();
    }

    public final int getInitialRemotePort() {
        Hop hop = initiallyReceivedFrom();
        return hop == null ? -1 : hop.remote().getPort();
    }

    public final @Nullable String getInitialTransport() {
        Hop hop = initiallyReceivedFrom();
        return hop == null ? null : hop.transport().viaToken();
    }

    public final boolean isSecure() {
        Hop hop = receivedFrom();
        return hop != null
                && (hop.transport() == Transport.TLS || hop.transport() == Transport.WSS);
    }

    /** Who is at the other end of the TLS connection that it came by; null without one. */
    public final @Nullable TlsPeer tlsPeer() {
        Hop hop = initiallyReceivedFrom();
        return hop != null && hop.beside() instanceof TlsPeer peer ? peer : null;
    }

    /** Null but for a request whose sender the security gate knows. */
    public @Nullable String getRemoteUser() {
        return null;
    }

    /** Null, as {@link #getRemoteUser}. */
    public @Nullable Principal getUserPrincipal() {
        return null;
    }

    /** False: who is not authenticated has no role. */
    public boolean isUserInRole(String role) {
        return false;
    }

    // ---- attributes

    private @Nullable Map<String, Object> attributes() {
        MessageExtras own = seldomOrNull();
        return own == null ? null : own.attributes;
    }

    public final @Nullable Object getAttribute(String name) {
        Objects.requireNonNull(name, "name");
        Map<String, Object> all = attributes();
        Object value = all == null ? null : all.get(name);
        return value == null ? TlsAttributes.get(tlsPeer(), name) : value;
    }

    public final Enumeration<String> getAttributeNames() {
        Map<String, Object> all = attributes();
        Set<String> names = new LinkedHashSet<>(TlsAttributes.names(tlsPeer()));
        if (all != null) {
            names.addAll(all.keySet());
        }
        return Collections.enumeration(names);
    }

    /** Null removes the attribute, as {@code ServletRequest} has it. */
    public final void setAttribute(String name, @Nullable Object value) {
        Objects.requireNonNull(name, "name");
        if (value == null) {
            removeAttribute(name);
            return;
        }
        MessageExtras own = seldom();
        Map<String, Object> all = own.attributes;
        if (all == null) {
            all = new HashMap<>(4);
            own.attributes = all;
        }
        all.put(name, value);
    }

    public final void removeAttribute(String name) {
        Objects.requireNonNull(name, "name");
        Map<String, Object> all = attributes();
        if (all != null) {
            all.remove(name);
        }
    }
}
