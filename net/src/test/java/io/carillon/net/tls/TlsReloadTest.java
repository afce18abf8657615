package io.carillon.net.tls;

import static io.carillon.net.tls.HandshakeOutcome.EXPIRED;
import static io.carillon.net.tls.HandshakeOutcome.OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.net.tls.CertificateMaker.Made;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that change while connections are open. */
class TlsReloadTest {

    private final Made first = TlsFiles.signed("sip.example.com");
    private final Made second = TlsFiles.signed("sip.example.com");

    private TlsFiles files;
    private TlsConfig config;
    private LiveTlsContexts server;
    private LiveTlsContexts client;
    private TlsEcho echo;
    private Instant now = TlsFiles.NOW;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        files = new TlsFiles(folder);
        start(first);
    }

    private void start(Made certificate) throws Exception {
        config = files.config(certificate);
        server = LiveTlsContexts.open(config, TlsProvider.best(), () -> now);
        client = LiveTlsContexts.open(TlsConfig.of(List.of()).withTrust(files.authority(), null));
        echo = new TlsEcho(server);
    }

    @AfterEach
    void close() {
        echo.close();
        client.close();
        server.close();
    }

    private TlsEcho.Connection connect() throws Exception {
        return echo.connect(client, "sip.example.com");
    }

    /** By a link that is swapped, as certificate robots do it. */
    private void swap(String name, String text) throws Exception {
        Path fresh = files.write(name + ".new", text);
        Files.move(fresh, files.path(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private void looks(int times) {
        for (int i = 0; i < times; i++) {
            server.look();
        }
    }

    @Test
    void newHandshakesUseTheNewCertificateAndOpenConnectionsGoOn() throws Exception {
        TlsEcho.Connection before = connect();
        assertThat(before.outcome()).isEqualTo(OK);
        swap("certificates0.crt", second.certificatePem());
        swap("certificates0.key", second.keyPem());
        looks(2);
        assertThat(server.status().reloads()).isEqualTo(1);
        TlsEcho.Connection after = connect();
        assertThat(after.outcome()).isEqualTo(OK);
        assertThat(after.certificate()).isEqualTo(second.certificate());
        assertThat(before.ask("still here")).isEqualTo("still here");
        now = now.plus(Duration.ofMinutes(5)); // the old generation is given back
        looks(1);
        assertThat(before.ask("and here")).isEqualTo("and here");
        assertThat(connect().outcome()).isEqualTo(OK);
    }

    @Test
    void aCertificateWhoseKeyIsStillToComeIsWaitedFor() throws Exception {
        swap("certificates0.crt", second.certificatePem());
        looks(1);
        swap("certificates0.key", second.keyPem());
        looks(2);
        assertThat(server.status().reloads()).isEqualTo(1);
        assertThat(server.status().reloadFailures()).isZero();
    }

    @Test
    void brokenFilesLeaveTheOldCertificateInUseAndAreCountedOnce() throws Exception {
        swap("certificates0.crt", "nothing");
        looks(5);
        assertThat(server.status().reloadFailures()).isEqualTo(1);
        assertThat(server.status().lastFailure())
                .startsWith("tls.certificates0.certificate: ")
                .endsWith("is neither PEM nor PKCS#12");
        assertThat(connect().certificateAfterHandshake()).isEqualTo(first.certificate());
        swap("certificates0.crt", first.certificatePem());
        looks(2);
        assertThat(server.status().lastFailure()).isNull();
        assertThat(server.status().reloads()).isEqualTo(1);
    }

    @Test
    void aFileThatIsGoneIsAFailureUntilItIsBack() throws Exception {
        Files.delete(files.path("certificates0.key"));
        looks(2);
        assertThat(server.status().lastFailure()).endsWith("there is no such file");
        assertThat(connect().certificateAfterHandshake()).isEqualTo(first.certificate());
    }

    @Test
    void aReloadByCommandTellsWhatIsWrong() throws Exception {
        swap("certificates0.key", second.keyPem());
        assertThatThrownBy(() -> server.reload())
                .isInstanceOf(TlsFault.class)
                .hasMessageStartingWith("the key does not belong to the certificate in ");
        assertThat(server.status().reloadFailures()).isEqualTo(1);
        assertThat(connect().certificateAfterHandshake()).isEqualTo(first.certificate());
    }

    /**
     * Expired while running: who is connected goes on, new connections are refused by the peers
     * until the renewed certificate lies there; then they succeed without a restart.
     */
    @Test
    void aCertificateThatExpiresIsRenewedWithoutARestart() throws Exception {
        close();
        now = TlsFiles.NOW.minus(Duration.ofDays(5));
        start(TlsFiles.expired("sip.example.com"));
        TlsEcho.Connection early =
                echo.connect(
                        LiveTlsContexts.open(TlsConfig.of(List.of()).withVerify(Verify.NONE)),
                        "sip.example.com");
        assertThat(early.outcome()).isEqualTo(OK);
        now = TlsFiles.NOW;
        looks(1);
        assertThat(connect().outcome()).isEqualTo(EXPIRED);
        assertThat(early.ask("still here")).isEqualTo("still here");
        swap("certificates0.crt", second.certificatePem());
        swap("certificates0.key", second.keyPem());
        looks(2);
        assertThat(connect().outcome()).isEqualTo(OK);
    }

    @Test
    void expiryIsToldAt30And7And1DaysAndEveryDayAfterwards() {
        CertificateStatus one =
                new CertificateStatus(
                        List.of("sip.example.com"),
                        "CN=a",
                        "CN=b",
                        "EC 256",
                        TlsFiles.NOW.minus(Duration.ofDays(60)),
                        TlsFiles.NOW,
                        Path.of("sip.pem"),
                        true);
        ExpiryWatch watch = new ExpiryWatch();
        InstantSource never = InstantSource.fixed(TlsFiles.NOW);
        StringBuilder told = new StringBuilder();
        for (int hour = -40 * 24; hour <= 50; hour++) {
            Instant at = never.instant().plus(Duration.ofHours(hour));
            for (String sentence : watch.look(List.of(one), at)) {
                assertThat(sentence).startsWith("The certificate for sip.example.com (sip.pem)");
                told.append(hour).append(' ');
            }
        }
        assertThat(told).hasToString("-720 -168 -24 0 24 48 ");
    }
}
