package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.stream.CloseCause;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections through real sockets on loopback: framing, reuse, death. */
class TcpTest {

    private static ServerSocket listener() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }

    private static String target(ServerSocket peer) {
        return "sip:peer@127.0.0.1:" + peer.getLocalPort() + ";transport=tcp";
    }

    private static Socket accept(ServerSocket listener) throws IOException {
        listener.setSoTimeout(10_000);
        Socket socket = listener.accept();
        socket.setSoTimeout(10_000);
        return socket;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void responseGoesOverTheConnectionTheRequestCameOn_rfc3261_18_2_2(boolean nativeTransport)
            throws Exception {
        try (Node node = new Node(Node.loopback(2).withNativeTransport(nativeTransport));
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(peer, PlainSockets.options("TCP", "192.0.2.7:9999", "conn", 1));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            Node.Seen seen = node.next();
            assertThat(seen.from().transport()).isEqualTo(Transport.TCP);
            assertThat(seen.from().connection()).isNotZero();
            assertThat(seen.from().remote().getPort()).isEqualTo(peer.getLocalPort());
            assertThat(node.count(NetworkCounter.CONNECTIONS_ACCEPTED)).isEqualTo(1);
            assertThat(node.count(NetworkCounter.CONNECTIONS_OPEN)).isEqualTo(1);
        }
    }

    @Test
    void aMessageMayComeByteByByte_rfc3261_18_3() throws Exception {
        try (Node node = new Node(Node.loopback(2));
                Socket peer = PlainSockets.connect(node.tcp())) {
            for (char c : PlainSockets.options("TCP", "127.0.0.1", "bytes", 1).toCharArray()) {
                PlainSockets.send(peer, String.valueOf(c));
            }
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            assertThat(node.count(NetworkCounter.STREAM_MESSAGES_IN)).isEqualTo(1);
        }
    }

    @Test
    void messagesInOneSegmentAreTakenInTheirOrder_rfc3261_18_3() throws Exception {
        try (Node node = new Node(Node.loopback(4));
                Socket peer = PlainSockets.connect(node.tcp())) {
            StringBuilder all = new StringBuilder();
            for (int n = 1; n <= 50; n++) {
                all.append(PlainSockets.options("TCP", "127.0.0.1", "many", n));
            }
            PlainSockets.send(peer, all.toString());
            List<Long> numbers = new ArrayList<>();
            for (int n = 1; n <= 50; n++) {
                numbers.add(node.next().request().cseq().number());
                assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            }
            assertThat(numbers).isSorted().hasSize(50);
        }
    }

    @Test
    void aPingIsAnsweredByAPong_rfc5626_4_4_1() throws Exception {
        try (Node node = new Node(Node.loopback(1));
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(peer, "\r\n\r\n");
            assertThat(peer.getInputStream().readNBytes(2)).isEqualTo(new byte[] {'\r', '\n'});
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "ping", 1));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            assertThat(node.count(NetworkCounter.KEEPALIVES)).isEqualTo(1);
        }
    }

    @Test
    void aRequestWithoutContentLengthGets400AndTheConnectionEnds_rfc3261_18_3() throws Exception {
        try (Node node = new Node(Node.loopback(2));
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(
                    peer,
                    PlainSockets.options("TCP", "127.0.0.1", "nolength", 1)
                            .replace("Content-Length: 0\r\n", ""));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 400 ").contains("nolength");
            assertThat(PlainSockets.closedByPeer(peer)).isTrue();
            PlainSockets.close(peer);
            assertThat(node.closed.poll(10, TimeUnit.SECONDS).cause())
                    .isEqualTo(CloseCause.MALFORMED);
            assertThat(node.seen).isEmpty();
        }
    }

    @Test
    void bytesThatAreNoSipEndTheConnectionWithoutAWord() throws Exception {
        try (Node node = new Node(Node.loopback(1));
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(peer, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(PlainSockets.closedByPeer(peer)).isTrue();
            PlainSockets.close(peer);
            await().until(() -> node.count(NetworkCounter.CLOSED_MALFORMED) == 1);
            assertThat(node.count(NetworkCounter.FAULTS)).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messagesWaitUntilTheConnectionIsOpenAndShareIt(boolean nativeTransport) throws Exception {
        try (Node node = new Node(Node.loopback(4).withNativeTransport(nativeTransport));
                ServerSocket listener = listener()) {
            for (int i = 0; i < 20; i++) {
                node.send(i % 4, "OPTIONS", target(listener));
            }
            try (Socket peer = accept(listener)) {
                for (int i = 0; i < 20; i++) {
                    String request = PlainSockets.receive(peer);
                    assertThat(request).contains("Via: SIP/2.0/TCP 127.0.0.1:" + node.tcp());
                    PlainSockets.send(peer, PlainSockets.ok(request));
                }
                for (int i = 0; i < 20; i++) {
                    assertThat(node.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
                }
                assertThat(node.count(NetworkCounter.CONNECTIONS_OPENED))
                        .as("one connection for all shards")
                        .isEqualTo(1);
                assertThat(node.count(NetworkCounter.CONNECTIONS_CONNECTING)).isZero();
            }
        }
    }

    @Test
    void aRequestOfOursGoesByTheConnectionThatTheFarEndHasOpen_rfc3261_18_1_1() throws Exception {
        try (Node node = new Node(Node.loopback(2));
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "reuse", 1));
            PlainSockets.receive(peer);
            node.send(1, "OPTIONS", "sip:peer@127.0.0.1:" + peer.getLocalPort() + ";transport=tcp");
            String request = PlainSockets.receive(peer);
            PlainSockets.send(peer, PlainSockets.ok(request));
            assertThat(node.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
            assertThat(node.count(NetworkCounter.CONNECTIONS_OPENED)).isZero();
        }
    }

    @Test
    void aConnectionThatIsRefusedFailsWhatWaitedForIt_rfc3261_18_4() throws Exception {
        try (Node node = new Node(Node.loopback(1))) {
            int nobody;
            try (ServerSocket probe = listener()) {
                nobody = probe.getLocalPort();
            }
            for (int i = 0; i < 3; i++) {
                node.send(0, "OPTIONS", "sip:peer@127.0.0.1:" + nobody + ";transport=tcp");
            }
            for (int i = 0; i < 3; i++) {
                assertThat(node.ended.poll(10, TimeUnit.SECONDS).failure())
                        .isEqualTo(Failure.TRANSPORT);
            }
            assertThat(node.count(NetworkCounter.CLOSED_CONNECT_FAILED)).isPositive();
            assertThat(node.count(NetworkCounter.CONNECTIONS_CONNECTING)).isZero();
            assertThat(node.count(NetworkCounter.FAULTS)).isZero();
            assertThat(node.closed).as("it had never been open").isEmpty();
        }
    }

    @Test
    void theLayerAboveHearsThatAConnectionDied() throws Exception {
        try (Node node = new Node(Node.loopback(2))) {
            int port;
            try (Socket peer = PlainSockets.connect(node.tcp())) {
                port = peer.getLocalPort();
                PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "death", 1));
                PlainSockets.receive(peer);
            }
            Node.Closed closed = node.closed.poll(10, TimeUnit.SECONDS);
            assertThat(closed.cause()).isEqualTo(CloseCause.PEER);
            assertThat(closed.peer().remote().getPort()).isEqualTo(port);
            assertThat(closed.peer().connection()).isEqualTo(node.next().from().connection());
            assertThat(node.count(NetworkCounter.CONNECTIONS_OPEN)).isZero();
        }
    }

    @Test
    void aConnectionThatIsResetIsNoFault() throws Exception {
        try (Node node = new Node(Node.loopback(1))) {
            Socket peer = PlainSockets.connect(node.tcp());
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "reset", 1));
            PlainSockets.receive(peer);
            peer.setSoLinger(true, 0);
            PlainSockets.close(peer);
            assertThat(node.closed.poll(10, TimeUnit.SECONDS).cause()).isEqualTo(CloseCause.PEER);
            assertThat(node.count(NetworkCounter.FAULTS)).isZero();
        }
    }

    @Test
    void afterAConnectionDiedTheNextRequestOpensAnother() throws Exception {
        try (Node node = new Node(Node.loopback(2));
                ServerSocket listener = listener()) {
            for (int round = 1; round <= 2; round++) {
                node.send(round % 2, "OPTIONS", target(listener));
                try (Socket peer = accept(listener)) {
                    PlainSockets.send(peer, PlainSockets.ok(PlainSockets.receive(peer)));
                    assertThat(node.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
                }
                assertThat(node.closed.poll(10, TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(node.count(NetworkCounter.CONNECTIONS_OPENED)).isEqualTo(2);
        }
    }

    @Test
    void noMoreConnectionsAfterStopAcceptingButOpenOnesGoOn() throws Exception {
        try (Node node = new Node(Node.loopback(1));
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "stop", 1));
            PlainSockets.receive(peer);
            int port = node.tcp();
            node.network().stopAccepting();
            assertThatThrownBy(() -> PlainSockets.connect(port)).isInstanceOf(IOException.class);
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "stop", 2));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void aPortThatIsTakenFailsTheStartByName() throws Exception {
        try (ServerSocket other = listener()) {
            NetworkConfig config =
                    NetworkConfig.of(
                            List.of(
                                    new ListeningPoint(
                                            Transport.TCP, "127.0.0.1", other.getLocalPort())));
            assertThatThrownBy(() -> new Node(config))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining("tcp:127.0.0.1:" + other.getLocalPort())
                    .hasMessageContaining("address in use");
        }
    }
}
