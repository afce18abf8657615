package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.stream.CloseCause;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.server.ServerTransaction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of transactions when the connection under them is lost. */
@ParameterizedClass(name = "epoll {0}")
@ValueSource(booleans = {true, false})
class ConnectionLossTest {

    @Parameter boolean nativeTransport;

    private Node node() throws BindFailure {
        return new Node(Node.loopback(2).withNativeTransport(nativeTransport));
    }

    private static ServerSocket listener() throws IOException {
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        listener.setSoTimeout(10_000);
        return listener;
    }

    private static Socket accept(ServerSocket listener) throws IOException {
        Socket socket = listener.accept();
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static Node.Ended ended(Node node) throws InterruptedException {
        return node.ended.poll(10, TimeUnit.SECONDS);
    }

    @Test
    void requestsThatWaitOnALostConnectionFailOnEveryShard_rfc3261_18_4() throws Exception {
        try (Node node = node();
                ServerSocket listener = listener()) {
            String target = "sip:peer@127.0.0.1:" + listener.getLocalPort() + ";transport=tcp";
            node.send(0, "INVITE", target);
            try (Socket peer = accept(listener)) {
                String ringing =
                        PlainSockets.ok(PlainSockets.receive(peer))
                                .replace("200 OK", "180 Ringing");
                PlainSockets.send(peer, ringing);
                assertThat(ended(node).status()).isEqualTo(180);
                node.send(1, "OPTIONS", target);
                assertThat(PlainSockets.receive(peer)).startsWith("OPTIONS ");
            }
            assertThat(ended(node).failure()).isEqualTo(Failure.TRANSPORT);
            assertThat(ended(node).failure()).isEqualTo(Failure.TRANSPORT);
            assertThat(node.closed.poll(10, TimeUnit.SECONDS).cause()).isEqualTo(CloseCause.PEER);

            node.send(0, "OPTIONS", target);
            try (Socket peer = accept(listener)) {
                PlainSockets.send(peer, PlainSockets.ok(PlainSockets.receive(peer)));
                assertThat(ended(node).status()).isEqualTo(200);
            }
        }
    }

    @Test
    void aResponseGoesByANewConnectionToTheSentByPort_rfc3261_18_2_2() throws Exception {
        try (Node node = node();
                ServerSocket listener = listener()) {
            LinkedBlockingQueue<ServerTransaction> held = new LinkedBlockingQueue<>();
            node.held = held;
            try (Socket peer = PlainSockets.connect(node.tcp())) {
                String sentBy = "127.0.0.1:" + listener.getLocalPort();
                PlainSockets.send(peer, PlainSockets.options("TCP", sentBy, "late", 1));
                node.next();
            }
            assertThat(node.closed.poll(10, TimeUnit.SECONDS)).isNotNull();
            Node.answer(held.poll(10, TimeUnit.SECONDS));
            try (Socket peer = accept(listener)) {
                assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ").contains("late");
            }
        }
    }

    @Test
    void closingTheNetworkClosesItsConnectionsAndFreesThePorts() throws Exception {
        Node node = node();
        int port = node.tcp();
        try (node;
                Socket peer = PlainSockets.connect(port)) {
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "close", 1));
            PlainSockets.receive(peer);
            node.close();
            assertThat(PlainSockets.closedByPeer(peer)).isTrue();
            assertThat(node.count(NetworkCounter.CLOSED_SHUTDOWN)).isEqualTo(1);
        }
        assertThatThrownBy(() -> PlainSockets.connect(port)).isInstanceOf(IOException.class);
        new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
    }

    @Test
    void aQueueThatIsFullBeforeTheConnectionIsOpenFailsWhatWaits() throws Exception {
        NetworkConfig config = Node.loopback(1).withNativeTransport(nativeTransport);
        try (Node node = new Node(config.withStream(config.stream().withLimits(10, 10, 1_000)));
                ServerSocket listener = listener()) {
            String target = "sip:peer@127.0.0.1:" + listener.getLocalPort() + ";transport=tcp";
            // One task, so that the connection cannot be open before the last one.
            node.on(
                    0,
                    () -> {
                        for (int i = 0; i < 6; i++) {
                            node.send(0, "OPTIONS", target);
                        }
                    });
            for (int i = 0; i < 3; i++) {
                assertThat(ended(node).failure()).isEqualTo(Failure.TRANSPORT);
            }
            await().until(() -> node.count(NetworkCounter.CLOSED_WRITE_QUEUE_FULL) > 0);
            assertThat(node.count(NetworkCounter.FAULTS)).isZero();
        }
    }
}
