package io.carillon.servlet.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What belongs to a message without standing in it. */
class MessageContextTest {
    private static final String SUITE = "javax.servlet.request.cipher_suite";
    private static final InetSocketAddress OURS = new InetSocketAddress("192.0.2.1", 5061);
    private static final TlsPeer PEER =
            new TlsPeer("TLSv1.3", "TLS_AES_128_GCM_SHA256", List.of(), List.of());

    private static Hop by(Transport transport) {
        return new Hop(transport, OURS, new InetSocketAddress("198.51.100.7", 40000), 1);
    }

    @Test
    void aMessageMadeHereCameFromNowhere() {
        assertThat(MessageContext.remoteAddress(null)).isNull();
        assertThat(MessageContext.remotePort(null)).isEqualTo(-1);
        assertThat(MessageContext.localAddress(null)).isNull();
        assertThat(MessageContext.localPort(null)).isEqualTo(-1);
        assertThat(MessageContext.transport(null)).isNull();
        assertThat(MessageContext.secure(null)).isFalse();
        assertThat(MessageContext.tlsPeer(null)).isNull();
    }

    /** What another application of ours sent came from this server. */
    @Test
    void oneFromAnotherApplicationCameFromOurAddress() {
        Hop inside = Hop.internal(by(Transport.UDP), "beside");
        assertThat(MessageContext.remoteAddress(inside)).isEqualTo("192.0.2.1");
        assertThat(MessageContext.remotePort(inside)).isEqualTo(5061);
    }

    @ParameterizedTest
    @EnumSource(Transport.class)
    void onlyTlsIsSecure(Transport transport) {
        assertThat(MessageContext.secure(by(transport)))
                .isEqualTo(transport == Transport.TLS || transport == Transport.WSS);
    }

    @Test
    void whatIsKnownOfTlsIsAnAttributeUnlessTheApplicationHasOneOfThatName() {
        MessageExtras own = new MessageExtras();
        assertThat(MessageContext.tlsPeer(by(Transport.TLS).beside(PEER))).isSameAs(PEER);
        assertThat(MessageContext.attribute(null, PEER, SUITE)).isEqualTo(PEER.cipherSuite());
        assertThat(MessageContext.attribute(own, PEER, SUITE)).isEqualTo(PEER.cipherSuite());
        own.attribute(SUITE, "mine");
        own.attribute("a", 1);
        assertThat(MessageContext.attribute(own, PEER, SUITE)).isEqualTo("mine");
        assertThat(MessageContext.attribute(own, null, "b")).isNull();
        assertThat(Collections.list(MessageContext.attributeNames(own, PEER)))
                .contains("a", SUITE)
                .doesNotHaveDuplicates();
        assertThat(Collections.list(MessageContext.attributeNames(null, null))).isEmpty();
    }
}
