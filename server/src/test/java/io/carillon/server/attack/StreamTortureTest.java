package io.carillon.server.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.tls.CertificateMaker;
import io.carillon.server.attack.Attacker.Outcome;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 4475 and the advisories at a real server, over TLS, WS and WSS. */
class StreamTortureTest {
    /** For messages that may stay without an answer. */
    private static final int SHORT_MILLIS = 150;

    @TempDir private static Path folder;
    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        CertificateMaker.Made made =
                CertificateMaker.of(List.of("localhost", "127.0.0.1"), Duration.ofDays(90))
                        .selfSigned();
        Files.writeString(folder.resolve("certificate.pem"), made.certificatePem());
        Files.writeString(folder.resolve("key.pem"), made.keyPem());
        server =
                new RunningServer(
                        folder,
                        "tls: {certificates: [{certificate: certificate.pem, key: key.pem}]}\n",
                        "udp:127.0.0.1:0, tcp:127.0.0.1:0, tls:127.0.0.1:0, ws:127.0.0.1:0,"
                                + " wss:127.0.0.1:0");
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

    @ParameterizedTest
    @ValueSource(strings = {"tls", "ws", "wss"})
    void each_message_gets_one_answer_at_most_and_the_next_caller_his(String transport)
            throws Exception {
        int port = server.port(transport);
        boolean tls = !transport.equals("ws");
        boolean webSocket = !transport.equals("tls");
        List<Path> torture = messages("rfc4475", ".dat");
        assertThat(torture).hasSizeGreaterThanOrEqualTo(49);
        int answered = 0;
        for (Path file : torture) {
            String name = file.getFileName().toString();
            Outcome outcome =
                    Attacker.stream(
                            port, tls, webSocket, Files.readString(file, ISO_8859_1), SHORT_MILLIS);
            int most = name.equals("dblreq.dat") && !webSocket ? 2 : 1;
            assertThat(outcome.responses()).as(name).hasSizeLessThanOrEqualTo(most);
            if (name.equals("dblreq.dat") && webSocket) {
                // RFC 7118 5: more than one SIP message in one: neither is handled.
                assertThat(outcome.responses()).isEmpty();
                assertThat(outcome.closed()).isTrue();
            }
            answered += outcome.responses().size();
        }
        assertThat(answered).as("most are requests").isGreaterThan(20);
        for (Path file : messages("advisories/messages", "")) {
            String text =
                    Files.readString(file, ISO_8859_1)
                            .replace("127.0.0.1:15060", "127.0.0.1:%PORT%")
                            .replace("127.0.0.1:5060", "127.0.0.1:" + port)
                            .replace(";tag=", ";tag=" + transport);
            Outcome outcome = Attacker.stream(port, tls, webSocket, text, SHORT_MILLIS);
            assertThat(outcome.responses())
                    .as(file.getFileName().toString())
                    .hasSizeLessThanOrEqualTo(1);
        }
        assertThat(Attacker.answers(server)).as("the next caller is answered").isTrue();
        server.assertQuiet();
    }
}
