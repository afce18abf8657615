package io.carillon.net.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything TLS is told. Immutable; {@link #of} gives the defaults, the {@code with} methods
 * change one part.
 *
 * @param certificates ours; the first is the default, for clients that name no server or an unknown
 *     one, and the one that we show as a client
 * @param trust PEM with the authorities whose servers we believe; null: the system's
 * @param clientTrust PEM with the authorities whose clients we believe; null: {@code trust}
 * @param clientCertificates what listeners ask for, unless {@code clientCertificatesAt} says more
 * @param clientCertificatesAt by listener, as in {@code tls:192.0.2.1:5061}
 * @param verify see {@link Verify}
 * @param versions {@code TLSv1.2} and {@code TLSv1.3}, or one of them; RFC 8996 forbids older ones
 * @param cipherSuites IANA names; empty: {@link TlsProvider#CIPHER_SUITES}
 * @param handshakeWithin time for a handshake
 * @param sessionLife time in which a session may be resumed without a full handshake
 */
public record TlsConfig(
        List<CertificateSource> certificates,
        @Nullable Path trust,
        @Nullable Path clientTrust,
        ClientCertificates clientCertificates,
        Map<String, ClientCertificates> clientCertificatesAt,
        Verify verify,
        List<String> versions,
        List<String> cipherSuites,
        Duration handshakeWithin,
        Duration sessionLife) {

    public TlsConfig {
        certificates = List.copyOf(certificates);
        clientCertificatesAt = Map.copyOf(clientCertificatesAt);
        versions = List.copyOf(versions);
        cipherSuites = List.copyOf(cipherSuites);
    }

    /** Defaults: clients are not asked, servers are checked in full. */
    public static TlsConfig of(List<CertificateSource> certificates) {
        return new TlsConfig(
                certificates,
                null,
                null,
                ClientCertificates.NONE,
                Map.of(),
                Verify.FULL,
                List.of("TLSv1.2", "TLSv1.3"),
                List.of(),
                Duration.ofSeconds(10),
                Duration.ofHours(2));
    }

    public TlsConfig withTrust(@Nullable Path servers, @Nullable Path clients) {
        return new TlsConfig(
                certificates,
                servers,
                clients,
                clientCertificates,
                clientCertificatesAt,
                verify,
                versions,
                cipherSuites,
                handshakeWithin,
                sessionLife);
    }

    public TlsConfig withClientCertificates(ClientCertificates asked) {
        return new TlsConfig(
                certificates,
                trust,
                clientTrust,
                asked,
                clientCertificatesAt,
                verify,
                versions,
                cipherSuites,
                handshakeWithin,
                sessionLife);
    }

    public TlsConfig withClientCertificatesAt(Map<String, ClientCertificates> byListener) {
        return new TlsConfig(
                certificates,
                trust,
                clientTrust,
                clientCertificates,
                byListener,
                verify,
                versions,
                cipherSuites,
                handshakeWithin,
                sessionLife);
    }

    public TlsConfig withVerify(Verify how) {
        return new TlsConfig(
                certificates,
                trust,
                clientTrust,
                clientCertificates,
                clientCertificatesAt,
                how,
                versions,
                cipherSuites,
                handshakeWithin,
                sessionLife);
    }

    public TlsConfig withVersions(List<String> allowed) {
        return new TlsConfig(
                certificates,
                trust,
                clientTrust,
                clientCertificates,
                clientCertificatesAt,
                verify,
                allowed,
                cipherSuites,
                handshakeWithin,
                sessionLife);
    }

    /** Does any listener ask for certificates? */
    boolean asksClients() {
        return clientCertificates != ClientCertificates.NONE
                || clientCertificatesAt.values().stream()
                        .anyMatch(one -> one != ClientCertificates.NONE);
    }
}
