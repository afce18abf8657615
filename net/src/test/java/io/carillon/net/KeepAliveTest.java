package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.stream.CloseCause;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Pong;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Keep-alives of flows on sockets: RFC 5626 4.4 and 8. */
@ParameterizedClass(name = "epoll {0}")
@ValueSource(booleans = {true, false})
class KeepAliveTest {
    private static final String REQUEST = "000100002112a442000102030405060708090a0b";

    @Parameter boolean nativeTransport;

    private Node node() throws BindFailure {
        return new Node(Node.loopback(2).withNativeTransport(nativeTransport));
    }

    private static byte[] receive(DatagramSocket peer) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
        peer.setSoTimeout(10_000);
        peer.receive(packet);
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    private static void send(DatagramSocket peer, int port, String hex) throws IOException {
        byte[] bytes = HexFormat.of().parseHex(hex);
        peer.send(new DatagramPacket(bytes, bytes.length, InetAddress.getLoopbackAddress(), port));
    }

    @Test
    void rfc5626_8_aBindingRequestOnThePortOfSipIsAnswered() throws Exception {
        try (Node node = node();
                DatagramSocket peer = PlainSockets.datagrams()) {
            send(peer, node.udp(), REQUEST + "00");
            send(peer, node.udp(), REQUEST.replaceFirst("0001", "0011"));
            send(peer, node.udp(), REQUEST);
            byte[] answer = receive(peer);
            assertThat(HexFormat.of().formatHex(answer))
                    .startsWith("0101000c2112a442000102030405060708090a0b002000080001");
            int port = (ByteBuffer.wrap(answer).getShort(26) & 0xFFFF) ^ 0x2112;
            assertThat(port).isEqualTo(peer.getLocalPort());
            assertThat(node.count(NetworkCounter.STUN_REQUESTS)).isEqualTo(1);
            assertThat(node.count(NetworkCounter.STUN_DROPPED)).isEqualTo(1);
            assertThat(node.count(NetworkCounter.KEEPALIVES)).isEqualTo(1);
            PlainSockets.send(
                    peer, node.udp(), PlainSockets.options("UDP", "127.0.0.1;rport", "after", 1));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
        }
    }

    /** What a ping came to: "answered", with an address where there is one, or "failed". */
    private static LinkedBlockingQueue<String> ping(Node node, Hop flow) {
        LinkedBlockingQueue<String> results = new LinkedBlockingQueue<>();
        Pong pong =
                new Pong() {
                    @Override
                    public void answered(InetSocketAddress seenAs) {
                        results.add("answered " + (seenAs == null ? "" : seenAs.getPort()));
                    }

                    @Override
                    public void failed() {
                        results.add("failed");
                    }
                };
        node.on(1, () -> node.wires.get(1).ping(flow, pong));
        return results;
    }

    private static String next(LinkedBlockingQueue<String> results) throws InterruptedException {
        return results.poll(20, TimeUnit.SECONDS);
    }

    @Test
    void rfc5626_4_4_2_weAskOverAFlowOfDatagrams() throws Exception {
        try (Node node = node();
                DatagramSocket peer = PlainSockets.datagrams()) {
            Hop flow =
                    Hop.to(
                            Transport.UDP,
                            new InetSocketAddress(
                                    InetAddress.getLoopbackAddress(), peer.getLocalPort()));
            var results = ping(node, flow);
            byte[] request = receive(peer);
            assertThat(HexFormat.of().formatHex(request))
                    .startsWith("000100002112a442")
                    .hasSize(40);
            // What nobody asked for, and an answer to another request, is passed over.
            send(peer, node.udp(), REQUEST.replaceFirst("0001", "0101"));
            String id = HexFormat.of().formatHex(request).substring(16);
            send(peer, node.udp(), "0101000c2112a442" + id + "002000080001" + "3212" + "5e12a443");
            assertThat(next(results)).isEqualTo("answered " + (0x3212 ^ 0x2112));

            results = ping(node, flow);
            String first = id;
            do { // the first may have been repeated meanwhile
                id = HexFormat.of().formatHex(receive(peer)).substring(16);
            } while (id.equals(first));
            send(peer, node.udp(), "011100082112a442" + id + "0009000400000400");
            assertThat(next(results)).isEqualTo("failed");
        }
    }

    @Test
    void rfc5626_4_4_1_weAskOverAConnection() throws Exception {
        try (Node node = node();
                ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Hop flow =
                    Hop.to(
                            Transport.TCP,
                            new InetSocketAddress(
                                    InetAddress.getLoopbackAddress(), listener.getLocalPort()));
            assertThat(next(ping(node, flow))).as("there is none yet").isEqualTo("failed");
            node.send(
                    0,
                    "OPTIONS",
                    "sip:peer@127.0.0.1:" + listener.getLocalPort() + ";transport=tcp");
            try (Socket peer = listener.accept()) {
                peer.setSoTimeout(10_000);
                PlainSockets.send(peer, PlainSockets.ok(PlainSockets.receive(peer)));
                assertThat(node.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
                var results = ping(node, flow);
                assertThat(peer.getInputStream().readNBytes(4))
                        .isEqualTo(new byte[] {'\r', '\n', '\r', '\n'});
                assertThat(results).isEmpty();
                PlainSockets.send(peer, "\r\n");
                assertThat(next(results)).isEqualTo("answered ");
                results = ping(node, flow);
                peer.getInputStream().readNBytes(4);
                peer.shutdownOutput();
                assertThat(next(results)).isEqualTo("failed");
            }
        }
    }

    /** A peer whose machine is gone: nothing ends the connection, and nothing comes. */
    @Test
    void rfc5626_4_4_1_aFlowWithoutAPongHasFailedAfterTenSecondsWithAllThatWaitsOnIt()
            throws Exception {
        try (Node node = node();
                ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Hop flow =
                    Hop.to(
                            Transport.TCP,
                            new InetSocketAddress(
                                    InetAddress.getLoopbackAddress(), listener.getLocalPort()));
            node.send(
                    0,
                    "OPTIONS",
                    "sip:peer@127.0.0.1:" + listener.getLocalPort() + ";transport=tcp");
            try (Socket peer = listener.accept()) {
                peer.setSoTimeout(10_000);
                assertThat(PlainSockets.receive(peer)).startsWith("OPTIONS ");
                var results = ping(node, flow);
                assertThat(peer.getInputStream().readNBytes(4)).hasSize(4);
                long pinged = System.nanoTime();
                advance(node, pinged + TimeUnit.SECONDS.toNanos(5));
                assertThat(results).isEmpty();
                assertThat(node.ended).isEmpty();
                advance(node, pinged + TimeUnit.SECONDS.toNanos(11));
                assertThat(next(results)).isEqualTo("failed");
                assertThat(node.ended.poll(10, TimeUnit.SECONDS).failure())
                        .isEqualTo(Failure.TRANSPORT);
                assertThat(node.closed.poll(10, TimeUnit.SECONDS).cause())
                        .isEqualTo(CloseCause.NO_PONG);
            }
        }
    }

    /** Fires the timers of the connections' shard as if it were so late, and what they tell. */
    private static void advance(Node node, long nanos) throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        node.on(
                0,
                () -> {
                    node.shards().getFirst().advance(nanos);
                    node.on(1, told::countDown);
                });
        assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
