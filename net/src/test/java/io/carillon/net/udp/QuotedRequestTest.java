package io.carillon.net.udp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class QuotedRequestTest {
    private static final String INVITE =
            "INVITE sip:bob@192.0.2.1;branch=no SIP/2.0\r\nVia: SIP/2.0/UDP 192.0.2.9:5060"
                    + ";branch=z9hG4bKk1234;rport\r\nVia: SIP/2.0/UDP x;branch=z9hG4bKother\r\n";

    private static QuotedRequest of(String text) {
        return QuotedRequest.of(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Test
    void theBranchOfTheFirstVia() {
        assertThat(of(INVITE)).isEqualTo(new QuotedRequest("INVITE", "z9hG4bKk1234"));
        assertThat(of(INVITE.replace(";rport", "")))
                .isEqualTo(new QuotedRequest("INVITE", "z9hG4bKk1234"));
    }

    @Test
    void cutOffAnywhereItIsTheSameOrNothing() {
        int end = INVITE.indexOf(";rport");
        for (int i = 0; i <= INVITE.length(); i++) {
            QuotedRequest read = of(INVITE.substring(0, i));
            if (i <= end) {
                assertThat(read).as("%d bytes", i).isNull();
            } else {
                assertThat(read).as("%d bytes", i).isNotNull();
            }
        }
    }

    @Test
    void whatIsNoRequestIsNothing() {
        assertThat(of("SIP/2.0 200 OK\r\nVia: SIP/2.0/UDP x;branch=z9hG4bKk;rport\r\n")).isNull();
        assertThat(of("")).isNull();
        assertThat(of("\r\n\r\n")).isNull();
        assertThat(of("x".repeat(5000))).isNull();
        assertThat(of("OPTIONS sip:x SIP/2.0\r\nVia: SIP/2.0/UDP x;branch=;rport\r\n")).isNull();
    }
}
