package io.carillon.server.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.attack.Attacker.Outcome;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * RFC 4475 and RFC 5118 at a real server, each over all stream transports, RFC 5118 in datagrams
 * too.
 */
class StreamTortureTest {
    /** For messages that may stay without an answer. */
    private static final int SHORT_MILLIS = 150;

    /** Their Content-Length is smaller than their body. */
    private static final List<String> SURPLUS =
            List.of("mult-ip-in-sdp.dat", "ipv4-mapped-ipv6.dat");

    /**
     * RFC 4475: file, status over a stream of bytes, status as one message of WebSocket where that
     * differs; 0: a response, or a message that is not whole and is waited for. What EXPECTED.tsv
     * has rejected is 400, or refused for the reason that a later look finds (415, 416, 420, 501,
     * 505); what it has accepted gets the endpoint's answer. The one of dblreq.dat is looked at
     * apart.
     */
    private static final String RFC_4475 =
            """
            badaspec.dat 400
            badbranch.dat 200
            baddate.dat 200
            baddn.dat 0 400
            badinv01.dat 400
            badvers.dat 505
            bcast.dat 0
            bext01.dat 420
            bigcode.dat 0
            clerr.dat 0 400
            cparam01.dat 405
            cparam02.dat 405
            esc01.dat 200
            esc02.dat 501
            escnull.dat 405
            escruri.dat 400
            insuf.dat 400
            intmeth.dat 501
            inv2543.dat 400 200
            invut.dat 415
            longreq.dat 200
            ltgtruri.dat 400
            lwsdisp.dat 200
            lwsruri.dat 400
            lwsstart.dat 400
            mcl01.dat 400 0
            mismatch01.dat 400
            mismatch02.dat 501
            mpart01.dat 200
            multi01.dat 400
            ncl.dat 400
            noreason.dat 0
            novelsc.dat 416
            quotbal.dat 400
            regaut01.dat 405
            regbadct.dat 400
            regescrt.dat 405
            scalar02.dat 400
            scalarlg.dat 0
            sdp01.dat 406
            semiuri.dat 200
            test.dat 0
            transports.dat 200
            trws.dat 400
            unkscm.dat 416
            unksm2.dat 405
            unreason.dat 0
            wsinv.dat 200
            zeromf.dat 200
            """;

    /** For answers that have to come. */
    private static final int PATIENCE_MILLIS = 20_000;

    @TempDir private static Path folder;
    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.onAllTransports(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static List<Path> messages(String name, String suffix) throws Exception {
        URI uri = Objects.requireNonNull(StreamTortureTest.class.getResource("/" + name)).toURI();
        try (Stream<Path> files = Files.list(Path.of(uri))) {
            return files.filter(file -> file.getFileName().toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    /** Of a branch and call of its own, and answered where it came from. */
    private static Outcome send(String transport, Path file, int millis) throws Exception {
        String own = transport + file.getFileName();
        String text =
                Files.readString(file, ISO_8859_1)
                        .replace("branch=z9hG4bK", "rport;branch=z9hG4bK" + own)
                        .replaceFirst("(?im)^(call-id|i)(\\s*:\\s*)", "$1$2" + own);
        return Attacker.over(server, transport, text, millis);
    }

    /**
     * 400 where EXPECTED.tsv says so, else the endpoint's usual answer. A Content-Length larger
     * than the body: RFC 3261 18.3 wants a datagram refused, as one message of WebSocket is; a
     * stream waits for the rest. A smaller one: a datagram is cut.
     */
    @ParameterizedTest
    @ValueSource(strings = {"udp", "tcp", "tls", "ws", "wss"})
    void the_ipv6_messages_are_taken_and_refused_alike_over_each_transport(String transport)
            throws Exception {
        boolean bytes = transport.equals("tcp") || transport.equals("tls");
        int files = 0;
        for (Path file : messages("rfc5118", ".dat")) {
            String name = file.getFileName().toString();
            boolean cutOff = name.equals("ipv6-in-sdp.dat");
            Outcome outcome =
                    send(transport, file, bytes && cutOff ? SHORT_MILLIS : PATIENCE_MILLIS);
            assertThat(outcome.responses()).as(name).hasSizeLessThanOrEqualTo(1);
            int status = outcome.status();
            if (cutOff) {
                assertThat(status).as(name).isEqualTo(bytes ? 0 : 400);
            } else if (SURPLUS.contains(name) && !transport.equals("udp")) {
                // What stands behind the body begins no message: the connection ends, and an answer
                // that was not sent yet with it. In one message of WebSocket neither is handled.
                assertThat(outcome.closed()).as(name).isTrue();
                assertThat(status).as(name).isIn(bytes ? List.of(0, 200) : List.of(0));
            } else if (name.equals("ipv6-bad.dat")) {
                assertThat(status).as(name).isEqualTo(400);
            } else {
                assertThat(status).as(name).isEqualTo(usual(Files.readString(file, ISO_8859_1)));
            }
            files++;
        }
        assertThat(files).isEqualTo(15);
        assertThat(Attacker.answers(server)).as("the next caller is answered").isTrue();
        server.assertQuiet();
    }

    /** What the endpoint of the examples says to a request of that method. */
    private static int usual(String message) {
        return switch (message.substring(0, message.indexOf(' '))) {
            case "REGISTER" -> 405;
            case "BYE" -> 481;
            default -> 200;
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "tls", "ws", "wss"})
    void the_torture_messages_are_taken_and_refused_alike_over_each_transport(String transport)
            throws Exception {
        boolean webSocket = transport.startsWith("ws");
        List<Path> torture = messages("rfc4475", ".dat");
        assertThat(torture).hasSizeGreaterThanOrEqualTo(49);
        Outcome two =
                send(transport, torture.getFirst().resolveSibling("dblreq.dat"), PATIENCE_MILLIS);
        // RFC 7118 5: more than one SIP message in one: neither is handled.
        assertThat(two.responses()).hasSizeLessThanOrEqualTo(webSocket ? 0 : 2);
        assertThat(two.closed()).isTrue();
        List<String[]> rows = RFC_4475.lines().map(line -> line.split(" ")).toList();
        assertThat(rows).hasSize(torture.size() - 1);
        for (String[] row : rows) {
            int status = Integer.parseInt(row[webSocket ? row.length - 1 : 1]);
            Outcome outcome =
                    send(
                            transport,
                            torture.getFirst().resolveSibling(row[0]),
                            status == 0 ? SHORT_MILLIS : PATIENCE_MILLIS);
            assertThat(outcome.status()).as(row[0]).isEqualTo(status);
            assertThat(outcome.responses()).as(row[0]).hasSizeLessThanOrEqualTo(1);
        }
        assertThat(Attacker.answers(server)).as("the next caller is answered").isTrue();
        server.assertQuiet();
    }
}
