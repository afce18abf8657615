package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.shard.ShardLoop;
import io.carillon.net.websocket.FrameReader;
import io.carillon.net.websocket.Upgrade;
import io.carillon.net.websocket.WebSocketConfig;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.StreamFramer;
import io.carillon.sip.hop.Transport;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The example messages of 35 RFCs in two pieces: in memory at every byte, on sockets of each stream
 * transport at every sixty-fourth, beginning elsewhere in each message ({@code -Dcarillon.cuts=1}:
 * every byte there too). A second piece is sent when the first has been read, which the server's
 * count of bytes tells.
 */
class CutMessagesTest {
    private static final int EVERY = Integer.getInteger("carillon.cuts", 64);
    private static final long PATIENCE_SECONDS = 20;
    private static final int BINARY = 2;
    private static final int CONTINUATION = 0;

    private static final List<byte[]> MESSAGES = new ArrayList<>();

    @BeforeAll
    static void read() throws IOException {
        Path flows = Path.of("..", "sip", "src", "test", "resources", "rfc-flows");
        try (Stream<Path> files = Files.walk(flows)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".sip")).sorted().toList()) {
                MESSAGES.add(Files.readAllBytes(file));
            }
        }
        assertThat(MESSAGES).hasSizeGreaterThan(1000);
    }

    /** What the framing of a stream, or of WebSocket, made of some bytes, one line each. */
    private static final class Made implements StreamFramer.Sink, FrameReader.Sink {
        private final List<String> events = new ArrayList<>();

        private static String text(byte[] b, int length) {
            return new String(b, 0, length, StandardCharsets.ISO_8859_1);
        }

        @Override
        public void message(byte[] owned, int length) {
            events.add("message " + text(owned, length));
        }

        @Override
        public void keepAlivePing() {
            events.add("ping");
        }

        @Override
        public void malformed(int status, String reason, byte[] head) {
            events.add(status + " " + reason + " " + text(head, head.length));
        }

        @Override
        public void fragment() {}

        @Override
        public void ping(byte[] payload) {
            events.add("ping frame");
        }

        @Override
        public void pong() {
            events.add("pong frame");
        }

        @Override
        public void closed(int code) {
            events.add("closed " + code);
        }

        @Override
        public void broken(int code, String why) {
            events.add("broken " + code + " " + why);
        }
    }

    private static List<String> framed(byte[] b, int cut) {
        Made made = new Made();
        StreamFramer framer = new StreamFramer(MessageLimits.DEFAULT);
        framer.feed(b, 0, cut, made);
        framer.feed(b, cut, b.length - cut, made);
        return made.events;
    }

    @Test
    void s18_3_two_segments_give_the_same_messages_and_faults_wherever_the_cut_is() {
        for (byte[] message : MESSAGES) {
            List<String> whole = framed(message, message.length);
            for (int cut = 1; cut < message.length; cut++) {
                if (!framed(message, cut).equals(whole)) {
                    assertThat(framed(message, cut)).as("cut at %d", cut).isEqualTo(whole);
                }
            }
        }
    }

    /** A frame of a client, masked with zeros, so that its payload can be read in a trace. */
    private static byte[] frame(int opcode, boolean last, byte[] b, int from, int to) {
        ByteBuffer frame = ByteBuffer.allocate(8 + to - from);
        frame.put((byte) ((last ? 0x80 : 0) | opcode)).put((byte) (0x80 | 126));
        frame.putShort((short) (to - from)).putInt(0);
        return frame.put(b, from, to - from).array();
    }

    // RFC 6455 5.4: "A fragmented message consists of a single frame with the FIN bit clear and an
    // opcode other than 0, followed by zero or more frames with the FIN bit clear and the opcode
    // set to 0, and terminated by a single frame with the FIN bit set and an opcode of 0."
    @Test
    void two_frames_give_the_same_message_wherever_the_cut_is() {
        for (byte[] message : MESSAGES) {
            List<String> whole =
                    List.of("message " + new String(message, StandardCharsets.ISO_8859_1));
            for (int cut = 0; cut <= message.length; cut++) {
                Made made = new Made();
                FrameReader reader = new FrameReader(true, 65_536);
                byte[] first = frame(BINARY, false, message, 0, cut);
                byte[] second = frame(CONTINUATION, true, message, cut, message.length);
                reader.feed(first, 0, first.length, made);
                reader.feed(second, 0, second.length, made);
                if (!made.events.equals(whole)) {
                    assertThat(made.events).as("cut at %d", cut).isEqualTo(whole);
                }
            }
        }
    }

    /** Those that a stream gives back as they are: their length is what their header says. */
    private static List<byte[]> whole() {
        List<byte[]> all =
                MESSAGES.stream()
                        .filter(m -> m.length < 65_536)
                        .filter(m ->
                                framed(m, m.length)
                                        .equals(List.of("message " + Made.text(m, m.length))))
                        .toList();
        assertThat(all).hasSizeGreaterThan(500);
        return all;
    }

    /** A peer on a socket, and what the server's loop was given. */
    private static final class Line implements AutoCloseable {
        private final Node server;
        private final Socket socket;
        private final OutputStream out;
        private final boolean webSocket;
        private final LinkedBlockingQueue<byte[]> taken = new LinkedBlockingQueue<>();

        Line(Transport transport) throws Exception {
            TestTls tls = new TestTls();
            server =
                    new Node(
                            NetworkConfig.of(List.of(new ListeningPoint(transport, "127.0.0.1", 0)))
                                    .withWebSocket(
                                            new WebSocketConfig("/", List.of(), 20, 1_000_000))
                                    .withShards(1)
                                    .withTls(tls));
            CountDownLatch listening = new CountDownLatch(1);
            ShardLoop loop = (ShardLoop) server.shards().getFirst().executor();
            loop.execute(() -> {
                loop.intake((b, length, from, now) -> taken.add(Arrays.copyOf(b, length)));
                listening.countDown();
            });
            assertThat(listening.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            int port = server.network().port(transport);
            InetAddress loopback = InetAddress.getLoopbackAddress();
            socket =
                    transport.secure()
                            ? tls.trusting().getSocketFactory().createSocket(loopback, port)
                            : new Socket(loopback, port);
            socket.setTcpNoDelay(true);
            out = socket.getOutputStream();
            webSocket = transport.webSocket();
            if (webSocket) {
                PlainSockets.send(
                        socket,
                        new String(
                                Upgrade.request("localhost", "/", Upgrade.newKey()),
                                StandardCharsets.ISO_8859_1));
                assertThat(PlainSockets.receive(socket)).startsWith("HTTP/1.1 101");
            }
        }

        /** In pieces that are read one by one. */
        void send(byte[]... pieces) throws IOException {
            for (byte[] piece : pieces) {
                long wanted = server.count(NetworkCounter.STREAM_BYTES_IN) + piece.length;
                out.write(piece);
                out.flush();
                long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
                while (server.count(NetworkCounter.STREAM_BYTES_IN) != wanted) {
                    assertThat(System.nanoTime()).as("time").isLessThan(deadline);
                    Thread.onSpinWait();
                }
            }
        }

        void sendCut(byte[] message, int cut) throws IOException {
            if (webSocket) {
                send(
                        frame(BINARY, false, message, 0, cut),
                        frame(CONTINUATION, true, message, cut, message.length));
            } else {
                send(Arrays.copyOf(message, cut), Arrays.copyOfRange(message, cut, message.length));
            }
        }

        byte[] next() throws InterruptedException {
            byte[] next = taken.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return next == null ? new byte[0] : next;
        }

        @Override
        public void close() throws IOException {
            socket.close();
            server.close();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TCP", "TLS", "WS", "WSS"})
    void two_segments_records_or_frames_on_a_socket_give_the_same_message(Transport transport)
            throws Exception {
        List<byte[]> messages = whole();
        int cuts = 0;
        try (Line line = new Line(transport)) {
            for (int i = 0; i < messages.size(); i++) {
                byte[] message = messages.get(i);
                for (int cut = 1 + i % EVERY; cut < message.length; cut += EVERY) {
                    line.sendCut(message, cut);
                    byte[] arrived = line.next();
                    if (!Arrays.equals(arrived, message)) {
                        assertThat(new String(arrived, StandardCharsets.ISO_8859_1))
                                .as("message %d cut at %d", i, cut)
                                .isEqualTo(new String(message, StandardCharsets.ISO_8859_1));
                    }
                    cuts++;
                }
            }
            assertThat(line.taken).isEmpty();
            assertThat(line.server.count(NetworkCounter.CONNECTIONS_ACCEPTED)).isEqualTo(1);
        }
        assertThat(cuts).isGreaterThan(160_000 / EVERY);
    }
}
