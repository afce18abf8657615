package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a router reads of a response without making an object of it. */
class TopViasTest {
    private static final byte[] CANCEL = "CANCEL".getBytes(StandardCharsets.US_ASCII);

    /** RFC 3261 17.1.3: a response is of the request whose branch and method it has. */
    @ParameterizedTest
    @CsvSource({
        "CSeq: 1 CANCEL, true",
        "cseq:    1    CANCEL, true",
        "CSEQ : 1 CANCEL , true",
        "'CSeq:\r\n 1 CANCEL', true",
        "'CSeq:\t1\tCANCEL', true",
        "'CSeq: 1\r\n CANCEL', true",
        "CSeq: 1 INVITE, false",
        "CSeq: 1 CANCELLED, false",
        "CSeq: 1 cancel, false",
        "CSeq: 1, false",
        "CSeq:, false",
        "X-CSeq: 1 CANCEL, false"
    })
    void aResponseAnswersTheMethodOfItsCSeq(String line, boolean answers) {
        byte[] b =
                ("\r\nSIP/2.0 200 OK\r\nVia: SIP/2.0/TCP 192.0.2.7;branch=z9hG4bKa\r\n"
                                + line
                                + "\r\nContent-Length: 0\r\n\r\nCSeq: 1 CANCEL\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1);
        TopVias vias = new TopVias();
        assertThat(vias.scan(b, 0, b.length)).isTrue();
        assertThat(vias.answers(b, b.length, CANCEL)).isEqualTo(answers);
    }
}
