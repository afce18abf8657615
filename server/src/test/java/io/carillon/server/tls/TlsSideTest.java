package io.carillon.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.tls.CertificateMaker;
import io.carillon.net.tls.LiveTlsContexts;
import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationException;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.ConfigurationSources;
import io.carillon.server.config.ReadConfiguration;
import io.carillon.server.config.TlsSettings;
import io.carillon.server.control.ControlFailure;
import io.carillon.server.doctor.Finding;
import io.carillon.server.doctor.Severity;
import io.carillon.server.doctor.TlsChecks;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.start.SettingException;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The record of TLS in the configuration, from its words to what status and doctor show. */
class TlsSideTest {
    private static final ListeningPoint POINT =
            new ListeningPoint(Transport.TLS, "127.0.0.1", 5061);

    @TempDir private Path folder;

    @BeforeEach
    void makeCertificate() throws IOException {
        SelfSigned.make(List.of("sip.example.com", "127.0.0.1"), Duration.ofDays(90), folder);
    }

    private Configuration read(String yaml) throws ConfigurationException {
        return ConfigurationReader.read("carillon.yaml", yaml, folder);
    }

    private TlsSide open(String yaml) throws Exception {
        return TlsSide.open(read(yaml).tls(), List.of(POINT));
    }

    @Test
    void aSelfSignedCertificateServesAListenerAtOnce() throws Exception {
        try (TlsSide tls =
                open("tls: {certificates: [{certificate: certificate.pem, key: key.pem}]}")) {
            ServerStatus.Tls status = tls.status();
            assertThat(status).isNotNull();
            ServerStatus.TlsCertificate one = status.certificates().getFirst();
            assertThat(one.names()).containsExactly("sip.example.com");
            assertThat(one.daysLeft()).isEqualTo(89);
            assertThat(one.key()).isEqualTo("EC 256");
            assertThat(one.listeners()).containsExactly("tls:127.0.0.1:5061");
            assertThat(TlsChecks.of(status))
                    .extracting(Finding::severity)
                    .containsOnly(Severity.OK);
            assertThat(tls.counts()).containsEntry("handshakes_accepted_ok", 0L);
            assertThat(tls.commands().get("tls-reload").answer("")).startsWith("read again:\nsip.");
        }
    }

    @Test
    void keyAndCertificateHaveTheRightsTheyShouldAndAreNotOverwritten() throws Exception {
        assertThat(rights("key.pem")).isEqualTo("rw-------");
        assertThat(rights("certificate.pem")).isEqualTo("rw-r--r--");
        assertThatThrownBy(() -> SelfSigned.make(List.of("a.example"), Duration.ofDays(1), folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is there already");
        assertThatThrownBy(() ->
                        SelfSigned.make(List.of("a b"), Duration.ofDays(1), folder.resolve("x")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private String rights(String file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file)));
    }

    @Test
    void aListenerWithoutACertificateIsAFault() {
        assertThatThrownBy(() -> open("tls: {verify: chain}"))
                .isInstanceOf(SettingException.class)
                .hasMessage(
                        "tls.certificates: tls:127.0.0.1:5061 needs a certificate; ./carillon tls"
                                + " self-signed makes one for trials (docs/guides/tls.md)");
    }

    @Test
    void aListenerThatIsNoneIsAFault() {
        assertThatThrownBy(() ->
                        open(
                                """
                                tls:
                                  certificates: [{certificate: certificate.pem, key: key.pem}]
                                  client-certificates-at: {"tls:127.0.0.1:9": require}
                                """))
                .hasMessage(
                        "tls.client-certificates-at: 'tls:127.0.0.1:9' is no listener with TLS;"
                                + " allowed: tls:127.0.0.1:5061");
    }

    @Test
    void clientsAreNotAskedWithoutAnAuthorityThatIsBelieved() {
        assertThatThrownBy(() ->
                        open(
                                """
                                tls:
                                  certificates: [{certificate: certificate.pem, key: key.pem}]
                                  client-certificates: require
                                """))
                .hasMessageStartingWith("tls.client-trust: ");
    }

    @Test
    void faultsInTheFileAreToldWithLineAndWhatIsAllowed() throws Exception {
        String yaml =
                """
                tls:
                  certificates:
                    - certificate: certificate.pem
                      keys: key.pem
                  versions: [1.1, 1.2]
                  verify: never
                """;
        assertThatThrownBy(() -> read(yaml))
                .hasMessageContaining(
                        "carillon.yaml:4: unknown key tls.certificates[0].keys; allowed: certificate,"
                                + " key, key-password-file, names")
                .hasMessageContaining(
                        "carillon.yaml:6: tls.verify: 'never' is not allowed; it has to be one of full,"
                                + " chain, none");
        assertThatThrownBy(() -> read("tls: {versions: [1.1]}"))
                .hasMessageContaining("versions has to be 1.2, 1.3 or both");
        assertThatThrownBy(() -> read("tls: {certificates: [{key: key.pem}]}"))
                .hasMessageContaining("carillon.yaml:1: tls: certificates[0].certificate has to");
    }

    /** For faults of the files that settings name. */
    @Test
    void theLineOfASettingIsFound() throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("c.yaml"),
                        """
                        sip: {listen: [tls:127.0.0.1:5061]}
                        tls:
                          certificates:
                            - certificate: a.pem
                              key: a.key
                            - certificate: b.pem
                              key: b.key
                        """);
        ReadConfiguration read = ConfigurationReader.read(ConfigurationSources.of(file));
        assertThat(read.place("tls.certificates[1].key")).hasToString(file + ":7");
        assertThat(read.place("tls.certificates[0].key-password-file")).hasToString(file + ":4");
        assertThat(read.place("tls.client-trust")).hasToString(file + ":3");
        assertThat(read.place("security.realm")).isNull();
    }

    @Test
    void aReloadOfWrongFilesIsToldAndFoundByTheDoctor() throws Exception {
        try (TlsSide tls =
                open("tls: {certificates: [{certificate: certificate.pem, key: key.pem}]}")) {
            CertificateMaker.Made other =
                    CertificateMaker.of(List.of("sip.example.com"), Duration.ofDays(5))
                            .selfSigned();
            Files.writeString(folder.resolve("key.pem"), other.keyPem());
            assertThatThrownBy(() -> tls.commands().get("tls-reload").answer(""))
                    .isInstanceOf(ControlFailure.class)
                    .hasMessageStartingWith(
                            "the old certificates stay in use: tls.certificates[0].key: the key does"
                                    + " not belong to the certificate in ");
            assertThat(TlsChecks.of(tls.status()))
                    .extracting(Finding::check)
                    .contains("tls-reload");
            Files.writeString(folder.resolve("certificate.pem"), other.certificatePem());
            tls.commands().get("tls-reload").answer("");
            assertThat(TlsChecks.of(tls.status()))
                    .extracting(Finding::severity)
                    .containsOnly(Severity.FAULT); // 4 days left
        }
    }

    /** RFC 5922 7.5. */
    @Test
    void aListenerWhoseNameStandsInNoCertificateIsWarnedOf() throws Exception {
        TlsSettings settings =
                read("tls: {certificates: [{certificate: certificate.pem, key: key.pem}]}").tls();
        try (LiveTlsContexts contexts = LiveTlsContexts.open(settings.config())) {
            for (String good : List.of("sip.example.com", "127.0.0.1")) {
                assertThat(TlsSide.warnings(settings, List.of(point(good)), contexts)).isEmpty();
            }
            for (String bad : List.of("other.example.com", "0.0.0.0")) {
                assertThat(TlsSide.warnings(settings, List.of(point(bad)), contexts))
                        .singleElement()
                        .asString()
                        .startsWith("tls:127.0.0.1:5061: Contact and Record-Route will name ");
            }
        }
    }

    private static ListeningPoint point(String external) {
        return new ListeningPoint(Transport.TLS, "127.0.0.1", 5061, external, 0);
    }

    @Test
    void nothingIsReadWhereNothingIsSaid() throws Exception {
        try (TlsSide tls = TlsSide.open(ConfigurationReader.standard().tls(), List.of())) {
            assertThat(tls.status()).isNull();
        }
    }
}
