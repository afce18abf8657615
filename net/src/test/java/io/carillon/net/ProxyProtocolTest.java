package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The PROXY protocol before connections, after its specification (haproxy.org, version 2020). */
class ProxyProtocolTest {
    /** Section 2.2: the signature of version 2. */
    private static final String SIGNATURE = "0d0a0d0a000d0a515549540a";

    /** TCP over IPv4, 192.0.2.7:40000 to 198.51.100.1:5060. */
    private static final String FOUR = SIGNATURE + "2111000cc0000207c63364019c4013c4";

    private static NetworkConfig behind(String trusted) {
        NetworkConfig config = Node.loopback(2);
        return config.withStream(
                config.stream()
                        .withHandshakeTimeout(2_000)
                        .withProxies(AddressRanges.of(List.of(trusted))));
    }

    private static Node behindUs() throws BindFailure {
        return new Node(behind("127.0.0.0/8"));
    }

    private static String options(String callId) {
        return PlainSockets.options("TCP", "192.0.2.7:40000", callId, 1);
    }

    private static void sends(Socket peer, String hex) throws IOException {
        peer.getOutputStream().write(HexFormat.of().parseHex(hex));
        peer.getOutputStream().flush();
    }

    @Test
    void theSourceInAHeaderOfVersionOneCounts() throws Exception {
        try (Node node = behindUs();
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(
                    peer, "PROXY TCP4 192.0.2.7 198.51.100.1 40000 5060\r\n" + options("a"));
            Node.Seen seen = node.next();
            assertThat(seen.from().remote()).isEqualTo(new InetSocketAddress("192.0.2.7", 40_000));
            // The Via names the true source, so nothing has to be added (RFC 3261 18.2.1).
            assertThat(seen.request().topVia().received()).isNull();
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void theSourceInAHeaderOfVersionTwoCounts() throws Exception {
        try (Node node = behindUs();
                Socket peer = PlainSockets.connect(node.tcp())) {
            String message =
                    HexFormat.of().formatHex(options("b").getBytes(StandardCharsets.ISO_8859_1));
            sends(peer, FOUR + message);
            assertThat(node.next().from().remote())
                    .isEqualTo(new InetSocketAddress("192.0.2.7", 40_000));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void theSourceMayBeOfIpv6AndMoreMayStandBehindIt() throws Exception {
        try (Node node = behindUs();
                Socket peer = PlainSockets.connect(node.tcp())) {
            // With a TLV of type NOOP (section 2.2.4) of 3 bytes.
            sends(
                    peer,
                    SIGNATURE
                            + "2121002a"
                            + "20010db8000000000000000000000007"
                            + "20010db8000000000000000000000001"
                            + "9c4013c4"
                            + "040003000000");
            PlainSockets.send(peer, options("c"));
            assertThat(node.next().from().remote())
                    .isEqualTo(new InetSocketAddress("2001:db8::7", 40_000));
        }
    }

    @Test
    void aHeaderMayComeByteByByte() throws Exception {
        try (Node node = behindUs();
                Socket peer = PlainSockets.connect(node.tcp())) {
            for (int i = 0; i < FOUR.length(); i += 2) {
                sends(peer, FOUR.substring(i, i + 2));
            }
            PlainSockets.send(peer, options("d"));
            assertThat(node.next().from().remote().getPort()).isEqualTo(40_000);
        }
    }

    @Test
    void aBalancerThatSpeaksForItselfIsTheSource() throws Exception {
        try (Node node = behindUs();
                Socket unknown = PlainSockets.connect(node.tcp());
                Socket local = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(unknown, "PROXY UNKNOWN\r\n" + options("e"));
            assertThat(node.next().from().remote().getPort()).isEqualTo(unknown.getLocalPort());
            sends(local, SIGNATURE + "20000000");
            PlainSockets.send(local, options("f"));
            assertThat(node.next().from().remote().getPort()).isEqualTo(local.getLocalPort());
        }
    }

    @Test
    void tlsBeginsBehindTheHeader() throws Exception {
        NetworkConfig config = behind("127.0.0.1");
        TestTls tls = new TestTls();
        NetworkConfig secure =
                NetworkConfig.of(List.of(new ListeningPoint(Transport.TLS, "127.0.0.1", 0)))
                        .withStream(config.stream())
                        .withTls(tls);
        try (Node node = new Node(secure);
                Socket plain = PlainSockets.connect(node.network().port(Transport.TLS))) {
            sends(plain, FOUR);
            try (Socket peer =
                    tls.trusting()
                            .getSocketFactory()
                            .createSocket(plain, "127.0.0.1", plain.getPort(), true)) {
                PlainSockets.send(peer, PlainSockets.options("TLS", "192.0.2.7:40000", "g", 1));
                assertThat(node.next().from().remote())
                        .isEqualTo(new InetSocketAddress("192.0.2.7", 40_000));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PROXY TCP4 192.0.2.7 198.51.100.1 40000 5060\r\n",
                "PROXY UNKNOWN\r\n",
                "\r\n\r\n\0\r\nQUIT\n\u0021\u0011\0\u000c"
            })
    void aHeaderOfAStrangerIsRefused(String header) throws Exception {
        try (Node node = new Node(behind("192.0.2.0/24"));
                Socket stranger = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(stranger, header + options("h"));
            assertThat(PlainSockets.closedByPeer(stranger)).isTrue();
            await().until(() -> node.count(NetworkCounter.PROXY_HEADERS_REFUSED) == 1);
            assertThat(node.seen).isEmpty();
        }
    }

    @Test
    void aStrangersHeaderIsFoundInPiecesToo() throws Exception {
        try (Node node = new Node(behind("192.0.2.0/24"));
                Socket stranger = PlainSockets.connect(node.tcp())) {
            for (char each : "PROXY ".toCharArray()) {
                PlainSockets.send(stranger, String.valueOf(each));
            }
            assertThat(PlainSockets.closedByPeer(stranger)).isTrue();
            await().until(() -> node.count(NetworkCounter.PROXY_HEADERS_REFUSED) == 1);
        }
    }

    @Test
    void whoIsNoBalancerConnectsAsEver() throws Exception {
        try (Node node = new Node(behind("192.0.2.0/24"));
                Socket phone = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(phone, "\r\n\r\n" + options("i"));
            assertThat(node.next().from().remote().getPort()).isEqualTo(phone.getLocalPort());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "OPTIONS sip:server@127.0.0.1 SIP/2.0\r\n", // no header at all
                "PROXY TCP4 192.0.2.7 198.51.100.1 40000\r\n", // a port is missing
                "PROXY TCP4 192.0.2.777 198.51.100.1 40000 5060\r\n",
                "PROXY TCP4 192.0.2.7 198.51.100.1 99999 5060\r\n",
                "PROXY TCP4 192.0.2.7 198.51.100.1 0 5060\r\n",
                "PROXY TCP6 192.0.2.7 198.51.100.1 40000 5060\r\n",
                "PROXY UDP4 192.0.2.7 198.51.100.1 40000 5060\r\n",
                "PROXY TCP4 phone.example.com 198.51.100.1 40000 5060\r\n",
                "PROXY\r\n",
                "PROXY TCP4 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
                        + "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                "\r\n\r\n\0\r\nQUIT\n\u0031\u0011\0\u0004abcd", // version 3
                "\r\n\r\n\0\r\nQUIT\n\u0021\u0011\0\u0004abcd", // shorter than two addresses
                "\r\n\r\n\0\r\nQUIT\n\u0021\u0012\0\u000cabcdefghijkl", // datagrams
                "\r\n\r\n\0\r\nQUIT\n\u002f\u0011\0\u000cabcdefghijkl", // no such command
                "\r\n\r\n\0\r\nQUIT\n\u0021\u0011\u00ff\u00ff", // larger than anybody's
                "\r\n\r\n\0\r\nQUIX"
            })
    void aBrokenHeaderEndsTheConnection(String header) throws Exception {
        try (Node node = behindUs();
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(peer, header);
            assertThat(PlainSockets.closedByPeer(peer)).isTrue();
            await().until(() -> node.count(NetworkCounter.PROXY_HEADERS_BROKEN) == 1);
            assertThat(node.seen).isEmpty();
        }
    }

    @Test
    void aHeaderHasTheTimeOfAHandshake() throws Exception {
        try (Node node = behindUs();
                Socket slow = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(slow, "PROXY TCP4 192");
            assertThat(PlainSockets.closedByPeer(slow)).isTrue();
            assertThat(node.count(NetworkCounter.PROXY_HEADERS_BROKEN)).isEqualTo(1);
        }
    }

    @Test
    void whoLooksWhetherWeAreThereHarmsNothing() throws Exception {
        try (Node node = behindUs()) {
            try (Socket check = PlainSockets.connect(node.tcp())) {
                assertThat(check.isConnected()).isTrue();
            }
            try (Socket peer = PlainSockets.connect(node.tcp())) {
                PlainSockets.send(
                        peer, "PROXY TCP4 192.0.2.7 198.51.100.1 40000 5060\r\n" + options("k"));
                node.next();
            }
            assertThat(node.count(NetworkCounter.PROXY_HEADERS_BROKEN)).isZero();
        }
    }
}
