package io.carillon.sip.hop;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What TLS knows of the other end of a connection. Immutable; one for each connection, so messages
 * share it.
 *
 * @param protocol as in {@code TLSv1.3}
 * @param cipherSuite by IANA's name
 * @param certificates the peer's chain, its own first; empty when it showed none
 * @param identities the SIP domains that the first certificate is made out to (RFC 5922 7.1), in
 *     lower case; empty when nobody verified it
 */
public record TlsPeer(
        String protocol,
        String cipherSuite,
        List<X509Certificate> certificates,
        List<String> identities) {

    public TlsPeer {
        certificates = List.copyOf(certificates);
        identities = List.copyOf(identities);
    }

    /** One object for each connection: hops are compared often, chains need not be. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /** Says nothing of the certificates' contents. */
    @Override
    public String toString() {
        return protocol + " " + cipherSuite + " " + identities;
    }
}
