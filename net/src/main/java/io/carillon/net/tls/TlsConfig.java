package io.carillon.net.tls;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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
        return with(copy -> {
            copy.trust = servers;
            copy.clientTrust = clients;
        });
    }

    public TlsConfig withClientCertificates(ClientCertificates asked) {
        return with(copy -> copy.clientCertificates = asked);
    }

    public TlsConfig withClientCertificatesAt(Map<String, ClientCertificates> byListener) {
        return with(copy -> copy.clientCertificatesAt = byListener);
    }

    public TlsConfig withVerify(Verify how) {
        return with(copy -> copy.verify = how);
    }

    public TlsConfig withVersions(List<String> allowed) {
        return with(copy -> copy.versions = allowed);
    }

    /** Does any listener ask for certificates? */
    boolean asksClients() {
        return clientCertificates != ClientCertificates.NONE
                || clientCertificatesAt.values().stream()
                        .anyMatch(one -> one != ClientCertificates.NONE);
    }

    private TlsConfig with(Consumer<CopyBuilder> change) {
        CopyBuilder copy = new CopyBuilder(this);
        change.accept(copy);
        return copy.made();
    }

    /** The components while some are changed (docs/decisions/0020-copies-of-records.md). */
    private static final class CopyBuilder {
        List<CertificateSource> certificates;
        @Nullable Path trust;
        @Nullable Path clientTrust;
        ClientCertificates clientCertificates;
        Map<String, ClientCertificates> clientCertificatesAt;
        Verify verify;
        List<String> versions;
        List<String> cipherSuites;
        Duration handshakeWithin;
        Duration sessionLife;

        CopyBuilder(TlsConfig of) {
            certificates = of.certificates;
            trust = of.trust;
            clientTrust = of.clientTrust;
            clientCertificates = of.clientCertificates;
            clientCertificatesAt = of.clientCertificatesAt;
            verify = of.verify;
            versions = of.versions;
            cipherSuites = of.cipherSuites;
            handshakeWithin = of.handshakeWithin;
            sessionLife = of.sessionLife;
        }

        TlsConfig made() {
            return new TlsConfig(
                    certificates,
                    trust,
                    clientTrust,
                    clientCertificates,
                    clientCertificatesAt,
                    verify,
                    versions,
                    cipherSuites,
                    handshakeWithin,
                    sessionLife);
        }
    }
}
