package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.stream.StreamConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.netty.handler.ssl.SslProvider;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** TCP, TLS, WS and WSS between two networks, on IPv4 and IPv6, and how their beginnings fail. */
class StreamKindsTest {

    private static final TestTls TLS = new TestTls();
    private static final TestTls JDK_TLS = new TestTls(SslProvider.JDK);

    private static NetworkConfig config(Transport transport, String host, int shards) {
        return NetworkConfig.of(List.of(new ListeningPoint(transport, host, 0)))
                .withShards(shards)
                .withTls(TLS);
    }

    private static String target(Node server, Transport transport, String host) {
        return "sip:peer@"
                + host
                + ":"
                + server.network().port(transport)
                + ";transport="
                + transport.parameter();
    }

    static Stream<Arguments> kinds() {
        return Stream.of(Transport.TCP, Transport.TLS, Transport.WS, Transport.WSS)
                .flatMap(t -> Stream.of("127.0.0.1", "::1").map(h -> Arguments.of(t, h)));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void requestsGoOverOneConnectionAndTheAnswersComeBack_rfc3261_18(
            Transport transport, String host) throws Exception {
        String printed = host.indexOf(':') < 0 ? host : "[0:0:0:0:0:0:0:1]";
        try (Node server = new Node(config(transport, host, 2));
                Node client = new Node(config(transport, host, 4).withNativeTransport(false))) {
            for (int i = 0; i < 20; i++) {
                client.send(i % 4, "OPTIONS", target(server, transport, printed));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(client.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
            }
            Node.Seen seen = server.next();
            assertThat(seen.from().transport()).isEqualTo(transport);
            assertThat(seen.request().topVia().toString())
                    .startsWith(
                            "SIP/2.0/"
                                    + transport.name()
                                    + " "
                                    + printed
                                    + ":"
                                    + client.network().port(transport));
            assertThat(client.count(NetworkCounter.CONNECTIONS_OPENED)).isEqualTo(1);
            assertThat(server.count(NetworkCounter.CONNECTIONS_ACCEPTED)).isEqualTo(1);
            assertThat(server.count(NetworkCounter.CONNECTIONS_OPEN)).isEqualTo(1);
            assertThat(server.count(NetworkCounter.CONNECTIONS_CONNECTING)).isZero();
            assertThat(server.count(NetworkCounter.FAULTS)).isZero();
            assertThat(client.count(NetworkCounter.FAULTS)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"WS", "WSS"})
    void theServerSendsByTheConnectionThatTheClientOpened_rfc7118_5(Transport transport)
            throws Exception {
        try (Node server = new Node(config(transport, "127.0.0.1", 2));
                Node client = new Node(config(transport, "127.0.0.1", 2))) {
            client.send(0, "OPTIONS", target(server, transport, "127.0.0.1"));
            assertThat(client.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
            int source = server.next().from().remote().getPort();
            server.send(
                    1,
                    "OPTIONS",
                    "sip:c@127.0.0.1:" + source + ";transport=" + transport.parameter());
            assertThat(server.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
            assertThat(server.count(NetworkCounter.CONNECTIONS_OPENED)).isZero();
        }
    }

    /** "Authenticating connection aliases is essential to prevent connection hijacking." */
    @Test
    void whoConnectsByTlsFromAnAddressDoesNotGetTheRequestsToIt_rfc5923_9() throws Exception {
        try (Node server = new Node(config(Transport.TLS, "127.0.0.1", 1));
                SSLSocket peer =
                        (SSLSocket)
                                TLS.trusting()
                                        .getSocketFactory()
                                        .createSocket(
                                                "127.0.0.1",
                                                server.network().port(Transport.TLS))) {
            peer.setSoTimeout(10_000);
            PlainSockets.send(peer, PlainSockets.options("TLS", "127.0.0.1", "unproved", 1));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            server.send(0, "OPTIONS", "sips:c@127.0.0.1:" + peer.getLocalPort() + ";transport=tcp");
            // Whoever is there is connected to, and has to show a certificate: nobody listens.
            assertThat(server.ended.poll(10, TimeUnit.SECONDS))
                    .isEqualTo(new Node.Ended(0, Failure.TRANSPORT));
        }
    }

    @Test
    void theJdksTlsTalksToTheOther() throws Exception {
        try (Node server = new Node(config(Transport.TLS, "127.0.0.1", 1).withTls(JDK_TLS));
                Node client = new Node(config(Transport.TLS, "127.0.0.1", 1).withTls(JDK_TLS))) {
            client.send(0, "OPTIONS", target(server, Transport.TLS, "127.0.0.1"));
            assertThat(client.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
        }
    }

    @Test
    void bothEndsTellHowLongAHandshakeTook() throws Exception {
        TestTls ours = new TestTls();
        try (Node server = new Node(config(Transport.WSS, "127.0.0.1", 1).withTls(ours));
                Node client = new Node(config(Transport.WSS, "127.0.0.1", 1).withTls(ours))) {
            client.send(0, "OPTIONS", target(server, Transport.WSS, "127.0.0.1"));
            assertThat(client.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
            assertThat(ours.took).containsExactlyInAnyOrder("WSS OK true", " OK true");
        }
    }

    @Test
    void aHandshakeThatFailsIsToldToo() throws Exception {
        TestTls ours = new TestTls();
        try (Node server = new Node(config(Transport.TLS, "127.0.0.1", 1).withTls(ours));
                Socket peer = PlainSockets.connect(server.network().port(Transport.TLS))) {
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "plain", 1));
            peer.getInputStream().readAllBytes();
            await().untilAsserted(() -> assertThat(ours.took).containsExactly("TLS NO_TLS true"));
        }
    }

    @Test
    void theNameOfTheUriIsWhatTheCertificateMustCarry_rfc5922_7() throws Exception {
        try (Node server = new Node(config(Transport.TLS, "127.0.0.1", 1));
                Node client = new Node(config(Transport.TLS, "127.0.0.1", 1))) {
            client.send(0, "OPTIONS", target(server, Transport.TLS, "localhost"));
            assertThat(client.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
            client.send(0, "OPTIONS", target(server, Transport.TLS, "127.0.0.1"));
            assertThat(client.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
            assertThat(client.count(NetworkCounter.CONNECTIONS_OPENED))
                    .as("another name is another peer")
                    .isEqualTo(2);
        }
    }

    @Test
    void aCertificateThatIsNotBelievedFailsWhatWaitedAtOnce_rfc3261_26_3() throws Exception {
        TestTls stranger = new TestTls();
        try (Node server = new Node(config(Transport.TLS, "127.0.0.1", 1).withTls(stranger));
                Node client = new Node(config(Transport.TLS, "127.0.0.1", 1))) {
            client.send(0, "OPTIONS", target(server, Transport.TLS, "127.0.0.1"));
            assertThat(client.ended.poll(10, TimeUnit.SECONDS).failure())
                    .isEqualTo(Failure.TRANSPORT);
            await().until(() -> client.count(NetworkCounter.CLOSED_TLS_FAILED) == 1);
            await().until(() -> server.count(NetworkCounter.CLOSED_TLS_FAILED) == 1);
            assertThat(client.count(NetworkCounter.FAULTS)).isZero();
            assertThat(server.count(NetworkCounter.FAULTS)).isZero();
            assertThat(client.count(NetworkCounter.CONNECTIONS_CONNECTING)).isZero();
            assertThat(client.closed).as("it had never been open").isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TLS, CLOSED_HANDSHAKE_TIMEOUT",
        "WSS, CLOSED_HANDSHAKE_TIMEOUT",
        "WS, CLOSED_UPGRADE_TIMEOUT"
    })
    void aSilentClientLosesItsConnection(Transport transport, NetworkCounter counter)
            throws Exception {
        NetworkConfig config = config(transport, "127.0.0.1", 1);
        try (Node server = new Node(config.withStream(config.stream().withHandshakeTimeout(50)));
                Socket peer = PlainSockets.connect(server.network().port(transport))) {
            assertThat(PlainSockets.closedByPeer(peer)).isTrue();
            await().until(() -> server.count(counter) == 1);
            await().until(() -> server.count(NetworkCounter.CONNECTIONS_CONNECTING) == 0);
            assertThat(server.closed).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TLS, CLOSED_HANDSHAKE_TIMEOUT",
        "WSS, CLOSED_HANDSHAKE_TIMEOUT",
        "WS, CLOSED_UPGRADE_TIMEOUT"
    })
    void aSilentServerFailsWhatWaited(Transport transport, NetworkCounter counter)
            throws Exception {
        NetworkConfig config = config(transport, "127.0.0.1", 1);
        try (Node client = new Node(config.withStream(config.stream().withHandshakeTimeout(50)));
                ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            client.send(
                    0,
                    "OPTIONS",
                    "sip:x@127.0.0.1:"
                            + silent.getLocalPort()
                            + ";transport="
                            + transport.parameter());
            assertThat(client.ended.poll(10, TimeUnit.SECONDS).failure())
                    .isEqualTo(Failure.TRANSPORT);
            await().until(() -> client.count(counter) == 1);
            assertThat(client.count(NetworkCounter.CONNECTIONS_CONNECTING)).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"TLS", "WS", "WSS"})
    void aQueueThatIsFullDuringTheHandshakeFailsWhatWaits(Transport transport) throws Exception {
        NetworkConfig config = config(transport, "127.0.0.1", 1);
        try (Node client = new Node(config.withStream(config.stream().withLimits(10, 10, 2_000)));
                ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 20; i++) {
                client.send(
                        0,
                        "OPTIONS",
                        "sip:x@127.0.0.1:"
                                + silent.getLocalPort()
                                + ";transport="
                                + transport.parameter());
            }
            for (int i = 0; i < 6; i++) {
                assertThat(client.ended.poll(10, TimeUnit.SECONDS).failure())
                        .isEqualTo(Failure.TRANSPORT);
            }
            assertThat(client.count(NetworkCounter.CLOSED_WRITE_QUEUE_FULL)).isPositive();
        }
    }

    @Test
    void plainSipOnATlsPortFailsTls() throws Exception {
        try (Node server = new Node(config(Transport.TLS, "127.0.0.1", 1));
                Socket peer = PlainSockets.connect(server.network().port(Transport.TLS))) {
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "plain", 1));
            InputStream in = peer.getInputStream();
            in.readAllBytes();
            await().until(() -> server.count(NetworkCounter.CLOSED_TLS_FAILED) == 1);
            assertThat(server.count(NetworkCounter.FAULTS)).isZero();
            assertThat(server.seen).isEmpty();
        }
    }

    @Test
    void aResetDuringTheHandshakeIsNoFault() throws Exception {
        try (Node server = new Node(config(Transport.TLS, "127.0.0.1", 1))) {
            Socket peer = PlainSockets.connect(server.network().port(Transport.TLS));
            peer.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
            peer.setSoLinger(true, 0);
            PlainSockets.close(peer);
            await().until(() -> server.count(NetworkCounter.CLOSED_BY_PEER) == 1);
            assertThat(server.count(NetworkCounter.FAULTS)).isZero();
            assertThat(server.count(NetworkCounter.CONNECTIONS_CONNECTING)).isZero();
        }
    }

    /** The head of an upgrade, or a record of TLS, without its end. */
    private static byte[] unfinished(Transport transport, int length) {
        byte[] begun = new byte[length];
        Arrays.fill(begun, (byte) 'x');
        byte[] start =
                transport == Transport.WS
                        ? "GET / HTTP/1.1\r\nCookie: ".getBytes(StandardCharsets.US_ASCII)
                        : new byte[] {22, 3, 1, 0x3F, (byte) 0xFF, 1, 0, 0x3F, (byte) 0xFB};
        System.arraycopy(start, 0, begun, 0, start.length);
        return begun;
    }

    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"TLS", "WS", "WSS"})
    void whatIsHeldBeforeTheFirstMessageIsBoundedForAllTogether(Transport transport)
            throws Exception {
        NetworkConfig config = config(transport, "127.0.0.1", 1);
        try (Node server = new Node(config.withStream(config.stream().withUnfinished(20_000)));
                Socket one = PlainSockets.connect(server.network().port(transport));
                Socket two = PlainSockets.connect(server.network().port(transport))) {
            one.getOutputStream().write(unfinished(transport, 12_000));
            await().until(() -> server.count(NetworkCounter.STREAM_BYTES_WAITING) == 12_000);
            two.getOutputStream().write(unfinished(transport, 12_000));
            await().until(() -> server.count(NetworkCounter.CLOSED_UNFINISHED_MESSAGES) == 1);
            PlainSockets.close(one);
            await().until(() -> server.count(NetworkCounter.STREAM_BYTES_WAITING) == 0);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"TLS", "WS", "WSS"})
    void whatWaitsForHandshakesThatNeverEndIsBoundedForAllTogether(Transport transport)
            throws Exception {
        MessageDraft draft = MessageDraft.request("MESSAGE", Node.uri("sip:peer@127.0.0.1"));
        draft.set(HeaderName.CALL_ID, "mute");
        draft.body(new byte[50_000], "text/plain");
        SipMessage message = draft.freeze();
        NetworkConfig config = config(transport, "127.0.0.1", 1);
        StreamConfig limits = config.stream().withLimits(10, 10, 60_000_000);
        try (ServerSocket one = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"));
                ServerSocket two = new ServerSocket(0, 5, InetAddress.ofLiteral("127.0.0.1"));
                Node client = new Node(config.withStream(limits.withUnsent(1_000_000)))) {
            for (int i = 0; i < 100; i++) {
                InetSocketAddress remote =
                        (InetSocketAddress) (i % 2 == 0 ? one : two).getLocalSocketAddress();
                Hop mute = new Hop(transport, null, remote, 0);
                client.on(0, () -> client.wires.getFirst().send(mute, message, (to, why) -> {}));
            }
            await().until(() -> client.count(NetworkCounter.CLOSED_WRITE_QUEUE_FULL) > 0);
            client.network().close();
            assertThat(client.count(NetworkCounter.STREAM_BYTES_UNSENT)).isZero();
        }
    }

    @Test
    void aRecordOfTlsHasTheTimeOfAMessage() throws Exception {
        NetworkConfig config = config(Transport.TLS, "127.0.0.1", 1);
        StreamConfig brief = config.stream().withTimeouts(60_000, 60_000, 300, 60_000);
        try (Node server = new Node(config.withStream(brief));
                Socket plain = PlainSockets.connect(server.network().port(Transport.TLS));
                SSLSocket peer =
                        (SSLSocket)
                                TLS.trusting()
                                        .getSocketFactory()
                                        .createSocket(plain, "127.0.0.1", plain.getPort(), true)) {
            peer.setSoTimeout(10_000);
            PlainSockets.send(peer, PlainSockets.options("TLS", "127.0.0.1", "whole", 1));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            // Past TLS: the header of a record of 4,096 bytes, and two of them.
            plain.getOutputStream().write(new byte[] {23, 3, 3, 16, 0, 1, 2});
            await().until(() -> server.count(NetworkCounter.CLOSED_SLOW_MESSAGE) == 1);
        }
    }

    @Test
    void sipComesByteByByteInRecordsOfItsOwn() throws Exception {
        try (Node server = new Node(config(Transport.TLS, "127.0.0.1", 2));
                SSLSocket peer =
                        (SSLSocket)
                                TLS.trusting()
                                        .getSocketFactory()
                                        .createSocket(
                                                "127.0.0.1",
                                                server.network().port(Transport.TLS))) {
            peer.setSoTimeout(10_000);
            for (char c : PlainSockets.options("TLS", "127.0.0.1", "bytes", 1).toCharArray()) {
                PlainSockets.send(peer, String.valueOf(c));
            }
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            // What is no SIP ends TLS as it should: with its farewell, which Java would miss.
            PlainSockets.send(peer, "?\r\n");
            assertThat(peer.getInputStream().read()).isEqualTo(-1);
            await().until(() -> server.count(NetworkCounter.CLOSED_MALFORMED) == 1);
        }
    }

    @Test
    void tlsThatIsNotConfiguredIsSaidAtTheStart() {
        org.assertj.core.api.Assertions.assertThatThrownBy(() ->
                        new Node(
                                NetworkConfig.of(
                                        List.of(
                                                new ListeningPoint(
                                                        Transport.WSS, "127.0.0.1", 0)))))
                .isInstanceOf(BindFailure.class)
                .hasMessageContaining("TLS is not configured");
    }
}
