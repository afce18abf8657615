package io.carillon.server.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.attack.Attacker.Outcome;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Messages of the kind that security advisories of SIP servers name, sent at the running server
 * with the example endpoint, over UDP, TCP, TLS, WS and WSS, each from a socket of its own: what
 * their INDEX.tsv expects, one final answer at most, and the next caller is served as if nothing
 * had been.
 */
class AdvisoryMessagesTest {
    /**
     * File number and the statuses that INDEX.tsv allows. {@code close}: over TCP the connection
     * has to be closed. {@code surplus}: more bytes than its Content-Length says, so in one message
     * of WebSocket it is not handled (RFC 7118 5), and the connection closed. The example is no
     * registrar: "process normally" is a 405 for REGISTER.
     */
    private static final String TABLE =
            """
            01 400
            02 200/400/415 surplus
            03 200/400/415
            04 202/400/406/489
            05 405
            06 400
            07 400/0
            08 200
            09 400
            10 400
            11 200/400/404
            12 400 close
            13 400/413 close
            14 400 close
            15 400 close surplus
            16 400/401
            17 200/400
            18 200/400
            19 200/400/513
            20 200/400
            21 400
            22 200/400
            23 400
            24 403/404
            25 482/483
            """;

    private static final int PATIENCE_MILLIS = 20_000;

    /** For messages that may stay without an answer. */
    private static final int SHORT_MILLIS = 250;

    @TempDir private static Path folder;
    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.onAllTransports(folder);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @TestFactory
    Stream<DynamicTest> over_each_transport() throws Exception {
        return Stream.of("udp", "tcp", "tls", "ws", "wss")
                .flatMap(transport ->
                        rows().map(row ->
                                DynamicTest.dynamicTest(
                                        transport + " " + row[0], () -> check(row, transport))));
    }

    private static Stream<String[]> rows() {
        List<String[]> rows = TABLE.lines().map(line -> line.split(" ")).toList();
        assertThat(rows).hasSize(25);
        return rows.stream();
    }

    private static Path data(String name) throws Exception {
        URI uri =
                Objects.requireNonNull(AdvisoryMessagesTest.class.getResource("/" + name)).toURI();
        return Path.of(uri);
    }

    private static String message(String number, String transport) throws Exception {
        try (Stream<Path> files = Files.list(data("advisories/messages"))) {
            Path file =
                    files.filter(f -> f.getFileName().toString().startsWith(number + "-"))
                            .findFirst()
                            .orElseThrow();
            // What names us has to name our port, and answers have to come to the sender's. With
            // the same From tag and Call-ID the second one would be a merged request (RFC 3261
            // 8.2.2.2).
            return Files.readString(file, ISO_8859_1)
                    .replace("127.0.0.1:15060", "127.0.0.1:%PORT%")
                    .replace("127.0.0.1:5060", "127.0.0.1:" + server.port(transport))
                    .replace(";tag=", ";tag=" + transport);
        }
    }

    private static void check(String[] row, String transport) throws Exception {
        String message = message(row[0], transport);
        boolean webSocket = transport.startsWith("ws");
        List<String> marks = List.of(row).subList(2, row.length);
        boolean refused = webSocket && marks.contains("surplus");
        List<String> allowed = refused ? List.of("0") : List.of(row[1].split("/"));
        int patience = allowed.contains("0") && !refused ? SHORT_MILLIS : PATIENCE_MILLIS;
        Outcome outcome = Attacker.over(server, transport, message, patience);
        assertThat(outcome.responses()).as("answers to\n%s", message).hasSizeLessThanOrEqualTo(1);
        assertThat(allowed).contains(Integer.toString(outcome.status()));
        boolean bytes = transport.equals("tcp") || transport.equals("tls");
        if (refused || (bytes && marks.contains("close"))) {
            assertThat(outcome.closed()).as("closed").isTrue();
        }
        assertThat(Attacker.answers(server)).as("the next caller is answered").isTrue();
        server.assertQuiet();
    }

    /** RFC 4475 over a stream; over datagrams it is at the container. */
    @Test
    void torture_messages_over_tcp_get_one_answer_at_most() throws Exception {
        for (String file : list("rfc4475")) {
            String message = Files.readString(data("rfc4475/" + file), ISO_8859_1);
            Outcome outcome = Attacker.tcp(server.tcp, message, SHORT_MILLIS);
            // The second message behind the first one's body is one of its own here.
            int most = file.equals("dblreq.dat") ? 2 : 1;
            assertThat(outcome.responses()).as(file).hasSizeLessThanOrEqualTo(most);
            if (List.of("ncl.dat", "mcl01.dat").contains(file)) {
                assertThat(outcome.status()).as(file).isEqualTo(400);
                assertThat(outcome.closed()).as(file).isTrue();
            }
        }
        assertThat(Attacker.answers(server)).isTrue();
        server.assertQuiet();
    }

    private static List<String> list(String folder) throws Exception {
        try (Stream<Path> files = Files.list(data(folder))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".dat"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void datagrams_that_are_no_sip_are_dropped_and_counted() throws Exception {
        List<String> junk =
                List.of(
                        "hello",
                        "\0".repeat(9), // up to 8 are a keep-alive
                        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
                        "\u00ff".repeat(60_000),
                        "A".repeat(60_000),
                        "SIP/2.0",
                        " ");
        for (String one : junk) {
            long before = server.count("sip.dropped_not_sip");
            assertThat(Attacker.udp(server.udp, one, SHORT_MILLIS).responses()).isEmpty();
            assertThat(server.count("sip.dropped_not_sip")).as(one).isEqualTo(before + 1);
        }
        assertThat(server.status().messages().dropped()).isGreaterThanOrEqualTo(junk.size());
        assertThat(Attacker.answers(server)).isTrue();
        server.assertQuiet();
    }

    @Test
    void connections_that_do_not_speak_sip_are_closed() throws IOException {
        for (String one :
                List.of(
                        "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
                        "\0".repeat(100),
                        "A".repeat(100_000))) {
            Outcome outcome = Attacker.tcp(server.tcp, one, PATIENCE_MILLIS);
            assertThat(outcome.closed()).isTrue();
            assertThat(outcome.responses()).isEmpty();
        }
        assertThat(Attacker.answers(server)).isTrue();
        server.assertQuiet();
    }
}
