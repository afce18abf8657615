package io.carillon.net.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 6455 section 4 with RFC 7118 section 4.1, by their sentences. */
class UpgradeTest {

    private static final String GOOD =
            "GET / HTTP/1.1\r\n"
                    + "Host: sip-ws.example.com\r\n"
                    + "Upgrade: websocket\r\n"
                    + "Connection: keep-alive, Upgrade\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                    + "Origin: http://www.example.com\r\n"
                    + "Sec-WebSocket-Protocol: chat, sip\r\n"
                    + "Sec-WebSocket-Version: 13\r\n\r\n";

    private static Upgrade.Answer answer(String request, String... origins) {
        return Upgrade.answer(HttpHead.parse(request), "/", List.of(origins));
    }

    @Test
    void theHandshakeOfTheRfcSucceeds_rfc7118_4_1() {
        assertThat(answer(GOOD).text())
                .startsWith("HTTP/1.1 101 ")
                .contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")
                .contains("Sec-WebSocket-Protocol: sip\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET / | POST / | 405",
                "GET / | GET /phone | 404",
                "HTTP/1.1 | HTTP/1.0 | 400",
                "Host: | X-Host: | 400",
                "Upgrade: websocket | Upgrade: h2c | 426",
                "keep-alive, Upgrade | keep-alive | 426",
                "Sec-WebSocket-Version: 13 | Sec-WebSocket-Version: 8 | 426",
                "dGhlIHNhbXBsZSBub25jZQ== | c2hvcnQ= | 400",
                "dGhlIHNhbXBsZSBub25jZQ== | no base 64 | 400",
                "chat, sip | chat, xmpp | 400",
                "Origin: | Content-Length: | 400",
                "Origin: | Bad Name: | 400"
            })
    void whatIsWrongHasItsStatus_rfc6455_4_2_1(String part, String instead, String status) {
        Upgrade.Answer answer = answer(GOOD.replace(part, instead));
        assertThat(answer.accepted()).isFalse();
        assertThat(answer.text())
                .startsWith("HTTP/1.1 " + status + " ")
                .contains("Connection: close");
    }

    @Test
    void anOriginThatIsNotAllowedGets403_rfc6455_10_2() {
        assertThat(answer(GOOD, "https://phone.example.com").text()).startsWith("HTTP/1.1 403 ");
        assertThat(answer(GOOD, "http://www.example.com").accepted()).isTrue();
        assertThat(
                        answer(GOOD.replace("http://www", "HTTP://WWW"), "http://www.example.com")
                                .accepted())
                .isTrue();
        assertThat(answer(GOOD.replace("Origin:", "X-Origin:"), "https://a.example").accepted())
                .as("no browser")
                .isTrue();
    }

    @Test
    void aPathMayCarryAQuery() {
        assertThat(answer(GOOD.replace("GET / ", "GET /?token=1 ")).accepted()).isTrue();
    }

    private static HttpHead.Reader fed(String text) {
        HttpHead.Reader reader = new HttpHead.Reader();
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        reader.feed(bytes, 0, bytes.length);
        return reader;
    }

    @Test
    void theHeadIsReadWhereverItIsCutAndNoFurther() {
        byte[] bytes = (GOOD + "rest").getBytes(StandardCharsets.ISO_8859_1);
        for (int cut = 0; cut < GOOD.length(); cut++) {
            HttpHead.Reader reader = new HttpHead.Reader();
            int taken = reader.feed(bytes, 0, cut);
            assertThat(reader.whole()).isFalse();
            taken += reader.feed(bytes, taken, bytes.length - taken);
            assertThat(reader.whole()).isTrue();
            assertThat(taken).isEqualTo(GOOD.length());
            assertThat(Upgrade.answer(reader.head(), "/", List.of()).accepted()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OPTIONS sip:a@b SIP/2.0\r\n",
                "\u0016\u0003\u0001",
                "\r\n\r\n",
                "GET / FTP/1.1\r\n"
            })
    void whatIsNoHttpIsKnownAtItsFirstLine(String text) {
        assertThat(fed(text).failed()).isTrue();
    }

    @Test
    void aHeadHasAnEnd() {
        HttpHead.Reader reader = fed("GET / HTTP/1.1\r\nCookie: " + "x".repeat(20_000));
        assertThat(reader.failed()).isTrue();
    }

    /** Three seconds are a thousand times what it takes, and a tenth of what it took once. */
    @Test
    void readingAHeadOfManyLinesTakesNoTime() {
        String head = "GET /" + "a".repeat(8_000) + " HTTP/1.1\r\n" + "\n".repeat(8_000);
        assertTimeout(
                Duration.ofSeconds(3),
                () -> {
                    for (int i = 0; i < 1_000; i++) {
                        assertThat(fed(head).whole()).isFalse();
                    }
                });
    }

    @Test
    void theAnswerToOurRequestIsChecked_rfc6455_4_1() {
        String key = "dGhlIHNhbXBsZSBub25jZQ==";
        String good = answer(GOOD).text();
        assertThat(Upgrade.fault(HttpHead.parse(good), key)).isNull();
        assertThat(Upgrade.fault(HttpHead.parse(good), Upgrade.newKey())).contains("does not fit");
        assertThat(Upgrade.fault(HttpHead.parse(good.replace("ocol: sip", "ocol: xmpp")), key))
                .contains("no SIP");
        assertThat(
                        Upgrade.fault(
                                HttpHead.parse(answer(GOOD.replace("chat, sip", "chat")).text()),
                                key))
                .contains("answered with 400");
        assertThat(Upgrade.fault(HttpHead.parse("SIP/2.0 101 x\r\n\r\n"), key)).contains("no HTTP");
    }

    @Test
    void ourRequestIsOneThatWeWouldTake() {
        String key = Upgrade.newKey();
        String text =
                new String(
                        Upgrade.request("ws.example.com:8080", "/", key),
                        StandardCharsets.ISO_8859_1);
        Upgrade.Answer answer = answer(text);
        assertThat(answer.accepted()).isTrue();
        assertThat(Upgrade.fault(HttpHead.parse(answer.text()), key)).isNull();
    }
}
