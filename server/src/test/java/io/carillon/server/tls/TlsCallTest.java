package io.carillon.server.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.carillon.net.tls.CertificateMaker;
import io.carillon.net.tls.CertificateMaker.Made;
import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.control.ControlClient;
import io.carillon.server.control.ControlFolder;
import io.carillon.server.measure.ServerStatus;
import io.carillon.server.measure.StatusText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls over TLS through whole servers, on real sockets of the loopback interface. */
class TlsCallTest {
    private static final Made AUTHORITY =
            CertificateMaker.of(List.of("Authority"), Duration.ofDays(9))
                    .asAuthority()
                    .selfSigned();

    @TempDir private Path folder;

    @BeforeEach
    void packApplication() throws IOException {
        String name = TlsServlet.class.getName().replace('.', '/') + ".class";
        Path target = folder.resolve("tls-app/WEB-INF/classes").resolve(name);
        Files.createDirectories(target.getParent());
        try (InputStream in = TlsServlet.class.getClassLoader().getResourceAsStream(name)) {
            Files.copy(in, target);
        }
        Files.writeString(folder.resolve("authority.pem"), AUTHORITY.certificatePem());
    }

    private static Made signed(String name) {
        return CertificateMaker.of(List.of(name), Duration.ofDays(9)).signedBy(AUTHORITY);
    }

    private void write(String who, Made made) throws IOException {
        Files.writeString(folder.resolve(who + ".pem"), made.certificatePem() + made.keyPem());
    }

    /** A server whose certificate is that of {@code who}. */
    private Server start(String who, String tls, String nextHop) throws Exception {
        String yaml =
                """
                sip: {listen: [tls:127.0.0.1:0], shards: 1}
                http: {listen: 127.0.0.1:0}
                control: {directory: control-%1$s}
                drain: {transactions: 0 s}
                applications: {tls-app: {context-params: {next-hop: "%3$s"}}}
                tls:
                  certificates: [{certificate: %1$s.pem}]
                  trust: authority.pem
                  %2$s
                """
                        .formatted(who, tls, nextHop);
        Path home = Files.createDirectories(folder.resolve("home-" + who));
        return Server.start(
                ConfigurationReader.read("test.yaml", yaml, folder),
                List.of(folder.resolve("tls-app")),
                new HomeFolder(home));
    }

    private ServerStatus status(String who) throws IOException {
        ControlFolder control = ControlFolder.of(folder.resolve("control-" + who), folder);
        return StatusText.parse(
                ControlClient.ask(ControlClient.running(control).getFirst(), "status"));
    }

    private static int port(Server server) {
        return Integer.parseInt(server.readyLine().replaceAll(".*tls:127.0.0.1:(\\d+).*", "$1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sips:callee@127.0.0.1:%d", "sip:callee@127.0.0.1:%d;transport=tls"})
    void aCallCrossesTwoServersOverTlsAndShowsWhoItsPeersAre(String nextHop) throws Exception {
        write("callee", signed("127.0.0.1"));
        write("bridge", signed("127.0.0.1"));
        try (Server callee = start("callee", "client-certificates: require", "");
                Server bridge = start("bridge", "", nextHop.formatted(port(callee)));
                Phone phone = new Phone(port(bridge), null)) {
            String scheme = nextHop.substring(0, nextHop.indexOf(':'));
            String ok = phone.invite(scheme + ":bridge@127.0.0.1:" + port(bridge));
            assertThat(ok)
                    .startsWith("SIP/2.0 200")
                    .contains("X-Secure: true")
                    .contains("X-Peer: CN=127.0.0.1")
                    .containsPattern("X-Cipher: TLS_")
                    .contains("X-Contact: <" + scheme + ":127.0.0.1:" + port(callee))
                    .contains("Contact: <" + scheme + ":127.0.0.1:" + port(bridge));
            phone.ack(ok);
            assertThat(phone.bye(ok)).startsWith("SIP/2.0 200");
            await().until(() -> status("callee").calls().held() == 0);
            ServerStatus status = status("bridge");
            assertThat(status.counters())
                    .containsEntry("tls.handshakes_accepted_ok", 1L)
                    .containsEntry("tls.handshakes_opened_ok", 1L);
            assertThat(status.tls().certificates().getFirst().listeners()).hasSize(1);
        }
    }

    /** RFC 5922 7.3: the application gets 503 with the reason, and nothing is sent. */
    @Test
    void aPeerWithAnothersCertificateGetsNoCallAndTheApplicationIsToldWhy() throws Exception {
        write("callee", signed("other.example.com"));
        write("bridge", signed("127.0.0.1"));
        try (Server callee = start("callee", "", "");
                Server bridge = start("bridge", "", "sips:callee@127.0.0.1:" + port(callee));
                Phone phone = new Phone(port(bridge), null)) {
            assertThat(phone.invite("sips:bridge@127.0.0.1:" + port(bridge)))
                    .startsWith("SIP/2.0 503")
                    .contains("the certificate is made out to other.example.com, not to 127.0.0.1");
            assertThat(status("callee").messages().requestsIn()).isZero();
            assertThat(status("bridge").counters())
                    .containsEntry("tls.handshakes_opened_wrong_name", 1L);
        }
    }

    /** Expired and renewed while the caller's server runs: 503 with the dates, then 200. */
    @Test
    void aPeerWhoseCertificateExpiredIsCalledAgainWhenItHasANewOne() throws Exception {
        write("callee", signed("127.0.0.1"));
        write("bridge", signed("127.0.0.1"));
        Instant now = Instant.now();
        Made expired =
                CertificateMaker.of(List.of("127.0.0.1"), Duration.ofDays(1))
                        .withValidity(now.minus(Duration.ofDays(9)), now.minus(Duration.ofDays(1)))
                        .signedBy(AUTHORITY);
        try (ExpiredPeer peer = new ExpiredPeer(context(expired));
                Server bridge = start("bridge", "", "sips:callee@127.0.0.1:" + peer.port());
                Phone phone = new Phone(port(bridge), null)) {
            assertThat(phone.invite("sips:bridge@127.0.0.1:" + port(bridge)))
                    .startsWith("SIP/2.0 503")
                    .contains("TLS failed: the certificate of CN=127.0.0.1 is valid from ");
        }
        try (Server callee = start("callee", "", "");
                Server bridge = start("bridge", "", "sips:callee@127.0.0.1:" + port(callee));
                Phone phone = new Phone(port(bridge), null)) {
            write("callee", signed("127.0.0.1"));
            await().untilAsserted(() -> assertThat(status("callee").tls().reloads()).isOne());
            String ok = phone.invite("sips:bridge@127.0.0.1:" + port(bridge));
            assertThat(ok).startsWith("SIP/2.0 200");
            phone.ack(ok);
            phone.bye(ok);
        }
    }

    @Test
    void aClientWithoutTheRequiredCertificateReachesNoApplication() throws Exception {
        write("callee", signed("127.0.0.1"));
        try (Server callee = start("callee", "client-certificates: require", "")) {
            try (Phone stranger = new Phone(port(callee), null)) {
                assertThatThrownBy(() -> stranger.invite("sips:a@127.0.0.1:" + port(callee)))
                        .isInstanceOf(IOException.class);
            }
            try (Phone known = new Phone(port(callee), signed("phone.example.com"))) {
                String ok = known.invite("sips:a@127.0.0.1:" + port(callee));
                assertThat(ok).contains("X-Peer: CN=phone.example.com");
                known.ack(ok);
                known.bye(ok);
            }
            assertThat(status("callee").counters())
                    .containsEntry("tls.handshakes_accepted_no_certificate", 1L);
        }
    }

    private static SSLContext context(Made own) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("authority", AUTHORITY.certificate());
        if (own != null) {
            store.setKeyEntry(
                    "own",
                    own.key(),
                    new char[0],
                    new Certificate[] {own.certificate(), AUTHORITY.certificate()});
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** A server that shows an expired certificate and takes nothing else. */
    private static final class ExpiredPeer implements AutoCloseable {
        private final SSLServerSocket listener;

        ExpiredPeer(SSLContext context) throws IOException {
            listener =
                    (SSLServerSocket)
                            context.getServerSocketFactory()
                                    .createServerSocket(0, 5, InetAddress.getLoopbackAddress());
            Thread.ofVirtual().start(this::serve);
        }

        private void serve() {
            while (!listener.isClosed()) {
                try (SSLSocket socket = (SSLSocket) listener.accept()) {
                    socket.startHandshake();
                } catch (IOException refused) {
                    continue; // as the test wants it
                }
            }
        }

        int port() {
            return listener.getLocalPort();
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }

    /** A caller on a TLS socket. */
    private static final class Phone implements AutoCloseable {
        private final SSLSocket socket;
        private final BufferedReader in;
        private final int server;
        private String uri = "";

        Phone(int port, Made own) throws Exception {
            server = port;
            socket = (SSLSocket) context(own).getSocketFactory().createSocket("127.0.0.1", port);
            socket.setSoTimeout(20_000);
            in =
                    new BufferedReader(
                            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        }

        String invite(String to) throws IOException {
            uri = to;
            send("INVITE", 1, "");
            return answer();
        }

        void ack(String ok) throws IOException {
            send("ACK", 1, tag(ok));
        }

        String bye(String ok) throws IOException {
            send("BYE", 2, tag(ok));
            return answer();
        }

        private static String tag(String ok) {
            return ok.replaceAll("(?s).*\nTo:[^\n]*(;tag=[^;\\s]+).*", "$1");
        }

        private void send(String method, int cseq, String toTag) throws IOException {
            String own = "127.0.0.1:" + socket.getLocalPort();
            String scheme = uri.substring(0, uri.indexOf(':'));
            String text =
                    (method + " " + uri + " SIP/2.0\r\n")
                            + ("Via: SIP/2.0/TLS " + own + ";branch=z9hG4bK" + method + "\r\n")
                            + "Max-Forwards: 70\r\n"
                            + ("From: <" + scheme + ":phone@" + own + ">;tag=p\r\n")
                            + ("To: <" + uri + ">" + toTag + "\r\n")
                            + ("Call-ID: " + server + "@phone\r\n")
                            + ("CSeq: " + cseq + " " + method + "\r\n")
                            + ("Contact: <" + scheme + ":phone@" + own + ">\r\n")
                            + "Content-Length: 0\r\n\r\n";
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        }

        /** The next final response. */
        private String answer() throws IOException {
            while (true) {
                StringBuilder head = new StringBuilder();
                String line = in.readLine();
                while (line != null && !line.isEmpty()) {
                    head.append(line).append('\n');
                    line = in.readLine();
                }
                if (line == null) {
                    throw new IOException("closed");
                }
                if (!head.toString().startsWith("SIP/2.0 1")) {
                    return head.toString();
                }
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
