package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.stream.CloseCause;
import io.carillon.net.websocket.WebSocketConfig;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.server.ServerTransaction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 7118 and RFC 6455 through real sockets: the JDK's client, and bytes by hand. */
class WebSocketTest {

    private static final TestTls TLS = new TestTls();
    private static final String UPGRADE =
            "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Protocol: sip\r\n\r\n";

    private static NetworkConfig config(Transport transport) {
        return NetworkConfig.of(List.of(new ListeningPoint(transport, "127.0.0.1", 0)))
                .withShards(2)
                .withTls(TLS);
    }

    private static int port(Node node) {
        return node.network().listening().getFirst().port();
    }

    /** What the JDK's client hears. */
    private static final class Heard implements WebSocket.Listener {
        final LinkedBlockingQueue<String> all = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                all.add(text.toString());
                text.setLength(0);
            }
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
            all.add("pong " + StandardCharsets.US_ASCII.decode(message));
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            all.add("close " + code);
            return null;
        }

        String next() throws InterruptedException {
            return all.poll(10, TimeUnit.SECONDS);
        }
    }

    private static WebSocket connect(HttpClient client, String uri, Heard heard) {
        return client.newWebSocketBuilder()
                .subprotocols("sip")
                .buildAsync(URI.create(uri), heard)
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }

    private static String options(String transport, String callId) {
        return PlainSockets.options(transport, "df7jal23ls0d.invalid", callId, 1);
    }

    @ParameterizedTest
    @CsvSource({"WS, ws", "WSS, wss"})
    void aClientWithoutAnAddressIsAnsweredAndReachedByItsConnection_rfc7118_5(
            Transport transport, String scheme) throws Exception {
        Heard heard = new Heard();
        // The node first at the end: the client waits for its connections.
        try (HttpClient client = HttpClient.newBuilder().sslContext(TLS.trusting()).build();
                Node node = new Node(config(transport))) {
            WebSocket socket = connect(client, scheme + "://localhost:" + port(node) + "/", heard);
            assertThat(socket.getSubprotocol()).isEqualTo("sip");
            socket.sendText(options(transport.name(), "browser"), true).join();
            assertThat(heard.next()).startsWith("SIP/2.0 200 ");
            node.send(1, "OPTIONS", "sip:alice@df7jal23ls0d.invalid;transport=ws");
            String request = heard.next();
            assertThat(request)
                    .startsWith("OPTIONS sip:alice@df7jal23ls0d.invalid;transport=ws SIP/2.0")
                    .contains("Via: SIP/2.0/" + transport.name() + " 127.0.0.1:" + port(node));
            socket.sendText(PlainSockets.ok(request), true).join();
            assertThat(node.ended.poll(10, TimeUnit.SECONDS).status()).isEqualTo(200);
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
            assertThat(heard.next()).isEqualTo("close 1000");
            assertThat(node.closed.poll(10, TimeUnit.SECONDS).cause()).isEqualTo(CloseCause.PEER);
            node.send(1, "OPTIONS", "sip:alice@df7jal23ls0d.invalid;transport=ws");
            assertThat(node.ended.poll(10, TimeUnit.SECONDS).failure())
                    .isEqualTo(Failure.UNRESOLVED);
        }
    }

    /** Connected by WebSocket from a local port, which may have been another's. */
    private static Socket upgraded(int port, int local) throws Exception {
        Socket socket = new Socket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress("127.0.0.1", local));
        socket.setSoTimeout(10_000);
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        PlainSockets.send(socket, UPGRADE);
        assertThat(PlainSockets.receive(socket)).startsWith("HTTP/1.1 101 ");
        return socket;
    }

    /** RFC 6455 5.2: a text frame, with a mask of zeros. */
    private static void frame(Socket socket, String text) throws IOException {
        byte[] payload = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer frame = ByteBuffer.allocate(8 + payload.length);
        frame.put((byte) 0x81).put((byte) 0xFE).putShort((short) payload.length).putInt(0);
        socket.getOutputStream().write(frame.put(payload).array());
    }

    @Test
    void aLateResponseIsNotForWhoHasThatPortNow_rfc7118_5() throws Exception {
        try (Node node = new Node(config(Transport.WS).withShards(1))) {
            LinkedBlockingQueue<ServerTransaction> held = new LinkedBlockingQueue<>();
            node.held = held;
            Socket first = upgraded(port(node), 0);
            int local = first.getLocalPort();
            frame(first, options("WS", "first"));
            ServerTransaction late = held.poll(10, TimeUnit.SECONDS);
            first.setSoLinger(true, 0);
            first.close();
            assertThat(node.closed.poll(10, TimeUnit.SECONDS)).isNotNull();
            node.held = null;
            try (Socket second = upgraded(port(node), local)) {
                Node.answer(late);
                frame(second, options("WS", "second"));
                assertThat(PlainSockets.receive(second)).contains("Call-ID: second");
            }
        }
    }

    @Test
    void textAndBinaryAndFragmentsAndPingsAreTaken_rfc7118_4_2() throws Exception {
        Heard heard = new Heard();
        try (HttpClient client = HttpClient.newHttpClient();
                Node node = new Node(config(Transport.WS))) {
            WebSocket socket = connect(client, "ws://127.0.0.1:" + port(node), heard);
            // RFC 7118 5: "the use of the Content-Length header in SIP messages is not necessary".
            String text = options("WS", "text").replace("Content-Length: 0\r\n", "");
            socket.sendText(text.substring(0, 40), false).join();
            socket.sendPing(ByteBuffer.wrap("are you".getBytes(StandardCharsets.US_ASCII))).join();
            socket.sendText(text.substring(40), true).join();
            assertThat(heard.next()).isEqualTo("pong are you");
            assertThat(heard.next()).startsWith("SIP/2.0 200 ");
            socket.sendBinary(
                            ByteBuffer.wrap(
                                    options("WS", "binary").getBytes(StandardCharsets.US_ASCII)),
                            true)
                    .join();
            assertThat(heard.next()).startsWith("SIP/2.0 200 ").contains("binary");
            socket.sendText("\r\n\r\n", true).join();
            assertThat(heard.next()).as("RFC 5626 3.5.1").isEqualTo("\r\n");
            assertThat(node.count(NetworkCounter.STREAM_MESSAGES_IN)).isEqualTo(2);
            assertThat(node.count(NetworkCounter.KEEPALIVES)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"twice, 1007, CLOSED_MALFORMED", "long, 1009, CLOSED_MALFORMED"})
    void aMessageThatMayNotBeEndsTheConnection(String what, int code, NetworkCounter counter)
            throws Exception {
        Heard heard = new Heard();
        try (HttpClient client = HttpClient.newHttpClient();
                Node node = new Node(config(Transport.WS))) {
            WebSocket socket = connect(client, "ws://127.0.0.1:" + port(node), heard);
            String text = options("WS", "one");
            socket.sendText(
                    what.equals("twice") ? text + options("WS", "two") : "x".repeat(100_000), true);
            assertThat(heard.next()).isEqualTo("close " + code);
            await().until(() -> node.count(counter) == 1);
            assertThat(node.seen).as("neither of the two").isEmpty();
        }
    }

    private static Socket upgraded(Node node) throws IOException {
        Socket peer = PlainSockets.connect(port(node));
        PlainSockets.send(peer, UPGRADE);
        assertThat(PlainSockets.receive(peer)).startsWith("HTTP/1.1 101 ");
        return peer;
    }

    /** Connected from another address. */
    private static Socket elsewhere(Node node) throws IOException {
        Socket peer = new Socket();
        peer.bind(new InetSocketAddress("127.0.0.52", 0));
        peer.setSoTimeout(10_000);
        peer.connect(new InetSocketAddress("127.0.0.1", port(node)));
        PlainSockets.send(peer, UPGRADE);
        assertThat(PlainSockets.receive(peer)).startsWith("HTTP/1.1 101 ");
        return peer;
    }

    /** A frame of a client, with a mask of zeros. */
    private static byte[] frame(int first, String payload) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] bytes = payload.getBytes(StandardCharsets.ISO_8859_1);
        out.write(first);
        out.write(0x80 | 126);
        out.write(bytes.length >> 8);
        out.write(bytes.length);
        out.writeBytes(new byte[4]);
        out.writeBytes(bytes);
        return out.toByteArray();
    }

    /** The code of the close frame that comes next. */
    private static int closeCode(Socket peer) throws IOException {
        byte[] head = peer.getInputStream().readNBytes(2);
        assertThat(head[0]).isEqualTo((byte) 0x88);
        byte[] payload = peer.getInputStream().readNBytes(head[1]);
        return (payload[0] & 0xFF) << 8 | (payload[1] & 0xFF);
    }

    @Test
    void anUnmaskedFrameIsAProtocolError_rfc6455_5_1() throws Exception {
        try (Node node = new Node(config(Transport.WS));
                Socket peer = upgraded(node)) {
            peer.getOutputStream().write(new byte[] {(byte) 0x81, 1, 'x'});
            assertThat(closeCode(peer)).isEqualTo(1002);
            assertThat(PlainSockets.closedByPeer(peer)).isTrue();
            PlainSockets.close(peer);
            await().until(() -> node.count(NetworkCounter.CLOSED_MALFORMED) == 1);
        }
    }

    @Test
    void aFloodOfPingsEndsTheConnection() throws Exception {
        NetworkConfig config = config(Transport.WS);
        try (Node node =
                        new Node(
                                config.withWebSocket(
                                        new WebSocketConfig("/", List.of(), 3, 1000)));
                Socket peer = upgraded(node)) {
            byte[] ping = {(byte) 0x89, (byte) 0x80, 0, 0, 0, 0};
            ByteArrayOutputStream flood = new ByteArrayOutputStream();
            for (int i = 0; i < 100; i++) {
                flood.writeBytes(ping);
            }
            peer.getOutputStream().write(flood.toByteArray());
            assertThat(peer.getInputStream().readNBytes(6))
                    .as("three pongs")
                    .isEqualTo(new byte[] {(byte) 0x8A, 0, (byte) 0x8A, 0, (byte) 0x8A, 0});
            assertThat(closeCode(peer)).isEqualTo(1008);
            PlainSockets.close(peer);
            await().until(() -> node.count(NetworkCounter.CLOSED_PING_FLOOD) == 1);
        }
    }

    /** Whoever the source is: it may be a proxy that is trusted. */
    @Test
    void aFloodOfFragmentsEndsTheConnection() throws Exception {
        NetworkConfig config =
                config(Transport.WS).withWebSocket(new WebSocketConfig("/", List.of(), 3, 16));
        try (Node node = new Node(config);
                Socket peer = upgraded(node)) {
            byte[] message = options("WS", "pieces").getBytes(StandardCharsets.US_ASCII);
            ByteArrayOutputStream pieces = new ByteArrayOutputStream();
            for (int i = 0; i < 16; i++) {
                String piece = new String(message, 2 * i, 2, StandardCharsets.US_ASCII);
                pieces.writeBytes(frame(i == 0 ? 1 : 0, piece));
            }
            String rest = new String(message, 32, message.length - 32, StandardCharsets.US_ASCII);
            pieces.writeBytes(frame(0x80, rest));
            peer.getOutputStream().write(pieces.toByteArray());
            assertThat(node.next()).isNotNull();
            byte[] flood = new byte[6 * 100];
            for (int i = 0; i < 100; i++) {
                flood[6 * i] = (byte) (i == 0 ? 1 : 0);
                flood[6 * i + 1] = (byte) 0x80;
            }
            await().until(() -> {
                try {
                    peer.getOutputStream().write(flood);
                } catch (IOException e) {
                    // closed by now, which is what is waited for
                }
                return node.count(NetworkCounter.CLOSED_FRAGMENT_FLOOD) == 1;
            });
        }
    }

    @Test
    void theSameComesOutWhereverTheStreamIsCut_rfc6455_5_2() throws Exception {
        try (Node node = new Node(config(Transport.WS));
                Socket peer = upgraded(node)) {
            byte[] frame = frame(0x81, options("WS", "cut"));
            for (byte b : frame) {
                peer.getOutputStream().write(b);
            }
            byte[] head = peer.getInputStream().readNBytes(4);
            assertThat(head[0]).isEqualTo((byte) 0x81);
            int length = (head[2] & 0xFF) << 8 | (head[3] & 0xFF);
            String answer =
                    new String(
                            peer.getInputStream().readNBytes(length), StandardCharsets.ISO_8859_1);
            assertThat(answer).startsWith("SIP/2.0 200 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: a\r\n\r\n|426",
                "GET /other HTTP/1.1\r\nHost: a\r\n\r\n|404",
                "POST / HTTP/1.1\r\nHost: a\r\n\r\n|405"
            })
    void plainHttpGetsAShortAnswer(String exchange) throws Exception {
        int bar = exchange.indexOf('|');
        try (Node node = new Node(config(Transport.WS));
                Socket peer = PlainSockets.connect(port(node))) {
            PlainSockets.send(peer, exchange.substring(0, bar));
            String answer =
                    new String(peer.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer)
                    .startsWith("HTTP/1.1 " + exchange.substring(bar + 1))
                    .contains("Connection: close")
                    .hasSizeLessThan(400);
            PlainSockets.close(peer);
            await().until(() -> node.count(NetworkCounter.CLOSED_UPGRADE_REFUSED) == 1);
            assertThat(node.count(NetworkCounter.CONNECTIONS_CONNECTING)).isZero();
        }
    }

    @Test
    void sipBeforeTheUpgradeEndsTheConnectionWithoutAWord() throws Exception {
        try (Node node = new Node(config(Transport.WS));
                Socket peer = PlainSockets.connect(port(node))) {
            PlainSockets.send(peer, options("WS", "early"));
            assertThat(PlainSockets.closedByPeer(peer)).isTrue();
            await().until(() -> node.count(NetworkCounter.CLOSED_MALFORMED) == 1);
            assertThat(node.seen).isEmpty();
        }
    }

    @Test
    void aConnectionThatDiesBetweenRequestAndAnswerFailsTheRequestAtOnce_rfc3261_18_4()
            throws Exception {
        try (Node node = new Node(config(Transport.WS))) {
            Socket peer = upgraded(node);
            peer.getOutputStream().write(frame(0x81, options("WS", "dying")));
            node.next();
            node.send(0, "OPTIONS", "sip:alice@df7jal23ls0d.invalid;transport=ws");
            node.send(1, "OPTIONS", "sip:alice@df7jal23ls0d.invalid;transport=ws");
            await().until(() -> node.count(NetworkCounter.STREAM_MESSAGES_OUT) == 3);
            peer.setSoLinger(true, 0);
            PlainSockets.close(peer);
            assertThat(node.ended.poll(10, TimeUnit.SECONDS).failure())
                    .isEqualTo(Failure.TRANSPORT);
            assertThat(node.ended.poll(10, TimeUnit.SECONDS).failure())
                    .isEqualTo(Failure.TRANSPORT);
            assertThat(node.count(NetworkCounter.FAULTS)).isZero();
        }
    }

    /** The payload of the frame that comes next. */
    private static String heard(Socket peer) throws IOException {
        byte[] head = peer.getInputStream().readNBytes(2);
        int length = head[1];
        if (length == 126) {
            byte[] more = peer.getInputStream().readNBytes(2);
            length = (more[0] & 0xFF) << 8 | (more[1] & 0xFF);
        }
        return new String(peer.getInputStream().readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    @Test
    void aNameStaysWithTheConnectionThatUsedItFirstWhileThatLives_rfc7118_b_1() throws Exception {
        String named = "sip:alice@df7jal23ls0d.invalid;transport=ws";
        try (Node node = new Node(config(Transport.WS));
                Socket first = upgraded(node);
                Socket second = upgraded(node)) {
            first.getOutputStream().write(frame(0x81, options("WS", "first")));
            assertThat(heard(first)).startsWith("SIP/2.0 200 ").contains("first");
            // From the same address, as all clients behind one NAT.
            second.getOutputStream().write(frame(0x81, options("WS", "second")));
            assertThat(heard(second)).startsWith("SIP/2.0 200 ").contains("second");
            assertThat(heard(first)).as("is it there?").isEqualTo("\r\n\r\n");
            node.send(0, "OPTIONS", named);
            assertThat(heard(first)).startsWith("OPTIONS " + named);
            second.getOutputStream().write(frame(0x81, options("WS", "third")));
            assertThat(heard(second)).startsWith("SIP/2.0 200 ").contains("third");
            node.send(1, "OPTIONS", named);
            assertThat(heard(first)).as("it was asked once").startsWith("OPTIONS " + named);
        }
    }

    @Test
    void aPageThatCameAgainInheritsItsName_rfc7118_b_1() throws Exception {
        String named = "sip:alice@df7jal23ls0d.invalid;transport=ws";
        try (Node node = new Node(config(Transport.WS));
                Socket first = upgraded(node);
                Socket second = upgraded(node);
                Socket third = upgraded(node)) {
            for (Socket one : List.of(first, second, third)) {
                one.getOutputStream().write(frame(0x81, options("WS", "one")));
                assertThat(heard(one)).startsWith("SIP/2.0 200 ");
            }
            first.setSoLinger(true, 0);
            PlainSockets.close(first);
            await().until(() -> node.count(NetworkCounter.CONNECTIONS_OPEN) == 2);
            node.send(0, "OPTIONS", named);
            assertThat(heard(third)).as("the newest").startsWith("OPTIONS " + named);
            second.getOutputStream().write(frame(0x81, options("WS", "again")));
            assertThat(heard(second)).startsWith("SIP/2.0 200 ");
            PlainSockets.close(third);
            await().until(() -> node.count(NetworkCounter.CONNECTIONS_OPEN) == 1);
            node.send(0, "OPTIONS", named);
            assertThat(heard(second)).startsWith("OPTIONS " + named);
        }
    }

    @Test
    void aNameWhoseConnectionHasEndedIsNobodysFromElsewhere_rfc7118_5() throws Exception {
        String named = "sip:alice@df7jal23ls0d.invalid;transport=ws";
        try (Node node = new Node(config(Transport.WS));
                Socket first = upgraded(node);
                Socket stranger = elsewhere(node)) {
            first.getOutputStream().write(frame(0x81, options("WS", "first")));
            assertThat(heard(first)).startsWith("SIP/2.0 200 ");
            first.setSoLinger(true, 0);
            PlainSockets.close(first);
            await().until(() -> node.count(NetworkCounter.CONNECTIONS_OPEN) == 1);
            stranger.getOutputStream().write(frame(0x81, options("WS", "stranger")));
            assertThat(heard(stranger)).startsWith("SIP/2.0 200 ");
            try (Socket again = upgraded(node)) {
                again.getOutputStream().write(frame(0x81, options("WS", "again")));
                assertThat(heard(again)).startsWith("SIP/2.0 200 ");
                node.send(0, "OPTIONS", named);
                assertThat(heard(again)).startsWith("OPTIONS " + named);
            }
        }
    }

    /** He proves himself by credentials from a mobile network, and his Wi-Fi ends unheard. */
    @Test
    void whoChangesHisNetworkTakesHisNameAlong_rfc7118_b_1() throws Exception {
        String named = "sip:alice@df7jal23ls0d.invalid;transport=ws";
        try (Node node = new Node(config(Transport.WS));
                Socket first = upgraded(node);
                Socket moved = elsewhere(node)) {
            first.getOutputStream().write(frame(0x81, options("WS", "first")));
            assertThat(heard(first)).startsWith("SIP/2.0 200 ");
            Hop before = node.next().from();
            node.wires.getFirst().proved(before, 7);
            moved.getOutputStream().write(frame(0x81, options("WS", "moved")));
            assertThat(heard(moved)).startsWith("SIP/2.0 200 ");
            Hop now = node.next().from();
            node.wires.getFirst().proved(now, 8);
            node.send(0, "OPTIONS", named);
            assertThat(heard(first)).as("of another user").startsWith("OPTIONS " + named);
            node.wires.getFirst().proved(now, 7);
            node.send(0, "OPTIONS", named);
            assertThat(heard(moved)).as("of the same").startsWith("OPTIONS " + named);
            PlainSockets.close(moved);
            await().until(() -> node.count(NetworkCounter.CONNECTIONS_OPEN) == 1);
            first.getOutputStream().write(frame(0x81, options("WS", "back")));
            assertThat(heard(first)).startsWith("SIP/2.0 200 ");
            node.send(0, "OPTIONS", named);
            assertThat(heard(first)).as("at home again").startsWith("OPTIONS " + named);
        }
    }

    @Test
    void ourUpgradeThatIsRefusedFailsWhatWaited_rfc7118_4_1() throws Exception {
        try (Node server =
                        new Node(
                                config(Transport.WS)
                                        .withWebSocket(
                                                new WebSocketConfig("/sip", List.of(), 3, 1000)));
                Node client = new Node(config(Transport.WS))) {
            client.send(0, "OPTIONS", "sip:x@127.0.0.1:" + port(server) + ";transport=ws");
            assertThat(client.ended.poll(10, TimeUnit.SECONDS).failure())
                    .isEqualTo(Failure.TRANSPORT);
            await().until(() -> client.count(NetworkCounter.CLOSED_UPGRADE_REFUSED) == 1);
            await().until(() -> server.count(NetworkCounter.CLOSED_UPGRADE_REFUSED) == 1);
        }
    }
}
