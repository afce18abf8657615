package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.guard.GuardConfig;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.websocket.WebSocketConfig;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.admission.PeerConduct.Failure;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.token.RandomSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard before real sockets. Nobody is trusted, loopback neither. */
@ParameterizedClass(name = "epoll {0}")
@ValueSource(booleans = {true, false})
class GuardedNetworkTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final long HOUR = Duration.ofHours(1).toNanos();

    @Parameter boolean nativeTransport;

    private NetworkConfig loopback() {
        return Node.loopback(1).withNativeTransport(nativeTransport);
    }

    private static Guard guard(GuardConfig.Rate rate, int connections) {
        return new Guard(
                new GuardConfig(
                        AddressRanges.NONE,
                        rate,
                        rate,
                        GuardConfig.Rate.OFF,
                        connections,
                        new GuardConfig.BanRule(3, HOUR, HOUR, HOUR),
                        List.of()),
                RandomSource.secure()::nextLong,
                System.nanoTime());
    }

    private static void ban(Guard guard) {
        Hop from = new Hop(Transport.TCP, null, new InetSocketAddress(LOOPBACK, 5060), 0);
        for (int i = 0; i < 3; i++) {
            guard.failed(Failure.MALFORMED, from, true, System.nanoTime());
        }
    }

    @Test
    void datagramsOverTheRateOfTheirSourceAreDroppedUnread() throws Exception {
        // Five at once and then one in 1,000 s.
        try (Node node = new Node(loopback(), guard(new GuardConfig.Rate(1, 5), 0));
                DatagramSocket peer = PlainSockets.datagrams()) {
            for (int i = 0; i < 5; i++) {
                PlainSockets.send(
                        peer,
                        node.udp(),
                        PlainSockets.options("UDP", "127.0.0.1;rport", "c" + i, 1));
                assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            }
            await().until(() -> {
                PlainSockets.send(
                        peer,
                        node.udp(),
                        PlainSockets.options("UDP", "127.0.0.1;rport", "more", 1));
                return node.count(NetworkCounter.DATAGRAMS_OVER_RATE) >= 3;
            });
            assertThat(node.count(NetworkCounter.DATAGRAMS_IN)).isGreaterThanOrEqualTo(8);
        }
    }

    @Test
    void aBannedSourceIsHeardAgainWhenItsBanIsLifted() throws Exception {
        Guard guard = guard(GuardConfig.Rate.OFF, 0);
        try (Node node = new Node(loopback(), guard);
                Socket open = PlainSockets.connect(node.tcp());
                DatagramSocket peer = PlainSockets.datagrams()) {
            PlainSockets.send(open, PlainSockets.options("TCP", "127.0.0.1", "before", 1));
            assertThat(PlainSockets.receive(open)).startsWith("SIP/2.0 200 ");
            ban(guard);
            PlainSockets.send(
                    peer, node.udp(), PlainSockets.options("UDP", "127.0.0.1;rport", "banned", 1));
            await().until(() -> node.count(NetworkCounter.DATAGRAMS_BANNED) == 1);
            try (Socket refused = PlainSockets.connect(node.tcp())) {
                assertThat(PlainSockets.closedByPeer(refused)).isTrue();
            }
            PlainSockets.send(open, PlainSockets.options("TCP", "127.0.0.1", "after", 2));
            assertThat(PlainSockets.closedByPeer(open)).isTrue();
            await().until(() -> node.count(NetworkCounter.CLOSED_BANNED) == 2);
            assertThat(guard.banned(System.nanoTime()).getFirst().dropped()).isEqualTo(3);
            assertThat(guard.lift(LOOPBACK, System.nanoTime())).isTrue();
            PlainSockets.send(
                    peer, node.udp(), PlainSockets.options("UDP", "127.0.0.1;rport", "again", 1));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void aSourceThatFloodsAConnectionLosesIt() throws Exception {
        try (Node node = new Node(loopback(), guard(new GuardConfig.Rate(1, 3), 0));
                Socket peer = PlainSockets.connect(node.tcp())) {
            for (int i = 0; i < 3; i++) {
                PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "flood" + i, 1));
                assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            }
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "flood", 1).repeat(3));
            await().until(() -> node.count(NetworkCounter.CLOSED_TOO_FAST) == 1);
        }
    }

    /** A connection that the node opens to here. */
    private static Socket opened(Node node, ServerSocket peer) throws Exception {
        Hop hop = Hop.to(Transport.TCP, (InetSocketAddress) peer.getLocalSocketAddress());
        MessageDraft draft = MessageDraft.request("MESSAGE", Node.uri("sip:peer@127.0.0.1"));
        draft.set(HeaderName.CALL_ID, "ours");
        SipMessage message = draft.freeze();
        node.on(0, () -> node.wires.getFirst().send(hop, message, (to, why) -> {}));
        peer.setSoTimeout(10_000);
        Socket accepted = peer.accept();
        accepted.setSoTimeout(10_000);
        assertThat(PlainSockets.receive(accepted)).startsWith("MESSAGE ");
        return accepted;
    }

    @Test
    void aPeerThatFloodsAConnectionOfOursIsReadMoreSlowlyAndKeepsIt() throws Exception {
        try (Node node = new Node(loopback(), guard(new GuardConfig.Rate(2_000, 3), 0));
                ServerSocket listening = new ServerSocket(0, 1, LOOPBACK);
                Socket peer = opened(node, listening)) {
            PlainSockets.send(
                    peer, PlainSockets.options("TCP", "127.0.0.1", "flood", 1).repeat(100));
            await().until(() -> node.count(NetworkCounter.STREAM_READS_PAUSED) >= 1);
            for (int i = 0; i < 100; i++) {
                assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            }
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "after", 2));
            assertThat(PlainSockets.receive(peer))
                    .as("it is read again")
                    .startsWith("SIP/2.0 200 ");
            assertThat(node.count(NetworkCounter.CLOSED_TOO_FAST)).isZero();
        }
    }

    @Test
    void pingsOnAConnectionOfOursCountAsMessages() throws Exception {
        try (Node node = new Node(loopback(), guard(new GuardConfig.Rate(1_000, 3), 0));
                ServerSocket listening = new ServerSocket(0, 1, LOOPBACK);
                Socket peer = opened(node, listening)) {
            PlainSockets.send(peer, "\r\n\r\n".repeat(100));
            await().until(() -> node.count(NetworkCounter.STREAM_READS_PAUSED) >= 1);
            assertThat(node.count(NetworkCounter.CLOSED_TOO_FAST)).isZero();
        }
    }

    @Test
    void aBannedSourceLosesAConnectionOfOursToo() throws Exception {
        Guard guard = guard(GuardConfig.Rate.OFF, 0);
        try (Node node = new Node(loopback(), guard);
                ServerSocket listening = new ServerSocket(0, 1, LOOPBACK);
                Socket peer = opened(node, listening)) {
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "before", 1));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            ban(guard);
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "after", 2));
            assertThat(PlainSockets.closedByPeer(peer)).isTrue();
            await().until(() -> node.count(NetworkCounter.CLOSED_BANNED) == 1);
        }
    }

    @Test
    void pingsCountAsMessages() throws Exception {
        try (Node node = new Node(loopback(), guard(new GuardConfig.Rate(1, 3), 0));
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(peer, "\r\n\r\n".repeat(10_000));
            await().until(() -> node.count(NetworkCounter.CLOSED_TOO_FAST) == 1);
            assertThat(node.count(NetworkCounter.KEEPALIVES)).isGreaterThan(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r", "\r\n\n"})
    void lineBreaksThatAreNoPingCountToo(String breaks) throws Exception {
        try (Node node = new Node(loopback(), guard(new GuardConfig.Rate(1, 3), 0));
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(peer, breaks.repeat(10_000));
            await().until(() -> node.count(NetworkCounter.CLOSED_TOO_FAST) == 1);
            assertThat(node.count(NetworkCounter.KEEPALIVES)).isZero();
        }
    }

    /** What a message of WebSocket never ends with, or what is no message. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, CLOSED_TOO_FAST", // a continuation without a byte
        "0, 1, CLOSED_TOO_FAST", // of one byte
        "129, 0, CLOSED_TOO_FAST", // a text without a byte: the message of the beginning has to end
        "137, 0, CLOSED_TOO_FAST", // a ping
        "138, 1, CLOSED_TOO_FAST" // a pong that nobody asked for
    })
    void framesOfWebSocketCountAsMessages(int first, int length, NetworkCounter counter)
            throws Exception {
        NetworkConfig config =
                NetworkConfig.of(List.of(new ListeningPoint(Transport.WS, "127.0.0.1", 0)))
                        .withShards(1)
                        .withNativeTransport(nativeTransport)
                        .withWebSocket(new WebSocketConfig("/", List.of(), 1_000_000, 1_000_000));
        try (Node node = new Node(config, guard(new GuardConfig.Rate(1, 3), 0));
                Socket peer = PlainSockets.connect(node.network().listening().getFirst().port())) {
            PlainSockets.send(
                    peer,
                    "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Version: 13\r\n"
                            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                            + "Sec-WebSocket-Protocol: sip\r\n\r\n");
            assertThat(PlainSockets.receive(peer)).startsWith("HTTP/1.1 101 ");
            byte[] frame = new byte[6 + length];
            frame[0] = (byte) first;
            frame[1] = (byte) (0x80 | length);
            ByteArrayOutputStream flood = new ByteArrayOutputStream();
            if (first == 0) {
                flood.writeBytes(new byte[] {1, (byte) 0x81, 0, 0, 0, 0, 'O'});
            }
            for (int i = 0; i < 1_000; i++) {
                flood.writeBytes(frame);
            }
            peer.getOutputStream().write(flood.toByteArray());
            await().until(() -> node.count(counter) == 1);
        }
    }

    /** RFC 8446 4.6.3: a key update may come at any time, and nothing is seen of it above TLS. */
    @Test
    void recordsOfTlsThatHoldNoMessageCountAsMessages() throws Exception {
        TestTls tls = new TestTls();
        NetworkConfig config =
                NetworkConfig.of(List.of(new ListeningPoint(Transport.TLS, "127.0.0.1", 0)))
                        .withShards(1)
                        .withNativeTransport(nativeTransport)
                        .withTls(tls);
        try (Node node = new Node(config, guard(new GuardConfig.Rate(1, 20), 0));
                SSLSocket peer =
                        (SSLSocket)
                                tls.trusting()
                                        .getSocketFactory()
                                        .createSocket(
                                                "127.0.0.1", node.network().port(Transport.TLS))) {
            peer.setEnabledProtocols(new String[] {"TLSv1.3"});
            peer.startHandshake();
            PlainSockets.send(peer, PlainSockets.options("TLS", "127.0.0.1", "ordinary", 1));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            await().until(() -> {
                try {
                    peer.startHandshake(); // asks for new keys, once there are some
                } catch (IOException e) {
                    // closed by now, which is what is waited for
                }
                return node.count(NetworkCounter.CLOSED_TOO_FAST) == 1;
            });
        }
    }

    @Test
    void aSourceThatConnectsTooOftenIsRefused() throws Exception {
        GuardConfig.Rate off = GuardConfig.Rate.OFF;
        Guard guard =
                new Guard(
                        new GuardConfig(
                                AddressRanges.NONE,
                                off,
                                off,
                                new GuardConfig.Rate(1, 2),
                                0,
                                GuardConfig.BanRule.OFF,
                                List.of()),
                        RandomSource.secure()::nextLong,
                        System.nanoTime());
        try (Node node = new Node(loopback(), guard);
                Socket first = PlainSockets.connect(node.tcp())) {
            await().until(() -> {
                PlainSockets.close(PlainSockets.connect(node.tcp()));
                return node.count(NetworkCounter.CLOSED_TOO_FAST) >= 1;
            });
            PlainSockets.send(first, PlainSockets.options("TCP", "127.0.0.1", "first", 1));
            assertThat(PlainSockets.receive(first)).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void oneAddressHasNoMoreConnectionsThanItMay() throws Exception {
        try (Node node = new Node(loopback(), guard(GuardConfig.Rate.OFF, 1));
                Socket first = PlainSockets.connect(node.tcp());
                Socket second = PlainSockets.connect(node.tcp())) {
            assertThat(PlainSockets.closedByPeer(second)).isTrue();
            await().until(() -> node.count(NetworkCounter.CLOSED_TOO_MANY) == 1);
            PlainSockets.send(first, PlainSockets.options("TCP", "127.0.0.1", "first", 1));
            assertThat(PlainSockets.receive(first)).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void malformedRequestsOnConnectionsSpeakAgainstTheirSource() throws Exception {
        Guard guard = guard(GuardConfig.Rate.OFF, 0);
        try (Node node = new Node(loopback(), guard)) {
            for (int i = 0; i < 3; i++) {
                try (Socket peer = PlainSockets.connect(node.tcp())) {
                    PlainSockets.send(
                            peer,
                            PlainSockets.options("TCP", "127.0.0.1", "bad" + i, 1)
                                    .replace("CSeq: 1 OPTIONS", "CSeq: x OPTIONS"));
                    assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 400 ");
                }
            }
            await().until(() -> guard.banned(System.nanoTime()).size() == 1);
        }
    }

    /** A page of any site has the browsers of an office send so, and its phones are there too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: sip.example.com:5060\r\nOrigin: http://evil.example\r\n"
                        + "Content-Length: 0\r\n\r\n",
                "GET / HTTP/1.1\r\n\r\n",
                "\u0016\u0003\u0001\u0000\u0010"
            })
    void whatABrowserSendsToASipPortBansNobody(String bytes) throws Exception {
        Guard guard = guard(GuardConfig.Rate.OFF, 0);
        try (Node node = new Node(loopback(), guard)) {
            for (int i = 0; i < 10; i++) {
                try (Socket peer = PlainSockets.connect(node.tcp())) {
                    PlainSockets.send(peer, bytes);
                    assertThat(PlainSockets.closedByPeer(peer)).isTrue();
                }
            }
            await().until(() -> node.count(NetworkCounter.CLOSED_MALFORMED) == 10);
            assertThat(guard.banned(System.nanoTime())).isEmpty();
        }
    }

    @Test
    void aRegisteredPhoneKeepsItsConnectionWhileItsAddressIsBanned() throws Exception {
        Guard guard = guard(GuardConfig.Rate.OFF, 0);
        try (Node node = new Node(loopback(), guard);
                Socket phone = PlainSockets.connect(node.tcp());
                Socket other = PlainSockets.connect(node.tcp())) {
            String options = PlainSockets.options("TCP", "127.0.0.1", "phone", 1);
            PlainSockets.send(phone, options.replace("OPTIONS", "REGISTER"));
            assertThat(PlainSockets.receive(phone)).startsWith("SIP/2.0 200 ");
            ban(guard);
            PlainSockets.send(other, PlainSockets.options("TCP", "127.0.0.1", "other", 1));
            assertThat(PlainSockets.closedByPeer(other)).isTrue();
            PlainSockets.send(phone, PlainSockets.options("TCP", "127.0.0.1", "again", 2));
            assertThat(PlainSockets.receive(phone)).startsWith("SIP/2.0 200 ");
        }
    }

    /** From an address of its own. */
    private static Socket from(String address, int port) throws Exception {
        Socket socket =
                new Socket(
                        InetAddress.getLoopbackAddress(), port, InetAddress.ofLiteral(address), 0);
        socket.setSoTimeout(10_000);
        return socket;
    }

    @Test
    void whereUnfinishedMessagesHoldTooMuchTheSourceThatHoldsMostIsClosed() throws Exception {
        NetworkConfig config = loopback();
        String large = PlainSockets.options("TCP", "127.0.0.1", "large", 1);
        String half = large.substring(0, large.length() - 4) + "\r\nSubject: " + "x".repeat(8_000);
        try (Node node = new Node(config.withStream(config.stream().withUnfinished(20_000)), null);
                Socket one = from("127.0.0.9", node.tcp());
                Socket two = from("127.0.0.9", node.tcp());
                Socket honest = from("127.0.0.10", node.tcp())) {
            PlainSockets.send(one, half);
            PlainSockets.send(two, half);
            await().until(() -> node.count(NetworkCounter.STREAM_BYTES_WAITING) > 16_000);
            PlainSockets.send(honest, half);
            await().until(() -> node.count(NetworkCounter.CLOSED_UNFINISHED_MESSAGES) == 1);
            PlainSockets.send(honest, "\r\n\r\n");
            assertThat(PlainSockets.receive(honest)).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void whereAllPlacesAreTakenTheSourceThatHoldsMostGivesUpItsIdlest() throws Exception {
        NetworkConfig config = loopback();
        try (Node node = new Node(config.withStream(config.stream().withLimits(4, 10, 100_000)));
                Socket idle = from("127.0.0.9", node.tcp())) {
            PlainSockets.send(idle, PlainSockets.options("TCP", "127.0.0.9", "idle", 1));
            assertThat(PlainSockets.receive(idle)).startsWith("SIP/2.0 200 ");
            try (Socket one = from("127.0.0.9", node.tcp());
                    Socket two = from("127.0.0.9", node.tcp());
                    Socket other = from("127.0.0.10", node.tcp())) {
                for (Socket each : List.of(one, two, other)) {
                    PlainSockets.send(each, PlainSockets.options("TCP", "127.0.0.9", "busy", 1));
                    assertThat(PlainSockets.receive(each)).startsWith("SIP/2.0 200 ");
                }
                try (Socket honest = from("127.0.0.11", node.tcp());
                        Socket more = from("127.0.0.9", node.tcp())) {
                    PlainSockets.send(
                            honest, PlainSockets.options("TCP", "127.0.0.11", "honest", 1));
                    assertThat(PlainSockets.receive(honest)).startsWith("SIP/2.0 200 ");
                    assertThat(PlainSockets.closedByPeer(idle)).isTrue();
                    assertThat(PlainSockets.closedByPeer(more))
                            .as("who holds most is refused")
                            .isTrue();
                    await().until(() -> node.count(NetworkCounter.CLOSED_TOO_MANY) == 2);
                    // What a connection holds is given back after its end was counted.
                    await().until(() -> node.count(NetworkCounter.CONNECTIONS_OPEN) == 4);
                    PlainSockets.send(other, PlainSockets.options("TCP", "127.0.0.10", "other", 2));
                    assertThat(PlainSockets.receive(other)).startsWith("SIP/2.0 200 ");
                }
            }
        }
    }

    @Test
    void aRegisteredPhoneDoesNotGiveWayToAStranger() throws Exception {
        NetworkConfig config = loopback();
        String options = PlainSockets.options("TCP", "127.0.0.9", "phone", 1);
        List<Socket> phones = new ArrayList<>();
        List<Socket> strangers = new ArrayList<>();
        try (Node node = new Node(config.withStream(config.stream().withLimits(5, 10, 100_000)))) {
            for (int i = 0; i < 3; i++) {
                Socket phone = from("127.0.0.9", node.tcp());
                phones.add(phone);
                PlainSockets.send(phone, options.replace("OPTIONS", "REGISTER"));
                assertThat(PlainSockets.receive(phone)).startsWith("SIP/2.0 200 ");
            }
            for (int i = 0; i < 2; i++) {
                Socket stranger = from("127.0.0.10", node.tcp());
                strangers.add(stranger);
                PlainSockets.send(stranger, options);
                assertThat(PlainSockets.receive(stranger)).startsWith("SIP/2.0 200 ");
            }
            try (Socket more = from("127.0.0.11", node.tcp())) {
                PlainSockets.send(more, options);
                assertThat(PlainSockets.receive(more)).startsWith("SIP/2.0 200 ");
                assertThat(PlainSockets.closedByPeer(strangers.getFirst())).isTrue();
                for (Socket phone : phones) {
                    PlainSockets.send(phone, options);
                    assertThat(PlainSockets.receive(phone)).startsWith("SIP/2.0 200 ");
                }
            }
        } finally {
            for (Socket each : phones) {
                each.close();
            }
            for (Socket each : strangers) {
                each.close();
            }
        }
    }

    @Test
    void acceptedConnectionsLeavePlacesForOurs() throws Exception {
        NetworkConfig config = loopback();
        try (Node node = new Node(config.withStream(config.stream().withLimits(16, 16, 100_000)));
                ServerSocket peer = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            List<Socket> open = new ArrayList<>();
            try {
                for (int i = 1; i <= 16; i++) {
                    open.add(from("127.0.1." + i, node.tcp()));
                }
                await().until(() -> node.count(NetworkCounter.CLOSED_TOO_MANY) == 1);
                Hop hop = Hop.to(Transport.TCP, (InetSocketAddress) peer.getLocalSocketAddress());
                MessageDraft draft =
                        MessageDraft.request("MESSAGE", Node.uri("sip:peer@127.0.0.1"));
                draft.set(HeaderName.CALL_ID, "ours");
                SipMessage message = draft.freeze();
                node.on(0, () -> node.wires.getFirst().send(hop, message, (to, why) -> {}));
                peer.setSoTimeout(10_000);
                try (Socket accepted = peer.accept()) {
                    accepted.setSoTimeout(10_000);
                    assertThat(PlainSockets.receive(accepted)).startsWith("MESSAGE ");
                }
            } finally {
                for (Socket each : open) {
                    each.close();
                }
            }
        }
    }

    @Test
    void unfinishedMessagesOfAllConnectionsTogetherAreBounded() throws Exception {
        NetworkConfig config = loopback();
        String large = PlainSockets.options("TCP", "127.0.0.1", "large", 1);
        large = large.substring(0, large.length() - 4) + "\r\nSubject: " + "x".repeat(9_000);
        String piece = PlainSockets.options("TCP", "127.0.0.1", "piece", 1);
        try (Node node = new Node(config.withStream(config.stream().withUnfinished(20_000)), null);
                Socket small = PlainSockets.connect(node.tcp());
                Socket one = PlainSockets.connect(node.tcp());
                Socket two = PlainSockets.connect(node.tcp());
                Socket three = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(small, piece.substring(0, 100));
            PlainSockets.send(one, large);
            PlainSockets.send(two, large);
            await().until(() -> node.count(NetworkCounter.STREAM_BYTES_WAITING) > 18_000);
            PlainSockets.send(three, large);
            assertThat(PlainSockets.closedByPeer(three)).isTrue();
            await().until(() -> node.count(NetworkCounter.CLOSED_UNFINISHED_MESSAGES) == 1);
            PlainSockets.send(small, piece.substring(100));
            assertThat(PlainSockets.receive(small)).startsWith("SIP/2.0 200 ");
            PlainSockets.close(one);
            PlainSockets.close(two);
            await().until(() -> node.count(NetworkCounter.STREAM_BYTES_WAITING) == 0);
        }
    }
}
