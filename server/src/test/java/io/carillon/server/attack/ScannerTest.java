package io.carillon.server.attack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.carillon.net.guard.Ban;
import io.carillon.server.guard.BansText;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that look for victims, at the running server, which trusts nobody here. */
class ScannerTest {
    private static final int SHORT_MILLIS = 250;
    private static final int PATIENCE_MILLIS = 20_000;

    @TempDir private Path folder;
    private RunningServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private void start(String guard) throws Exception {
        server = new RunningServer(folder, "guard: {trusted: [], " + guard + "}\n");
    }

    private static String request(String method, String transport, String id, String more) {
        return """
        %s sip:100@127.0.0.1 SIP/2.0
        Via: SIP/2.0/%s 127.0.0.1:%%PORT%%;branch=z9hG4bK%s;rport
        Max-Forwards: 70
        From: "sipvicious" <sip:100@1.1.1.1>;tag=%s
        To: "sipvicious" <sip:100@1.1.1.1>
        Call-ID: %s
        CSeq: 1 %s
        %sContent-Length: 0

        """
                .formatted(method, transport, id, id, id, method, more)
                .replace("\n", "\r\n");
    }

    private List<Ban> bans() throws Exception {
        return BansText.parse(server.command("bans"));
    }

    @Test
    void aScannerThatNamesItselfGetsNoAnswerAndIsBanned() throws Exception {
        start("ban-after: 20");
        String scan = request("OPTIONS", "UDP", "one", "User-Agent: friendly-scanner\n");
        assertThat(Attacker.udp(server.udp, scan, SHORT_MILLIS).responses()).isEmpty();
        assertThat(bans()).isEmpty();
        Attacker.udp(server.udp, scan.replace("one", "two"), SHORT_MILLIS);
        await().until(() -> bans().size() == 1);
        Ban ban = bans().getFirst();
        assertThat(ban.address()).isEqualTo("127.0.0.1");
        assertThat(ban.reason()).isEqualTo("a scanner's User-Agent");
        assertThat(ban.datagramsOnly()).as("the source of a datagram may be forged").isTrue();
        String honest = request("OPTIONS", "UDP", "three", "");
        assertThat(Attacker.udp(server.udp, honest, SHORT_MILLIS).responses()).isEmpty();
        assertThat(server.command("bans-clear 127.0.0.1")).contains("is lifted");
        assertThat(Attacker.udp(server.udp, honest, PATIENCE_MILLIS).status()).isEqualTo(200);
        assertThat(server.count("net.bans")).isZero();
        assertThat(server.count("net.bans_made")).isEqualTo(1);
        assertThat(server.count("net.datagrams_banned")).isPositive();
        assertThat(server.count("sip.scanners_dropped")).isEqualTo(2);
    }

    @Test
    void whoSendsOnlyBrokenMessagesIsBannedOnConnectionsToo() throws Exception {
        start("ban-after: 5");
        for (int i = 0; i < 5; i++) {
            String broken =
                    request("INVITE", "TCP", "broken" + i, "")
                            .replace("CSeq: 1 INVITE", "CSeq: 99999999999 INVITE");
            assertThat(Attacker.tcp(server.tcp, broken, PATIENCE_MILLIS).status()).isEqualTo(400);
        }
        await().until(() -> bans().size() == 1);
        assertThat(bans().getFirst().datagramsOnly()).isFalse();
        String honest = request("OPTIONS", "TCP", "honest", "");
        assertThat(Attacker.tcp(server.tcp, honest, PATIENCE_MILLIS).closed()).isTrue();
        assertThat(Attacker.udp(server.udp, honest.replace("TCP", "UDP"), SHORT_MILLIS).responses())
                .isEmpty();
        assertThat(server.command("bans-clear")).isEqualTo("1 ban lifted\n");
        assertThat(Attacker.tcp(server.tcp, honest, PATIENCE_MILLIS).status()).isEqualTo(200);
    }

    @Test
    void answersOfTheServerNameNoProduct() throws Exception {
        start("ban-after: 0");
        for (String request :
                List.of(
                        request("OPTIONS", "UDP", "plain", ""),
                        request("CANCEL", "UDP", "stray", ""),
                        request("INVITE", "UDP", "bad", "")
                                .replace("CSeq: 1 INVITE", "CSeq: x INVITE"))) {
            String answer =
                    Attacker.udp(server.udp, request, PATIENCE_MILLIS).responses().getFirst();
            assertThat(answer)
                    .doesNotContainIgnoringCase("carillon")
                    .doesNotContain("\r\nServer:")
                    .doesNotContain("\r\nUser-Agent:");
        }
    }

    @Test
    void aServerThatShouldSaysItsName() throws Exception {
        start("server-header: Exchange");
        String bad =
                request("INVITE", "UDP", "bad", "").replace("CSeq: 1 INVITE", "CSeq: x INVITE");
        assertThat(Attacker.udp(server.udp, bad, PATIENCE_MILLIS).responses().getFirst())
                .contains("\r\nServer: Exchange\r\n");
    }

    @Test
    void whatIsRefusedIsToldInTheLogWithItsSetting() throws Exception {
        start("ban-after: 0");
        Attacker.stream(server.tcp, false, false, "GET / HTTP/1.0\r\n\r\n", SHORT_MILLIS);
        await().until(() -> !server.limitsTold().isEmpty());
        assertThat(server.limitsTold())
                .singleElement()
                .asString()
                .startsWith("Closed 1 connections for bytes that are no SIP")
                .contains("sip.max-message is 65535 B");
    }
}
