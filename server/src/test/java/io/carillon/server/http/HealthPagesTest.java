package io.carillon.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.health.Health;
import io.carillon.server.tls.SelfSigned;
import io.carillon.server.tls.TlsSide;
import io.carillon.sip.hop.HostPort;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Probes, and administration over TLS, on real sockets. */
class HealthPagesTest {
    private static final Map<String, AdminPage> PAGES =
            Map.of("/status", new AdminPage("application/json", () -> "{}"));

    @TempDir private Path folder;
    private volatile boolean up = true;

    private AdminHttp start(Configuration configuration, TlsSide tls) throws Exception {
        return AdminHttp.start(
                configuration.http(),
                PAGES,
                name -> null,
                nobody -> false,
                Map.of("/health/ready", () -> Health.of(List.of(new Health.Check("a", up, "b")))),
                new AdminHttp.Beside(configuration.http().tls() ? tls.https() : null, null, null));
    }

    private Configuration read(String http) throws Exception {
        return ConfigurationReader.read(
                "c.yaml",
                "http: {"
                        + http
                        + "}\ntls: {certificates: [{certificate: certificate.pem, key: key.pem}]}\n",
                folder);
    }

    private TlsSide tls(Configuration configuration) throws Exception {
        return TlsSide.open(configuration.tls(), List.of());
    }

    private void certificate(String name) throws Exception {
        Path made = Files.createDirectories(folder.resolve(name));
        SelfSigned.make(List.of(name, "127.0.0.1"), Duration.ofDays(9), made);
        for (String file : List.of("certificate.pem", "key.pem")) {
            Files.copy(
                    made.resolve(file), folder.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Test
    void probesNeedNoTokenAndAPlaceOfTheirOwnAnswersNothingElse() throws Exception {
        certificate("a.example");
        Configuration configuration =
                read(
                        "listen: '127.0.0.1:0', token: secret, applications: '127.0.0.1:0', health:"
                                + " '127.0.0.1:0'");
        try (TlsSide tls = tls(configuration);
                AdminHttp http = start(configuration, tls)) {
            HostPort probes = Objects.requireNonNull(http.probes());
            HostPort applications = Objects.requireNonNull(http.applications());
            assertThat(get(http.listening(), "/status")).startsWith("HTTP/1.1 401");
            for (HostPort at : List.of(http.listening(), probes)) {
                assertThat(get(at, "/health/ready"))
                        .startsWith("HTTP/1.1 200")
                        .contains("application/json")
                        .contains("{\"up\":true,\"checks\":[{\"name\":\"a\"");
            }
            assertThat(get(probes, "/status")).startsWith("HTTP/1.1 404");
            assertThat(get(applications, "/health/ready")).startsWith("HTTP/1.1 404");
            up = false;
            assertThat(get(probes, "/health/ready")).startsWith("HTTP/1.1 503");
        }
    }

    @Test
    void administrationSpeaksTlsWithTheCertificatesOfTheMoment() throws Exception {
        certificate("a.example");
        Configuration configuration = read("listen: '127.0.0.1:0', tls: true");
        try (TlsSide tls = tls(configuration);
                AdminHttp http = start(configuration, tls)) {
            assertThat(secure(http.listening(), "a.example")).startsWith("HTTP/1.1 200");
            assertThat(get(http.listening(), "/status")).doesNotContain("200 OK");
            certificate("b.example");
            tls.commands().get("tls-reload").answer("");
            assertThat(secure(http.listening(), "b.example")).startsWith("HTTP/1.1 200");
        }
    }

    private static String get(HostPort at, String path) throws IOException {
        try (Socket socket = new Socket(at.bareHost(), at.port())) {
            return ask(socket, path);
        }
    }

    private static String ask(Socket socket, String path) throws IOException {
        String request =
                "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }

    /** The status page, from a server whose certificate is made out to that name. */
    private String secure(HostPort at, String name) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Anybody()}, null);
        try (SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(at.bareHost(), at.port())) {
            socket.startHandshake();
            X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            assertThat(shown.getSubjectAlternativeNames().toString()).contains(name);
            return ask(socket, "/status");
        }
    }

    /** The test looks at the certificate itself. */
    private static final class Anybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
