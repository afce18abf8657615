package io.carillon.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.carillon.server.HomeFolder;
import io.carillon.server.Server;
import io.carillon.server.config.ConfigurationReader;
import io.carillon.server.http.app.ListenerLog;
import io.carillon.server.http.app.Page;
import io.carillon.server.http.app.Phone;
import io.carillon.server.http.app.SerialCheck;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What strangers try at the HTTP side of a converged application, byte by byte. */
class HttpAttacksTest {
    private static final String YAML =
            """
            sip: {listen: [udp:127.0.0.1:0], shards: 1}
            http: {listen: 127.0.0.1:0, idle-timeout: 20 s, head-within: 2 s, data-grace: 1 s, min-data-rate: 20000, max-threads: 8}
            control: {directory: control}
            drain: {transactions: 0 s}
            """;

    private static final String HOST = "Host: 127.0.0.1\r\n";

    @TempDir private static Path folder;
    private static Server server;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        Path one = folder.resolve("converged");
        for (Class<?> type :
                List.of(Page.class, Phone.class, ListenerLog.class, SerialCheck.class)) {
            copy(type, one);
        }
        server =
                Server.start(
                        ConfigurationReader.read("test.yaml", YAML, folder),
                        List.of(one),
                        new HomeFolder(folder));
        port = Integer.parseInt(server.readyLine().replaceAll(".*HTTP 127.0.0.1:(\\d+);.*", "$1"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static void copy(Class<?> type, Path application) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Path target = application.resolve("WEB-INF/classes").resolve(name);
        Files.createDirectories(target.getParent());
        try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
            Files.copy(in, target);
        }
    }

    /** All that the server says until it closes; it has a second of silence for that. */
    private static String ask(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private static String get(String path, String headers) throws IOException {
        return ask("GET " + path + " HTTP/1.1\r\n" + HOST + headers + "Connection: close\r\n\r\n");
    }

    private static String cookie(String response) {
        return response.lines()
                .filter(line -> line.startsWith("Set-Cookie: JSESSIONID="))
                .map(line -> line.substring("Set-Cookie: JSESSIONID=".length()).split(";")[0])
                .findFirst()
                .orElse("");
    }

    @Test
    void aSessionIdThatSomebodyMadeUpIsNotTaken() throws Exception {
        String byCookie = get("/converged/page/session", "Cookie: JSESSIONID=chosen\r\n");
        assertThat(cookie(byCookie)).isNotEmpty().doesNotStartWith("chosen");
        String byPath = get("/converged/page/session;jsessionid=chosen", "");
        assertThat(cookie(byPath)).isNotEmpty().doesNotStartWith("chosen");
        assertThat(cookie(byPath)).isNotEqualTo(cookie(byCookie));
    }

    @Test
    void aSessionIsKnownByItsWholeIdOnly() throws Exception {
        String first = get("/converged/page/session", "");
        String id = cookie(first);
        assertThat(id.length()).isGreaterThan(20);
        String again = get("/converged/page/session", "Cookie: JSESSIONID=" + id + "\r\n");
        assertThat(cookie(again)).as("no new session").isEmpty();
        String cut = id.substring(0, id.length() - 1);
        String guessed = get("/converged/page/session", "Cookie: JSESSIONID=" + cut + "\r\n");
        assertThat(cookie(guessed)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 4\r\nContent-Length: 30\r\n",
                "Content-Length: 4, 30\r\n",
                "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
                "Transfer-Encoding : chunked\r\n",
                "Content-Length: +4\r\n",
                "Content-Length: -1\r\n",
                "X: 1\r\n Content-Length: 4\r\n"
            })
    void aRequestWhoseEndIsUncertainIsRefusedAndNothingAfterItIsRead(String headers)
            throws Exception {
        String smuggled = "GET /converged/page/heard HTTP/1.1\r\n" + HOST + "\r\n";
        String said =
                ask(
                        "POST /converged/page/encode HTTP/1.1\r\n"
                                + HOST
                                + headers
                                + "\r\n0\r\n\r\n"
                                + smuggled);
        assertThat(said).startsWith("HTTP/1.1 400 ");
        assertThat(said.split("HTTP/1.1 ", -1)).as("one answer").hasSize(2);
    }

    @Test
    void aBodyThatTricklesIsGivenUp() throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            String head =
                    "POST /converged/page/encode HTTP/1.1\r\n"
                            + HOST
                            + "Content-Type: application/x-www-form-urlencoded\r\n"
                            + "Content-Length: 5000\r\n\r\nbase=";
            socket.getOutputStream().write(head.getBytes(ISO_8859_1));
            InputStream in = socket.getInputStream();
            // A byte now and then keeps it from being idle.
            await().pollInterval(Duration.ofMillis(100))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> {
                        if (in.available() > 0) {
                            return true;
                        }
                        try {
                            socket.getOutputStream().write('x');
                            return false;
                        } catch (IOException closed) {
                            return true;
                        }
                    });
        }
        assertThat(get("/converged/page/heard", "")).startsWith("HTTP/1.1 200 ");
    }

    /** Each of them would have a thread; a byte now and then keeps it from being idle. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5000\r\n\r\n",
                "Content-Length: 5000\r\n\r\nb",
                "Content-Length: 50000\r\n\r\nb",
                "Transfer-Encoding: chunked\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n1\r\nb\r\n",
                "Expect: 100-continue\r\nContent-Length: 5000\r\n\r\n"
            })
    void moreBodiesThatDoNotComeThanThreadsLeaveTheServersPagesInPeace(String begin)
            throws Exception {
        String head =
                "POST /converged/page/encode HTTP/1.1\r\n"
                        + HOST
                        + "Content-Type: application/x-www-form-urlencoded\r\n";
        List<Socket> unfinished = new ArrayList<>();
        try {
            for (int i = 0; i < 64; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                socket.setSoTimeout(20_000);
                socket.getOutputStream().write((head + begin).getBytes(ISO_8859_1));
                unfinished.add(socket);
            }
            assertThat(get("/status", "")).startsWith("HTTP/1.1 200 ");
            String given = "";
            for (Socket one : unfinished) {
                given = new String(one.getInputStream().readAllBytes(), ISO_8859_1);
                assertThat(given.replace("HTTP/1.1 100 Continue\r\n\r\n", ""))
                        .containsPattern("\\AHTTP/1.1 4[0-9][0-9] |\\AHTTP/1.1 503 |\\A\\z");
            }
            assertThat(given).doesNotContain("Exception");
        } finally {
            for (Socket one : unfinished) {
                one.close();
            }
        }
        assertThat(get("/converged/page/heard", "")).startsWith("HTTP/1.1 200 ");
        assertThat(get("/metrics", ""))
                .containsPattern("carillon_http_refused_data_rate_total [1-9]");
    }

    @Test
    void aBodyInPiecesIsTheBodyInOne() throws Exception {
        String body = "base=http://a.example/&x=" + "y".repeat(20_000);
        for (int piece : new int[] {1, 7, 1_000, 30_000}) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(20_000);
                StringBuilder all =
                        new StringBuilder(
                                "POST /converged/page/encode HTTP/1.1\r\n"
                                        + HOST
                                        + "Content-Type: application/x-www-form-urlencoded\r\n"
                                        + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
                for (int at = 0; at < body.length(); at += piece) {
                    String part = body.substring(at, Math.min(body.length(), at + piece));
                    all.append(Integer.toHexString(part.length())).append("\r\n");
                    all.append(part).append("\r\n");
                }
                all.append("0\r\n\r\n");
                socket.getOutputStream().write(all.toString().getBytes(ISO_8859_1));
                assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
                        .as("pieces of %d", piece)
                        .startsWith("HTTP/1.1 200 ");
            }
        }
    }

    /**
     * RFC 9112 7.1.1: "A server ought to limit the total length of chunk extensions received in a
     * request". Of all chunks together, and of trailers: each of them is short here.
     */
    @ParameterizedTest
    @ValueSource(strings = {"extensions", "trailers"})
    void whatComesBesideABodyIsBounded(String where) throws Exception {
        String more = "y".repeat(400);
        StringBuilder all =
                new StringBuilder(
                        "POST /converged/page/encode HTTP/1.1\r\n"
                                + HOST
                                + "Content-Type: application/x-www-form-urlencoded\r\n"
                                + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                                + "16\r\nbase=http://a.example/\r\n");
        if (where.equals("extensions")) {
            for (int i = 0; i < 100; i++) {
                all.append("1;x=").append(more).append("\r\nb\r\n");
            }
            all.append("0\r\n\r\n");
        } else {
            all.append("0\r\n");
            for (int i = 0; i < 100; i++) {
                all.append("X-").append(i).append(": ").append(more).append("\r\n");
            }
            all.append("\r\n");
        }
        String said;
        try {
            said = ask(all.toString());
        } catch (IOException reset) {
            said = ""; // it does not read what it refuses
        }
        assertThat(said).containsPattern("\\AHTTP/1.1 4[0-9][0-9] |\\A\\z");
    }

    @Test
    void aShortExtensionChangesNothing() throws Exception {
        String said =
                ask(
                        "POST /converged/page/encode HTTP/1.1\r\n"
                                + HOST
                                + "Content-Type: application/x-www-form-urlencoded\r\n"
                                + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                                + "16;sign=abc\r\nbase=http://a.example/\r\n0\r\n\r\n");
        assertThat(said).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void requestsInOneWriteAreAnsweredInTheirOrder() throws Exception {
        String page = "GET /converged/page/heard HTTP/1.1\r\n" + HOST + "\r\n";
        String form =
                "POST /converged/page/encode HTTP/1.1\r\n"
                        + HOST
                        + "Content-Type: application/x-www-form-urlencoded\r\n"
                        + "Content-Length: 22\r\n\r\nbase=http://a.example/";
        String last = "GET /status HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n";
        String said = ask(page + form + page + last);
        assertThat(said.split("HTTP/1.1 200 ", -1)).hasSize(5);
        assertThat(said).contains("\"pid\"");
    }

    @Test
    void aReaderThatDoesNotReadLosesItsConnection() throws Exception {
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4_096);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            String request = "GET /metrics HTTP/1.1\r\n" + HOST + "\r\n";
            byte[] many = request.repeat(2_000).getBytes(ISO_8859_1);
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            socket.getOutputStream().write(many);
                        } catch (IOException closed) {
                            return; // as it should be
                        }
                    });
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() ->
                            assertThat(get("/metrics", ""))
                                    .containsPattern("carillon_http_closed_data_rate_total [1-9]"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"rebound.example", "localhost.rebound.example", "127.0.0.1.rebound.example"})
    void aForeignNameForOurAddressReachesNoApplication(String name) throws Exception {
        String request =
                "GET /converged/page/heard HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n";
        assertThat(ask(request.formatted(name + ":" + port))).startsWith("HTTP/1.1 421 ");
        assertThat(ask(request.formatted("localhost:" + port))).startsWith("HTTP/1.1 200 ");
        assertThat(get("/metrics", "")).containsPattern("carillon_http_refused_host_total [1-9]");
    }

    /**
     * RFC 9112 section 9.6: who sends no more answers on a connection says so with the last one.
     */
    @ParameterizedTest
    @ValueSource(strings = {"/status", "/console/", "/health/live", "/api/v1/status", "/nothing"})
    void anAnswerAheadOfTheBodySaysThatTheConnectionEnds(String path) throws Exception {
        String said = ask("POST " + path + " HTTP/1.1\r\n" + HOST + "Content-Length: 2\r\n\r\n");
        assertThat(said).startsWith("HTTP/1.1 ").containsIgnoringCase("\r\nConnection: close\r\n");
    }

    @Test
    void aHeadThatTricklesIsGivenUp() throws Exception {
        assertThat(afterTrickle("GET /converged/page/heard HTTP/1.1\r\nX: ", 'x')).isEmpty();
        assertThat(get("/metrics", ""))
                .containsPattern("carillon_http_closed_slow_head_total [1-9]");
        assertThat(get("/converged/page/heard", "")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void emptyLinesBeforeAHeadAreGivenUpToo() throws Exception {
        assertThat(afterTrickle("", '\n')).isEmpty();
    }

    /** What came until the server closed a connection that sends a byte now and then. */
    private static String afterTrickle(String begin, char more) throws IOException {
        StringBuilder said = new StringBuilder();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(100);
            socket.getOutputStream().write(begin.getBytes(ISO_8859_1));
            await().pollInterval(Duration.ofMillis(10))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> {
                        try {
                            socket.getOutputStream().write(more);
                            int got = socket.getInputStream().read();
                            if (got >= 0) {
                                said.append((char) got);
                            }
                            return got < 0;
                        } catch (SocketTimeoutException silent) {
                            return false;
                        } catch (IOException closed) {
                            return true;
                        }
                    });
        }
        return said.toString();
    }

    @Test
    void noAnswerNamesTheServerOrItsVersion() throws Exception {
        for (String path : List.of("/converged/page/heard", "/nothing", "/converged/nothing")) {
            String said = get(path, "");
            assertThat(said).doesNotContainIgnoringCase("jetty").doesNotContain("Server:");
        }
        assertThat(ask("nonsense\r\n\r\n")).doesNotContainIgnoringCase("jetty");
    }
}
