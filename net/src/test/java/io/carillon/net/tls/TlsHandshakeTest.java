package io.carillon.net.tls;

import static io.carillon.net.tls.HandshakeOutcome.CIPHER;
import static io.carillon.net.tls.HandshakeOutcome.EXPIRED;
import static io.carillon.net.tls.HandshakeOutcome.NO_CERTIFICATE;
import static io.carillon.net.tls.HandshakeOutcome.NO_TLS;
import static io.carillon.net.tls.HandshakeOutcome.OK;
import static io.carillon.net.tls.HandshakeOutcome.REFUSED;
import static io.carillon.net.tls.HandshakeOutcome.UNTRUSTED;
import static io.carillon.net.tls.HandshakeOutcome.VERSION;
import static io.carillon.net.tls.HandshakeOutcome.WRONG_NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.carillon.net.tls.CertificateMaker.Made;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is done to a TLS port, and what must come of it; each with both providers. */
@ParameterizedClass
@MethodSource("providers")
class TlsHandshakeTest {

    private final TlsProvider provider;
    private final List<AutoCloseable> open = new ArrayList<>();

    @TempDir Path folder;

    TlsHandshakeTest(TlsProvider provider) {
        this.provider = provider;
    }

    static Set<TlsProvider> providers() {
        return EnumSet.of(TlsProvider.JDK, TlsProvider.best());
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    private LiveTlsContexts contexts(TlsConfig config) throws TlsFault {
        return contexts(config, InstantSource.system());
    }

    private LiveTlsContexts contexts(TlsConfig config, InstantSource clock) throws TlsFault {
        LiveTlsContexts contexts = LiveTlsContexts.open(config, provider, clock);
        open.add(contexts);
        return contexts;
    }

    private TlsEcho echo(LiveTlsContexts contexts) throws Exception {
        TlsEcho echo = new TlsEcho(contexts);
        open.add(echo);
        return echo;
    }

    private TlsFiles files() {
        return new TlsFiles(folder);
    }

    private LiveTlsContexts believer() throws TlsFault {
        return contexts(TlsConfig.of(List.of()).withTrust(files().authority(), null));
    }

    private HandshakeOutcome against(Made server, String domain) throws Exception {
        TlsEcho echo = echo(contexts(files().config(server)));
        return echo.connect(believer(), domain).outcome();
    }

    @Test
    void aCertificateOfTheDomainIsBelievedAndItsIdentitiesAreKnown() throws Exception {
        LiveTlsContexts server = contexts(files().config(TlsFiles.signed("sip.example.com")));
        TlsEcho.Connection connection = echo(server).connect(believer(), "SIP.example.com");
        assertThat(connection.outcome()).isEqualTo(OK);
        assertThat(connection.ask("OPTIONS")).isEqualTo("OPTIONS");
        assertThat(connection.server().identities()).containsExactly("sip.example.com");
        assertThat(connection.server().protocol()).isEqualTo("TLSv1.3");
        await().untilAsserted(() -> assertThat(server.handshakes(true, OK)).isEqualTo(1));
    }

    /** RFC 5922 7.3. */
    @Test
    void aCertificateOfAnotherDomainIsRefused() throws Exception {
        assertThat(against(TlsFiles.signed("other.example.com"), "sip.example.com"))
                .isEqualTo(WRONG_NAME);
    }

    /** RFC 5922 7.2: "Implementations MUST NOT match any form of wildcard". */
    @Test
    void aWildcardDoesNotStandForADomain() throws Exception {
        assertThat(against(TlsFiles.signed("*.example.com"), "sip.example.com"))
                .isEqualTo(WRONG_NAME);
    }

    @Test
    void anAddressInDigitsHasToStandInTheCertificate() throws Exception {
        assertThat(against(TlsFiles.signed("127.0.0.1"), null)).isEqualTo(OK);
        assertThat(against(TlsFiles.signed("sip.example.com"), null)).isEqualTo(WRONG_NAME);
    }

    @Test
    void anExpiredCertificateIsRefused() throws Exception {
        // The server's own clock goes wrong, else it would not take its certificate.
        InstantSource slow = InstantSource.fixed(TlsFiles.NOW.minus(Duration.ofDays(5)));
        LiveTlsContexts server =
                contexts(files().config(TlsFiles.expired("sip.example.com")), slow);
        LiveTlsContexts client = believer();
        TlsEcho.Connection connection = echo(server).connect(client, "sip.example.com");
        assertThat(connection.outcome()).isEqualTo(EXPIRED);
        assertThat(HandshakeFailure.reason(connection.failure()))
                .startsWith("the certificate of CN=sip.example.com is valid from ");
        await().untilAsserted(() -> assertThat(client.handshakes(false, EXPIRED)).isEqualTo(1));
        await().untilAsserted(() -> assertThat(server.handshakes(true, REFUSED)).isEqualTo(1));
    }

    @Test
    void aSelfSignedCertificateIsRefused() throws Exception {
        Made own = CertificateMaker.of(List.of("sip.example.com"), Duration.ofDays(9)).selfSigned();
        assertThat(against(own, "sip.example.com")).isEqualTo(UNTRUSTED);
    }

    @Test
    void withoutTheCheckOfNamesTheChainIsStillChecked() throws Exception {
        TlsConfig lax =
                TlsConfig.of(List.of())
                        .withTrust(files().authority(), null)
                        .withVerify(Verify.CHAIN);
        TlsEcho echo = echo(contexts(files().config(TlsFiles.signed("other.example.com"))));
        assertThat(echo.connect(contexts(lax), "sip.example.com").outcome()).isEqualTo(OK);
        Made own = CertificateMaker.of(List.of("sip.example.com"), Duration.ofDays(9)).selfSigned();
        TlsEcho stranger = echo(contexts(files().config(own)));
        assertThat(stranger.connect(contexts(lax), "sip.example.com").outcome())
                .isEqualTo(UNTRUSTED);
    }

    @Test
    void withoutAnyCheckAPeerOnLoopbackIsTakenButHasNoIdentity() throws Exception {
        Made own = CertificateMaker.of(List.of("sip.example.com"), Duration.ofDays(9)).selfSigned();
        TlsEcho echo = echo(contexts(files().config(own)));
        LiveTlsContexts lax = contexts(TlsConfig.of(List.of()).withVerify(Verify.NONE));
        TlsEcho.Connection connection = echo.connect(lax, "sip.example.com");
        assertThat(connection.outcome()).isEqualTo(OK);
        assertThat(connection.server().identities()).isEmpty();
    }

    /** RFC 8996: "TLS 1.0 MUST NOT be used", "TLS 1.1 MUST NOT be used". */
    @ParameterizedTest
    @ValueSource(ints = {0x0301, 0x0302})
    void olderVersionsAreRefused(int version) throws Exception {
        LiveTlsContexts server = contexts(files().config(TlsFiles.signed("sip.example.com")));
        // ECDHE_ECDSA with AES-128-CBC and SHA-1, the best that TLS 1.1 has.
        assertThat(RawClient.hello(echo(server).address(), version, 0xc009))
                .isEqualTo(RawClient.PROTOCOL_VERSION);
        await().untilAsserted(() -> assertThat(server.handshakes(true, VERSION)).isEqualTo(1));
    }

    /** NULL, RC4, 3DES, CBC with SHA-1; then one that is fine, so that the rest was not wrong. */
    @Test
    void weakCipherSuitesAreRefused() throws Exception {
        LiveTlsContexts server = contexts(files().config(TlsFiles.signed("sip.example.com")));
        TlsEcho echo = echo(server);
        assertThat(RawClient.hello(echo.address(), 0x0303, 0xc006, 0xc007, 0xc008, 0xc009, 0x002f))
                .isEqualTo(RawClient.HANDSHAKE_FAILURE);
        await().untilAsserted(() -> assertThat(server.handshakes(true, CIPHER)).isEqualTo(1));
        assertThat(RawClient.hello(echo.address(), 0x0303, 0xc02b)).isEqualTo(-2);
    }

    @Test
    void plainSipOnATlsPortIsCountedAsSuch() throws Exception {
        LiveTlsContexts server = contexts(files().config(TlsFiles.signed("sip.example.com")));
        byte[] plain =
                "OPTIONS sip:a@example.com SIP/2.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        RawClient.send(echo(server).address(), ByteBuffer.wrap(plain));
        await().untilAsserted(() -> assertThat(server.handshakes(true, NO_TLS)).isEqualTo(1));
    }

    /**
     * For the JDK's provider this is an option of the JVM, which is read once: it stands among the
     * options of the tests as among those of the server. CVE-2009-3555, CVE-2011-1473: who asks for
     * a second handshake loses the connection.
     */
    @Test
    void renegotiationIsRefused() throws Exception {
        TlsEcho echo = echo(contexts(files().config(TlsFiles.signed("sip.example.com"))));
        SSLContext client = anyone(new AtomicInteger());
        try (SSLSocket socket = socket(client, echo, "TLSv1.2")) {
            assertThat(echoed(socket)).isEqualTo('x');
            assertThatThrownBy(
                            () -> {
                                socket.startHandshake();
                                echoed(socket);
                            })
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aSessionIsResumed(String version) throws Exception {
        TlsEcho echo = echo(contexts(files().config(TlsFiles.signed("sip.example.com"))));
        AtomicInteger full = new AtomicInteger();
        SSLContext client = anyone(full);
        for (int i = 0; i < 3; i++) {
            try (SSLSocket socket = socket(client, echo, version)) {
                assertThat(echoed(socket)).isEqualTo('x');
            }
        }
        assertThat(full).as("full handshakes").hasValue(1);
    }

    @Test
    void theCertificateIsChosenByTheNameThatIsAskedFor() throws Exception {
        Made standard = TlsFiles.signed("sip.example.com");
        Made exact = TlsFiles.signed("a.example.net");
        Made wildcard = TlsFiles.signed("*.example.net");
        TlsEcho echo = echo(contexts(files().config(standard, exact, wildcard)));
        LiveTlsContexts client =
                contexts(
                        TlsConfig.of(List.of())
                                .withTrust(files().authority(), null)
                                .withVerify(Verify.CHAIN));
        assertThat(shown(echo, client, "a.example.net")).isEqualTo(exact.certificate());
        assertThat(shown(echo, client, "b.example.net")).isEqualTo(wildcard.certificate());
        assertThat(shown(echo, client, "b.c.example.net")).isEqualTo(standard.certificate());
        assertThat(shown(echo, client, "unknown.example")).isEqualTo(standard.certificate());
        assertThat(shown(echo, client, null)).as("no SNI").isEqualTo(standard.certificate());
    }

    private static X509Certificate shown(TlsEcho echo, LiveTlsContexts client, String domain)
            throws Exception {
        TlsEcho.Connection connection = echo.connect(client, domain);
        assertThat(connection.outcome()).isEqualTo(OK);
        return connection.certificate();
    }

    @Test
    void rsaAndEllipticCurveKeysServeTheSameName() throws Exception {
        Made rsa =
                CertificateMaker.of(List.of("sip.example.com"), Duration.ofDays(9))
                        .withRsa(2048)
                        .signedBy(TlsFiles.AUTHORITY);
        assertThat(against(rsa, "sip.example.com")).isEqualTo(OK);
        TlsEcho both = echo(contexts(files().config(rsa, TlsFiles.signed("sip.example.com"))));
        // ECDHE_RSA only, then ECDHE_ECDSA only
        assertThat(RawClient.hello(both.address(), 0x0303, 0xc02f)).isEqualTo(-2);
        assertThat(RawClient.hello(both.address(), 0x0303, 0xc02b)).isEqualTo(-2);
    }

    @Test
    void aClientThatIsNotAskedShowsNothing() throws Exception {
        TlsEcho echo = echo(contexts(files().config(TlsFiles.signed("sip.example.com"))));
        LiveTlsContexts client = contexts(files().config(TlsFiles.signed("peer.example.com")));
        assertThat(echo.connect(client, "sip.example.com").outcome()).isEqualTo(OK);
        assertThat(echo.client().certificates()).isEmpty();
    }

    @Test
    void aClientWhoseCertificateIsRequestedMayHaveNone() throws Exception {
        TlsFiles own = files();
        TlsConfig asking =
                own.config(TlsFiles.signed("sip.example.com"))
                        .withTrust(null, own.authority())
                        .withClientCertificates(ClientCertificates.REQUEST);
        TlsEcho echo = echo(contexts(asking));
        assertThat(echo.connect(believer(), "sip.example.com").outcome()).isEqualTo(OK);
        assertThat(echo.client().identities()).isEmpty();
        LiveTlsContexts client = contexts(files().config(TlsFiles.signed("peer.example.com")));
        assertThat(echo.connect(client, "sip.example.com").outcome()).isEqualTo(OK);
        assertThat(echo.client().identities()).containsExactly("peer.example.com");
    }

    @Test
    void aClientWithoutTheRequiredCertificateIsRefused() throws Exception {
        LiveTlsContexts server = contexts(requiring());
        TlsEcho echo = echo(server);
        assertThat(echo.connect(believer(), "sip.example.com").ask("OPTIONS")).isNull();
        await().untilAsserted(
                        () -> assertThat(server.handshakes(true, NO_CERTIFICATE)).isEqualTo(1));
        LiveTlsContexts client = contexts(files().config(TlsFiles.signed("peer.example.com")));
        assertThat(echo.connect(client, "sip.example.com").ask("OPTIONS")).isEqualTo("OPTIONS");
        assertThat(echo.client().identities()).containsExactly("peer.example.com");
    }

    @Test
    void aClientWithAStrangersCertificateIsRefused() throws Exception {
        LiveTlsContexts server = contexts(requiring());
        TlsEcho echo = echo(server);
        Made own =
                CertificateMaker.of(List.of("peer.example.com"), Duration.ofDays(9)).selfSigned();
        LiveTlsContexts client = contexts(files().config(own));
        assertThat(echo.connect(client, "sip.example.com").ask("OPTIONS")).isNull();
        await().untilAsserted(() -> assertThat(server.handshakes(true, UNTRUSTED)).isEqualTo(1));
    }

    private TlsConfig requiring() {
        return files().config(TlsFiles.signed("sip.example.com"))
                .withClientCertificates(ClientCertificates.REQUIRE);
    }

    /** Who asks is set for each listener by its name. */
    @Test
    void oneListenerMayAskWhereOthersDoNot() throws Exception {
        TlsConfig config =
                requiring()
                        .withClientCertificatesAt(
                                Map.of("tls:127.0.0.1:0", ClientCertificates.NONE));
        TlsEcho echo = echo(contexts(config));
        assertThat(echo.connect(believer(), "sip.example.com").ask("OPTIONS")).isEqualTo("OPTIONS");
    }

    // ---- a client that believes everybody ----

    private static SSLContext anyone(AtomicInteger asked) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anyone(asked)}, null);
        return context;
    }

    private static SSLSocket socket(SSLContext client, TlsEcho echo, String version)
            throws IOException {
        SSLSocket socket =
                (SSLSocket)
                        client.getSocketFactory()
                                .createSocket(
                                        echo.address().getAddress(), echo.address().getPort());
        socket.setSoTimeout(20_000);
        socket.setEnabledProtocols(new String[] {version});
        return socket;
    }

    private static int echoed(SSLSocket socket) throws IOException {
        socket.getOutputStream().write('x');
        int back = socket.getInputStream().read();
        if (back < 0) {
            throw new IOException("closed");
        }
        return back;
    }

    /** Is asked in full handshakes only. */
    private static final class Anyone extends X509ExtendedTrustManager {
        private final AtomicInteger asked;

        Anyone(AtomicInteger asked) {
            this.asked = asked;
        }

        @Override
        public void checkServerTrusted(
                X509Certificate[] chain, String type, java.net.Socket socket) {
            asked.incrementAndGet();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
            asked.incrementAndGet();
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {
            asked.incrementAndGet();
        }

        @Override
        public void checkClientTrusted(
                X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
