package io.carillon.net.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.FlowNumber;
import io.carillon.cluster.link.LinkMessage;
import io.carillon.cluster.link.PeerId;
import io.carillon.cluster.link.TlsPeerBytes;
import io.carillon.net.tls.CertificateMaker;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a node knows of a client at a router. */
class LinkedHopsTest {
    private static final InetSocketAddress CLIENT = new InetSocketAddress("192.0.2.7", 40_000);
    private static final InetSocketAddress ROUTER = new InetSocketAddress("198.51.100.1", 5061);

    private final LinkedHops hops = new LinkedHops();

    private static X509Certificate certificate(String name) {
        return CertificateMaker.of(List.of(name), Duration.ofDays(1)).selfSigned().certificate();
    }

    private Hop hop(int router, long connection, byte[] beside) {
        return hops.of(
                new LinkMessage()
                        .of(1)
                        .by(PeerId.router(router), 2, Transport.TLS)
                        .on(connection, beside)
                        .between(CLIENT, ROUTER));
    }

    @Test
    void itsCertificatesAndNamesReachTheNode() {
        X509Certificate shown = certificate("pbx.example.com");
        TlsPeer peer =
                new TlsPeer("TLSv1.3", "TLS_AES", List.of(shown), List.of("pbx.example.com"));
        Hop hop = hop(3, 9, TlsPeerBytes.of(peer));
        assertThat(hop.connection()).isEqualTo(FlowNumber.of(PeerId.router(3), 9));
        assertThat(FlowNumber.router(hop.connection())).isEqualTo(PeerId.router(3));
        assertThat(FlowNumber.connection(hop.connection())).isEqualTo(9);
        assertThat(hop.byRouter()).isTrue();
        TlsPeer seen = (TlsPeer) hop.beside();
        assertThat(seen.certificates()).containsExactly(shown);
        assertThat(seen.identities()).containsExactly("pbx.example.com");
        assertThat(seen.cipherSuite()).isEqualTo("TLS_AES");
        // Read once for all messages of the connection.
        assertThat(hop(3, 9, TlsPeerBytes.of(peer))).isSameAs(hop);
    }

    @Test
    void anotherConnectionFromTheSameAddressIsAnotherClient() {
        Hop first = hop(3, 9, new byte[0]);
        assertThat(hop(3, 10, new byte[0])).isNotEqualTo(first);
        assertThat(hop(4, 9, new byte[0])).isNotEqualTo(first);
    }

    @Test
    void aChainThatIsTooLongIsCut() {
        List<X509Certificate> chain = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            chain.add(certificate("host" + i + ".example.com"));
        }
        byte[] bytes = TlsPeerBytes.of(new TlsPeer("TLSv1.3", "X", chain, List.of("a.example")));
        assertThat(bytes.length).isLessThanOrEqualTo(4_000);
        assertThat(((TlsPeer) hop(1, 1, bytes).beside()).certificates())
                .containsExactly(chain.getFirst());
    }

    @Test
    void bytesThatMakeNoSenseAreNoPeer() {
        assertThat(TlsPeerBytes.read(new byte[] {0, 9, 'x'})).isNull();
        assertThat(hop(1, 1, new byte[] {0, 9, 'x'}).beside()).isNull();
    }
}
