package io.carillon.sip.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.uri.SipUri;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlowSidesTest {
    private static final TlsPeer NOBODY = new TlsPeer("TLSv1.3", "", List.of(), List.of());

    private static SipRequest invite(String contact) {
        byte[] bytes =
                ("INVITE sip:b@example.com SIP/2.0\r\n"
                                + "Via: SIP/2.0/TLS 10.0.0.2;branch=z9hG4bK1\r\n"
                                + "Max-Forwards: 70\r\nFrom: <sip:a@x>;tag=a\r\nTo: <sip:b@y>\r\n"
                                + "Call-ID: 1\r\nCSeq: 1 INVITE\r\nContact: <"
                                + contact
                                + ">\r\nContent-Length: 0\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII);
        ParseResult read =
                new MessageParser(Compliance.STRICT, MessageLimits.DEFAULT)
                        .parseDatagram(bytes, bytes.length);
        return (SipRequest) ((ParseResult.Parsed) read).message();
    }

    private static boolean byFlow(Transport transport, @Nullable TlsPeer peer, String contact) {
        Hop source =
                new Hop(transport, null, new InetSocketAddress("10.0.0.2", 41000), 7, peer, null);
        SipRequest invite = invite(contact);
        return FlowSides.byFlow(invite, source, (SipUri) invite.contact().uri());
    }

    @ParameterizedTest
    @CsvSource({
        "sip:a@10.0.0.2:41000;transport=tls, true",
        "sip:a@10.0.0.2:5061;transport=tls, false",
        "sip:a@10.0.0.3:41000;transport=tls, false",
        "sip:a@10.0.0.2;transport=tls, false"
    })
    void whoNamesTheEndOfHisOwnConnectionOfTlsIsReachedByIt_rfc5923_9(
            String contact, boolean flow) {
        assertThat(byFlow(Transport.TLS, NOBODY, contact)).isEqualTo(flow);
    }

    @Test
    void whoUsedNoTlsIsReachedAtHisAddress_rfc3261_18() {
        assertThat(byFlow(Transport.TCP, null, "sip:a@10.0.0.2:41000;transport=tcp")).isFalse();
    }
}
