package io.carillon.net.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 7118 section 5: one SIP message in one of WebSocket. */
class OneMessageTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "OPTIONS x SIP/2.0~~ | SIP",
                "OPTIONS x SIP/2.0~~body without a length | SIP",
                "OPTIONS x SIP/2.0~Content-Length: 4~~body | SIP",
                "OPTIONS x SIP/2.0~l : 4~~body | SIP",
                "OPTIONS x SIP/2.0~Content-Length: 4~~body~~ | SIP",
                "OPTIONS x SIP/2.0~Content-Length: 9~~body | SIP",
                "OPTIONS x SIP/2.0~Content-Length: 0~~OPTIONS x SIP/2.0~~ | MORE_THAN_ONE",
                "OPTIONS x SIP/2.0~L: 3~~body | MORE_THAN_ONE",
                "OPTIONS x SIP/2.0 without an end | SIP",
                "~~ | PING",
                "~ | NOTHING",
                "'' | NOTHING"
            })
    void theBoundariesTellWhatItIs(String text, OneMessage.Kind kind) {
        byte[] bytes = text.replace("~", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(OneMessage.of(bytes, bytes.length)).isEqualTo(kind);
    }
}
