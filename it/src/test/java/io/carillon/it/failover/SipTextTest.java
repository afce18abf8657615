package io.carillon.it.failover;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What the phones read in a message. */
class SipTextTest {
    private static final SipText OK =
            new SipText(
                    String.join(
                            "\r\n",
                            "SIP/2.0 200 OK",
                            "Via: SIP/2.0/UDP 127.0.0.1:9;rport=9;branch=z9hG4bKa;received=1.1.1.1",
                            "Via: SIP/2.0/UDP 127.0.0.1:8;branch=z9hG4bKb",
                            "Record-Route: <sip:a;lr>, <sip:b;x=1,2;lr>",
                            "Record-Route: <sip:c;lr>",
                            "From: \"tag=no\" <sip:c7@127.0.0.1;tag=no>;tag=here",
                            "To: <sip:uas@127.0.0.1>;tag=there",
                            "Call-ID: x-1",
                            "CSeq: 3 INVITE",
                            "Contact: <sip:uas@127.0.0.1:5060;transport=udp>;expires=3",
                            "",
                            "To: <sip:body>"));

    @Test
    void aResponse() {
        assertThat(OK.isRequest()).isFalse();
        assertThat(OK.status()).isEqualTo(200);
        assertThat(OK.branch()).isEqualTo("z9hG4bKa");
        assertThat(OK.lines("Via")).hasSize(2);
        assertThat(OK.recordRoutes())
                .containsExactly("<sip:a;lr>", "<sip:b;x=1,2;lr>", "<sip:c;lr>");
        assertThat(OK.tag("From")).isEqualTo("here");
        assertThat(OK.tag("To")).isEqualTo("there");
        assertThat(OK.lines("To")).hasSize(1);
        assertThat(OK.fromUser()).isEqualTo("c7");
        assertThat(OK.cseq()).isEqualTo(3);
        assertThat(OK.cseqMethod()).isEqualTo("INVITE");
        assertThat(OK.contact()).isEqualTo("sip:uas@127.0.0.1:5060;transport=udp");
    }

    @Test
    void aRequest() {
        SipText bye = new SipText("BYE sip:a@b SIP/2.0\r\nTo: <sip:a@b>\r\n\r\n");

        assertThat(bye.isRequest()).isTrue();
        assertThat(bye.method()).isEqualTo("BYE");
        assertThat(bye.tag("To")).isEmpty();
    }

    @Test
    void hostAndPortOfAUriARouteAndAVia() {
        assertThat(SipText.hostPort("sip:phone@192.0.2.1:5070;x=y")).isEqualTo("192.0.2.1:5070");
        assertThat(SipText.hostPort("<sip:192.0.2.1;lr;t=a>")).isEqualTo("192.0.2.1");
        assertThat(SipText.hostPort("192.0.2.1:5060")).isEqualTo("192.0.2.1:5060");
    }
}
