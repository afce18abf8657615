package io.carillon.server.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.config.HttpSettings;
import io.carillon.server.config.Secret;
import io.carillon.server.log.LibraryLines;
import io.carillon.sip.hop.HostPort;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AdminHttpTest {
    private static final Map<String, AdminPage> PAGES =
            Map.of("/status", new AdminPage("application/json", () -> "{}"));

    @Test
    void pagesAreServedOnLoopback() throws Exception {
        try (AdminHttp http =
                AdminHttp.start(
                        settings("127.0.0.1", 0, null), PAGES, name -> null, nobody -> false)) {
            assertThat(get(http, "/status", "localhost", ""))
                    .startsWith("HTTP/1.1 200")
                    .contains("application/json")
                    .endsWith("{}");
            assertThat(get(http, "/other", "localhost", ""))
                    .startsWith("HTTP/1.1 404")
                    .contains("Here is: /status");
        }
    }

    @Test
    void theFrontPageIsShownWhereNoApplicationHasThePath() throws Exception {
        Map<String, AdminPage> pages = Map.of("/", new AdminPage("text/html", () -> "front"));
        try (AdminHttp http =
                AdminHttp.start(
                        settings("127.0.0.1", 0, "secret"), pages, name -> null, nobody -> false)) {
            String token = "Authorization: Bearer secret\r\n";
            assertThat(get(http, "/", "localhost", token)).endsWith("front");
            assertThat(get(http, "/", "localhost", "")).startsWith("HTTP/1.1 401");
            assertThat(get(http, "/other", "localhost", token)).startsWith("HTTP/1.1 404");
        }
    }

    @Test
    void aForeignNameForOurLoopbackAddressIsRefused() throws Exception {
        try (AdminHttp http =
                AdminHttp.start(
                        settings("127.0.0.1", 0, null), PAGES, name -> null, nobody -> false)) {
            assertThat(get(http, "/status", "rebound.example.com", "")).startsWith("HTTP/1.1 403");
        }
    }

    /** Jetty warns of each: one line a second of a kind, the others are counted. */
    @Test
    void malformedHostsDoNotFillTheLog() throws Exception {
        long before = LibraryLines.suppressed();
        try (AdminHttp http =
                AdminHttp.start(
                        settings("127.0.0.1", 0, null), PAGES, name -> null, nobody -> false)) {
            for (int i = 0; i < 100; i++) {
                assertThat(get(http, "/status", "a b" + i + "]:x", "")).startsWith("HTTP/1.1 400");
            }
        }
        assertThat(LibraryLines.suppressed() - before).isPositive();
    }

    @Test
    void aTokenIsAskedFor() throws Exception {
        try (AdminHttp http =
                AdminHttp.start(
                        settings("127.0.0.1", 0, "secret"), PAGES, name -> null, nobody -> false)) {
            assertThat(get(http, "/status", "localhost", "")).startsWith("HTTP/1.1 401");
            assertThat(get(http, "/status", "localhost", "Authorization: Bearer wrong\r\n"))
                    .startsWith("HTTP/1.1 401");
            assertThat(get(http, "/status", "localhost", "Authorization: Bearer secret\r\n"))
                    .startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void elsewhereThanOnLoopbackATokenIsNeeded() {
        assertThatThrownBy(() ->
                        AdminHttp.start(
                                settings("0.0.0.0", 0, null), PAGES, name -> null, nobody -> false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("set http.token");
    }

    @Test
    void aTakenPortIsNamed() throws Exception {
        try (AdminHttp first =
                AdminHttp.start(
                        settings("127.0.0.1", 0, null), PAGES, name -> null, nobody -> false)) {
            HttpSettings same = settings("127.0.0.1", first.listening().port(), null);

            assertThatThrownBy(() -> AdminHttp.start(same, PAGES, name -> null, nobody -> false))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("HTTP cannot listen on " + first.listening())
                    .hasMessageContaining("--http");
        }
    }

    @Test
    void connectionsHaveALimit() throws Exception {
        try (AdminHttp http =
                        AdminHttp.start(
                                settings("127.0.0.1", 0, null, 2),
                                PAGES,
                                name -> null,
                                nobody -> false);
                Socket stays = new Socket("127.0.0.1", http.listening().port())) {
            try (Socket goes = new Socket("127.0.0.1", http.listening().port())) {
                await().until(() -> !http.accepting());
                assertThat(goes.isConnected()).isTrue();
                assertThat(http.timesFull()).isEqualTo(1);
            }
            await().until(http::accepting);
            assertThat(stays.isConnected()).isTrue();
        }
    }

    @Test
    void oneSourceAloneLeavesAPlaceForOthers() throws Exception {
        List<Socket> held = new ArrayList<>();
        try (AdminHttp http =
                AdminHttp.start(
                        settings("127.0.0.1", 0, null, 32), PAGES, name -> null, nobody -> false)) {
            int port = http.listening().port();
            for (int i = 0; i < 40; i++) {
                held.add(from("127.0.0.9", port));
            }
            try (Socket other = from("127.0.0.10", port)) {
                ask(other);
            }
        } finally {
            for (Socket one : held) {
                one.close();
            }
        }
    }

    @Test
    void whereConnectionsAreManyTheSourceThatHoldsMostGivesUpItsIdlest() throws Exception {
        List<Socket> held = new ArrayList<>();
        try (AdminHttp http =
                AdminHttp.start(
                        settings("127.0.0.1", 0, null, 32), PAGES, name -> null, nobody -> false)) {
            int port = http.listening().port();
            for (int i = 0; i < 29; i++) {
                Socket one = from("127.0.0.9", port);
                held.add(one);
                ask(one); // who has an answer is counted
            }
            for (Socket one : held.subList(1, held.size())) {
                ask(one); // so the first one is the idlest
            }
            try (Socket other = from("127.0.0.10", port)) {
                ask(other);
            }
            assertThat(http.gaveWay()).isEqualTo(1);
            assertThat(held.getFirst().getInputStream().read()).isEqualTo(-1);
            for (Socket one : held.subList(1, held.size())) {
                ask(one);
            }
        } finally {
            for (Socket one : held) {
                one.close();
            }
        }
    }

    /** Asks for a page, reads the whole answer, and leaves the connection open. */
    private static void ask(Socket socket) throws IOException {
        socket.getOutputStream()
                .write("GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
        InputStream in = socket.getInputStream();
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("\r\n\r\n{}") < 0) {
            int next = in.read();
            assertThat(next).as("after %s", answer).isNotNegative();
            answer.append((char) next);
        }
        assertThat(answer).startsWith("HTTP/1.1 200 ");
    }

    private static Socket from(String address, int port) throws IOException {
        Socket socket =
                new Socket(
                        InetAddress.getLoopbackAddress(), port, InetAddress.ofLiteral(address), 0);
        socket.setSoTimeout(10_000);
        return socket;
    }

    static HttpSettings settings(String host, int port, @Nullable String token) {
        return settings(host, port, token, ConfigurationReader.standard().http().maxConnections());
    }

    private static HttpSettings settings(
            String host, int port, @Nullable String token, int connections) {
        HttpSettings standard = ConfigurationReader.standard().http();
        return new HttpSettings(
                HostPort.of(host, port),
                false,
                null,
                token == null ? null : Secret.of(token),
                null,
                false,
                null,
                standard.hosts(),
                standard.maxThreads(),
                connections,
                standard.maxRequest(),
                standard.idleTimeout(),
                standard.headWithin(),
                standard.minDataRate(),
                standard.dataGrace());
    }

    private static String get(AdminHttp http, String path, String host, String headers)
            throws IOException {
        try (Socket socket = new Socket(http.listening().bareHost(), http.listening().port())) {
            String request =
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: "
                            + host
                            + "\r\nConnection: close\r\n"
                            + headers
                            + "\r\n";
            socket.getOutputStream().write(request.getBytes(US_ASCII));
            try (InputStream in = socket.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }
}
