package io.carillon.server.config;

import io.carillon.net.tls.CertificateSource;
import io.carillon.net.tls.ClientCertificates;
import io.carillon.net.tls.TlsConfig;
import io.carillon.net.tls.Verify;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * TLS, for listeners {@code tls:} and {@code wss:} and for connections that we open.
 *
 * @param certificates ours
 * @param trust authorities of servers
 * @param clientTrust authorities of clients
 * @param clientCertificates what listeners ask for
 * @param clientCertificatesAt the same by listener
 * @param verify how servers are checked
 * @param versions of the protocol
 * @param cipherSuites allowed ones
 * @param handshakeWithin time for a handshake
 * @param sessionLife how long sessions may be resumed
 */
public record TlsSettings(
        @Setting(
                        "The server's certificates; the first is shown to clients that name no server or an unknown one"
                                + " (SNI), and to servers that ask who we are. The files are read again when they change.")
                List<CertificateSettings> certificates,
        @Setting(
                        reload = true,
                        value =
                                "PEM file with the authorities whose servers are believed when we connect to them.",
                        standardText = "the JDK's list of public authorities",
                        common = true)
                @Nullable Path trust,
        @Setting(
                        reload = true,
                        value =
                                "PEM file with the authorities whose clients are believed when they connect to us.",
                        standardText = "`tls.trust`",
                        common = true)
                @Nullable Path clientTrust,
        @Setting(
                        reload = true,
                        value =
                                "Whether clients need a certificate: `none`, the server asks for"
                                        + " none; `request`, they may have none; `require`, they"
                                        + " must have one.",
                        more =
                                "With `request`, the server refuses a client whose certificate it"
                                        + " does not trust.",
                        standard = "none",
                        common = true)
                ClientCertificates clientCertificates,
        @Setting(
                        value =
                                "The same for single listeners, by their address as `sip.listen` has it, as in"
                                        + " `\"tls:192.0.2.10:5061\": require`.",
                        reload = true)
                Map<String, ClientCertificates> clientCertificatesAt,
        @Setting(
                        reload = true,
                        value =
                                "How the certificate of a server that we connect to is checked:"
                                        + " `full`, authority and domain; `chain`, the authority"
                                        + " alone; `none`, nothing on loopback.",
                        more =
                                "`full` checks the authority, and that the certificate is made out"
                                        + " to the domain of the URI (RFC 5922). `none` checks"
                                        + " nothing for targets on a loopback address, and every"
                                        + " other target as `full` does.",
                        standard = "full",
                        common = true)
                Verify verify,
        @Setting(
                        reload = true,
                        value =
                                "Versions of TLS, `1.2`, `1.3` or both; RFC 8996 forbids older ones.",
                        standard = "1.2,1.3")
                List<String> versions,
        @Setting(
                        reload = true,
                        value = "Cipher suites by their IANA names, most preferred first.",
                        standardText = "those with forward secrecy and AEAD (docs/guides/tls.md)")
                List<String> cipherSuites,
        @Setting(
                        reload = true,
                        value =
                                "A handshake that is not over by then fails; a WebSocket's upgrade too, with and without TLS.",
                        standard = "10 s",
                        min = "100 ms",
                        max = "60 s",
                        metrics = {"net.closed_handshake_timeout", "net.closed_upgrade_timeout"})
                Duration handshakeWithin,
        @Setting(
                        reload = true,
                        value =
                                "How long a session may be resumed, which saves the costly part of a handshake.",
                        standard = "2 h",
                        min = "1 min",
                        max = "24 h")
                Duration sessionLife) {

    public TlsSettings {
        for (int i = 0; i < certificates.size(); i++) {
            if (certificates.get(i).certificate() == null) {
                throw new IllegalArgumentException(
                        "certificates[" + i + "].certificate has to name a file");
            }
        }
        if (versions.isEmpty() || !List.of("1.2", "1.3").containsAll(versions)) {
            throw new IllegalArgumentException(
                    "versions has to be 1.2, 1.3 or both; older ones are forbidden (RFC 8996)");
        }
    }

    /** In the words of the module below. */
    public TlsConfig config() {
        List<CertificateSource> sources = new ArrayList<>();
        for (CertificateSettings one : certificates) {
            sources.add(one.source(sources.size()));
        }
        return new TlsConfig(
                sources,
                trust,
                clientTrust,
                clientCertificates,
                clientCertificatesAt,
                verify,
                versions.stream().map(version -> "TLSv" + version).toList(),
                cipherSuites,
                handshakeWithin,
                sessionLife);
    }

    /**
     * Is anything said of trust or certificates, so that TLS should be ready before it is asked?
     */
    public boolean meant() {
        return !certificates.isEmpty() || trust != null || clientTrust != null;
    }
}
