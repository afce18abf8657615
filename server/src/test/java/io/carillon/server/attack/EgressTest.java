package io.carillon.server.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.attack.Attacker.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server that passes requests on gets one that names a target which a server must not send to
 * (attack A23 of docs/guides/security.md): one error answer, nothing sent, counted by its reason.
 * Its own address under any spelling is itself.
 */
class EgressTest {
    private static final String SETTINGS =
            """
            router: nobody.properties
            no-application: route-on
            egress: {deny: [198.51.100.0/24]}
            dns: {servers: ["127.0.0.1:9"], timeout: 100 ms, attempts: 1}
            """;
    private static final int PATIENCE_MILLIS = 20_000;
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    @TempDir static Path folder;
    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(
                folder.resolve("nobody.properties"),
                "PUBLISH: (\"uas\", \"DAR:From\", \"ORIGINATING\", \"\", \"NO_ROUTE\", \"0\")\n");
        server = new RunningServer(folder, SETTINGS);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String options(String uri, String route) {
        int number = NUMBERS.incrementAndGet();
        return """
        OPTIONS %s SIP/2.0
        Via: SIP/2.0/UDP 127.0.0.1:%%PORT%%;branch=z9hG4bKegress%d;rport
        %sMax-Forwards: 70
        From: <sip:mallory@example.com>;tag=m
        To: <sip:someone@example.com>
        Call-ID: egress%d
        CSeq: 1 OPTIONS
        Content-Length: 0

        """
                .formatted(uri, number, route.isEmpty() ? "" : "Route: <" + route + ">\n", number)
                .replace("\n", "\r\n");
    }

    private static Outcome ask(String uri, String route) throws IOException {
        return Attacker.udp(server.udp, options(uri, route), PATIENCE_MILLIS);
    }

    @ParameterizedTest
    @CsvSource({
        "255.255.255.255, egress_broadcast",
        "224.0.1.75, egress_multicast",
        "0.0.0.0, egress_unspecified",
        "169.254.169.254:80, egress_link_local",
        "[fe80::1], egress_link_local",
        "[fd00:ec2::254], egress_link_local",
        "192.0.2.1:0, egress_port",
        "198.51.100.9, egress_denied",
    })
    void aTargetThatNothingIsSentTo(String target, String counter) throws Exception {
        for (int i = 0; i < 2; i++) {
            // A Route in digits that stands for many is refused before a target is looked for.
            boolean early =
                    i == 1 && target.matches("[0-9.]+") && counter.matches(".*(cast|unspecified)");
            long refused = server.count("net." + counter);
            long sent = server.count("sip.requests_out");
            Outcome outcome =
                    i == 0
                            ? ask("sip:x@" + target, "")
                            : ask("sip:x@192.0.2.1", "sip:" + target + ";lr");
            assertThat(outcome.responses()).hasSize(1);
            assertThat(outcome.status()).isEqualTo(403);
            assertThat(server.count("net." + counter)).isEqualTo(early ? refused : refused + 1);
            assertThat(server.count("sip.requests_out")).isEqualTo(sent);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.0.0.1.",
                "localhost",
                "LOCALHOST.",
                "[::ffff:127.0.0.1]",
                "[0:0:0:0:0:ffff:7f00:1]",
            })
    void ourOwnAddressIsOurselves(String spelling) throws Exception {
        String own = spelling + ":" + server.udp;
        long sent = server.count("sip.requests_out");
        assertThat(ask("sip:x@" + own, "").status()).isIn(400, 404, 482, 483);
        assertThat(ask("sip:x@" + own, "sip:" + own + ";lr").status()).isIn(400, 404, 482, 483);
        assertThat(server.count("sip.requests_out") - sent).as("bounded").isLessThan(300);
    }

    @Test
    void numbersThatAreNoNameAreNotAskedOfTheDns() throws Exception {
        long asked = server.count("net.lookups");
        for (String odd : new String[] {"127.1", "2130706433", "0x7f.1"}) {
            assertThat(ask("sip:x@example.com:5070;maddr=" + odd, "").status())
                    .as(odd)
                    .isIn(400, 480, 503);
        }
        assertThat(server.count("net.lookups")).isEqualTo(asked);
    }
}
