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
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Visitors who announce bodies and do not send them, from addresses of their own, and somebody else
 * who asks for a page meanwhile. No body is given up within the test.
 */
class HeldThreadsTest {
    private static final String YAML =
            """
            sip: {listen: [udp:127.0.0.1:0], shards: 1}
            http: {listen: 127.0.0.1:0, idle-timeout: 10 min, data-grace: 10 min, max-threads: 8, max-request: 1 MiB}
            guard: {trusted: [192.0.2.1]}
            control: {directory: control}
            drain: {transactions: 0 s}
            """;

    private static final String POST =
            "POST /converged/page/length HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n";

    @TempDir private static Path folder;
    private static Server server;
    private static int port;

    @BeforeAll
    static void start() throws Exception {
        Path one = folder.resolve("converged");
        for (Class<?> type :
                List.of(Page.class, Phone.class, ListenerLog.class, SerialCheck.class)) {
            String name = type.getName().replace('.', '/') + ".class";
            Path target = one.resolve("WEB-INF/classes").resolve(name);
            Files.createDirectories(target.getParent());
            try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
                Files.copy(in, target);
            }
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

    private static Socket send(String from, String request) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.ofLiteral(from), 0);
        socket.setSoTimeout(10_000);
        socket.getOutputStream().write(request.getBytes(ISO_8859_1));
        return socket;
    }

    private static String answer(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    private static String get(String from, String path) throws IOException {
        String request =
                "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".formatted(path);
        try (Socket socket = send(from, request)) {
            return answer(socket);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 20000\r\n\r\n",
                "Content-Length: 20000\r\n\r\nb",
                "Expect: 100-continue\r\nContent-Length: 5000\r\n\r\n",
                "Expect: 100-continue\r\nContent-Length: 200000\r\n\r\n",
                "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n5000\r\n"
            })
    void whoAnnouncesABodyAndSendsNoneHoldsNoThread(String begin) throws Exception {
        withHeld(List.of("127.0.0.9"), 32, POST + begin);
    }

    /** A body that goes on beyond what is taken in before a thread. */
    @Test
    void oneSourceHoldsNoMoreThreadsThanItLeavesToOthers() throws Exception {
        String much = "Content-Length: 200000\r\n\r\n" + "x".repeat(20_000);
        withHeld(List.of("127.0.0.9"), 32, POST + much);
        withHeld(List.of("127.0.0.9", "127.0.0.10", "127.0.0.11"), 32, POST + much);
    }

    /** By what each leaves free four sources have all eight threads. */
    @Test
    void sourcesThatHoldAllThreadsMakeRoomForWhoHasNone() throws Exception {
        String much = "Content-Length: 200000\r\n\r\n" + "x".repeat(20_000);
        List<String> sources = IntStream.range(20, 27).mapToObj(i -> "127.0.0." + i).toList();
        withHeld(sources, 56, POST + much);
    }

    private static void withHeld(List<String> sources, int count, String request) throws Exception {
        List<Socket> unfinished = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                unfinished.add(send(sources.get(i % sources.size()), request));
            }
            // Threads that would be taken are taken by then: it is served after them.
            for (String source : sources) {
                assertThat(get(source, "/status")).startsWith("HTTP/1.1 200 ");
            }
            assertThat(get("127.0.0.1", "/converged/page/heard")).startsWith("HTTP/1.1 200 ");
        } finally {
            for (Socket one : unfinished) {
                one.close();
            }
        }
    }

    /** Each of them holds 16 KiB, but for some bytes that do not come. */
    @Test
    void whereBodiesThatAreComingFillTheirRoomThoseOfTheSourceWithMostAreGivenUp()
            throws Exception {
        String begin = POST + "Content-Length: 16384\r\n\r\n" + "x".repeat(16_380);
        List<Socket> unfinished = new ArrayList<>();
        try (Socket honest = send("127.0.0.10", begin)) {
            for (int i = 0; i < 1_030; i++) {
                unfinished.add(send("127.0.0.9", begin));
            }
            await().until(() -> !answered(unfinished).isEmpty());
            assertThat(answer(answered(unfinished).getFirst())).startsWith("HTTP/1.1 503 ");
            honest.getOutputStream().write("xxxx".getBytes(ISO_8859_1));
            assertThat(answer(honest)).startsWith("HTTP/1.1 200 ").endsWith("16384");
        } finally {
            for (Socket one : unfinished) {
                one.close();
            }
        }
    }

    private static List<Socket> answered(List<Socket> sockets) throws IOException {
        List<Socket> answered = new ArrayList<>();
        for (Socket one : sockets) {
            if (one.getInputStream().available() > 0) {
                answered.add(one);
            }
        }
        return answered;
    }

    @Test
    void whoAsksBeforeHeSendsIsToldToGoOnAndHeard() throws Exception {
        String head = POST + "Expect: 100-continue\r\nContent-Length: 30000\r\n\r\n";
        try (Socket socket = send("127.0.0.9", head)) {
            byte[] said = socket.getInputStream().readNBytes(25);
            assertThat(new String(said, ISO_8859_1)).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            socket.getOutputStream().write("x".repeat(30_000).getBytes(ISO_8859_1));
            assertThat(answer(socket)).startsWith("HTTP/1.1 200 ").endsWith("30000");
        }
    }

    @Test
    void whoAsksForMoreThanABodyMayHaveIsRefusedBeforeHeSends() throws Exception {
        String head = POST + "Expect: 100-continue\r\nContent-Length: 3000000\r\n\r\n";
        try (Socket socket = send("127.0.0.9", head)) {
            assertThat(answer(socket)).startsWith("HTTP/1.1 413 ");
        }
    }
}
