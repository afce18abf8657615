package io.carillon.servlet.torture;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Thousands of messages with one element wrong at a proxy and an endpoint: nothing fails inside,
 * what is sent is well formed, the next ordinary call works, and nothing stays. Another seed runs
 * with -Dcarillon.seed=N.
 */
class AnomaliesTest {
    private static final long SEED = Long.getLong("carillon.seed", 7355);
    private static final int CASES = 4_000;
    private static final int BETWEEN_CALLS = 50;

    @TempDir private static Path folder;
    private static Torture torture;

    @BeforeAll
    static void build() throws IOException {
        torture = new Torture(folder, "rfc4475");
    }

    @Test
    void at_an_endpoint() throws Exception {
        attack(torture.uas());
    }

    @Test
    void at_a_proxy() throws Exception {
        attack(torture.proxy(200));
    }

    private static void attack(TortureServer server) {
        Anomalies anomalies = new Anomalies(SEED);
        for (int i = 1; i <= CASES; i++) {
            byte[] message = anomalies.next();
            try {
                server.receiveFrom(TortureServer.CLIENT, message);
                server.server.assertClean();
                if (i % BETWEEN_CALLS == 0) {
                    assertOrdinary(server, i);
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        "seed " + SEED + " case " + i + "\n" + new String(message, ISO_8859_1), e);
            }
        }
        server.sent.clear();
        server.assertClean();
    }

    private static void assertOrdinary(TortureServer server, int number) {
        server.sent.clear();
        String options =
                """
                OPTIONS sip:user@10.0.0.3 SIP/2.0
                Via: SIP/2.0/UDP 10.0.0.2;branch=z9hG4bKordinary%d
                Max-Forwards: 70
                From: <sip:a@example.com>;tag=ordinary
                To: <sip:user@example.com>
                Call-ID: ordinary%d
                CSeq: 1 OPTIONS
                Content-Length: 0

                """
                        .formatted(number, number)
                        .replace("\n", "\r\n");
        server.receive(options.getBytes(ISO_8859_1));
        assertThat(server.finals())
                .as("an ordinary call")
                .anyMatch(sent ->
                        sent.status() == 200 && sent.text().contains("Call-ID: ordinary" + number));
        server.sent.clear();
    }
}
