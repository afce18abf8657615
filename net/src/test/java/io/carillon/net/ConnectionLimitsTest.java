package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.stream.CloseCause;
import io.carillon.net.stream.StreamConfig;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.transaction.TransactionTimers;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** What a connection may cost: time-outs, counts, bytes. The limits are shortened. */
@ParameterizedClass(name = "epoll {0}")
@ValueSource(booleans = {true, false})
class ConnectionLimitsTest {

    private static final int LONG = 60_000;

    /** Does not mind what becomes of its request. */
    private static final AttemptUser IGNORANT =
            new AttemptUser() {
                @Override
                public void response(RequestAttempt attempt, SipResponse response) {}

                @Override
                public void failed(RequestAttempt attempt, Failure failure) {}
            };

    @Parameter boolean nativeTransport;

    private NetworkConfig loopback(int shards) {
        return Node.loopback(shards).withNativeTransport(nativeTransport);
    }

    private NetworkConfig limits(int first, int message, int idle) {
        NetworkConfig config = loopback(2);
        return config.withStream(config.stream().withTimeouts(LONG, first, message, idle));
    }

    @Test
    void aConnectionWithoutAFirstMessageIsClosed() throws Exception {
        try (Node node = new Node(limits(300, LONG, LONG));
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(peer, "\r\n\r\n");
            assertThat(peer.getInputStream().readNBytes(2)).hasSize(2);
            assertThat(PlainSockets.closedByPeer(peer)).isTrue();
            await().until(() -> node.count(NetworkCounter.CLOSED_NO_FIRST_MESSAGE) == 1);
        }
    }

    @Test
    void aConnectionWithAFirstMessageMayStaySilent() throws Exception {
        try (Node node = new Node(limits(300, LONG, LONG));
                Socket peer = PlainSockets.connect(node.tcp());
                Socket silent = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "registered", 1));
            PlainSockets.receive(peer);
            assertThat(PlainSockets.closedByPeer(silent)).isTrue();
            await().until(() -> node.count(NetworkCounter.CLOSED_NO_FIRST_MESSAGE) == 1);
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "registered", 2));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void bytesThatTrickleDoNotExtendTheTimeOfAMessage() throws Exception {
        try (Node node = new Node(limits(LONG, 400, LONG));
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "first", 1));
            PlainSockets.receive(peer);
            String slow = PlainSockets.options("TCP", "127.0.0.1", "slow", 2);
            int[] sent = {0};
            await().pollInterval(Duration.ofMillis(20))
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> {
                        try {
                            PlainSockets.send(peer, slow.substring(sent[0], sent[0] + 1));
                            sent[0]++;
                        } catch (IOException closed) {
                            return true;
                        }
                        return node.count(NetworkCounter.CLOSED_SLOW_MESSAGE) == 1;
                    });
            assertThat(node.count(NetworkCounter.CLOSED_SLOW_MESSAGE)).isEqualTo(1);
            assertThat(sent[0]).isLessThan(slow.length());
        }
    }

    @Test
    void theIdleLimitCountsFromTheLastByte() throws Exception {
        try (Node node = new Node(limits(LONG, LONG, 500));
                Socket peer = PlainSockets.connect(node.tcp());
                Socket idle = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(idle, PlainSockets.options("TCP", "127.0.0.1", "idle", 1));
            PlainSockets.receive(idle);
            int[] n = {0};
            await().pollInterval(Duration.ofMillis(50))
                    .until(() -> {
                        PlainSockets.send(
                                peer, PlainSockets.options("TCP", "127.0.0.1", "busy", ++n[0]));
                        PlainSockets.receive(peer);
                        return node.count(NetworkCounter.CLOSED_IDLE) == 1;
                    });
            assertThat(PlainSockets.closedByPeer(idle)).isTrue();
            assertThat(node.closed.poll(10, TimeUnit.SECONDS).cause()).isEqualTo(CloseCause.IDLE);
        }
    }

    @Test
    void connectionsOverTheLimitAreClosedAndTheOthersStay() throws Exception {
        NetworkConfig config = loopback(2);
        try (Node node = new Node(config.withStream(config.stream().withLimits(2, 2, 65_536)));
                Socket first = PlainSockets.connect(node.tcp());
                Socket second = PlainSockets.connect(node.tcp())) {
            await().until(() -> node.count(NetworkCounter.CONNECTIONS_ACCEPTED) == 2);
            try (Socket third = PlainSockets.connect(node.tcp())) {
                assertThat(PlainSockets.closedByPeer(third)).isTrue();
            }
            await().until(() -> node.count(NetworkCounter.CLOSED_TOO_MANY) == 1);
            MessageDraft ours = MessageDraft.request("OPTIONS", Node.uri("sip:peer@127.0.0.1"));
            Hop elsewhere = Hop.to(Transport.TCP, new InetSocketAddress("127.0.0.1", 9));
            node.on(0, () -> node.wires.getFirst().send(elsewhere, ours.freeze(), (to, why) -> {}));
            await().until(() -> node.count(NetworkCounter.NOT_OPENED_TOO_MANY) == 1);
            assertThat(node.count(NetworkCounter.CLOSED_TOO_MANY)).isEqualTo(1);
            PlainSockets.send(second, PlainSockets.options("TCP", "127.0.0.1", "second", 1));
            assertThat(PlainSockets.receive(second)).startsWith("SIP/2.0 200 ");
            PlainSockets.close(first);
            await().until(() -> node.count(NetworkCounter.CONNECTIONS_OPEN) == 1);
            try (Socket fourth = PlainSockets.connect(node.tcp())) {
                PlainSockets.send(fourth, PlainSockets.options("TCP", "127.0.0.1", "fourth", 1));
                assertThat(PlainSockets.receive(fourth)).startsWith("SIP/2.0 200 ");
            }
        }
    }

    /** A request that asker sent us, on its way to that address. */
    private static void passOn(Node node, String asker, String to, int port) throws Exception {
        MessageDraft draft = MessageDraft.request("OPTIONS", Node.uri("sip:peer@" + to));
        draft.addLast(HeaderName.VIA, "SIP/2.0/TCP 127.0.0.1:" + node.tcp() + ";branch=z9hG4bKa");
        draft.addLast(HeaderName.VIA, "SIP/2.0/UDP pc.invalid;branch=z9hG4bKb;received=" + asker);
        Hop hop = Hop.to(Transport.TCP, new InetSocketAddress(to, port));
        node.on(0, () -> node.wires.getFirst().send(hop, draft.freeze(), (at, why) -> {}));
    }

    /** Silent: its queue of connections is full, so SYNs get no answer. */
    private static void fill(ServerSocket silent, List<Socket> filling) throws IOException {
        try {
            for (int i = 0; i < 20; i++) {
                Socket one = new Socket();
                filling.add(one);
                one.connect(new InetSocketAddress("127.0.0.1", silent.getLocalPort()), 300);
            }
        } catch (SocketTimeoutException full) {
            return;
        }
        throw new IllegalStateException("it takes all of them");
    }

    @Test
    void thoseThatAreStillConnectingHaveAPartOfThePlacesAndAShareOfItPerAsker() throws Exception {
        List<Socket> filling = new ArrayList<>();
        NetworkConfig config = loopback(1);
        try (Node node = new Node(config.withStream(config.stream().withLimits(16, 16, 65_536)));
                ServerSocket silent = new ServerSocket(0, 1)) {
            fill(silent, filling);
            for (int i = 1; i <= 10; i++) {
                passOn(node, "10.9.9.9", "127.0.7." + i, silent.getLocalPort());
            }
            await().until(() -> node.count(NetworkCounter.NOT_OPENED_TOO_MANY) == 6);
            assertThat(node.count(NetworkCounter.CONNECTIONS_CONNECTING)).isEqualTo(4);
            passOn(node, "10.8.8.8", "127.0.7.11", silent.getLocalPort());
            await().until(() -> node.count(NetworkCounter.CLOSED_TOO_MANY) == 1);
            assertThat(node.count(NetworkCounter.NOT_OPENED_TOO_MANY)).isEqualTo(6);
            // What a connection holds is given back after its end was counted.
            await().until(() -> node.count(NetworkCounter.CONNECTIONS_CONNECTING) == 4);
        } finally {
            for (Socket one : filling) {
                PlainSockets.close(one);
            }
        }
    }

    /** A request that an application of ours made for who is counted at that place. */
    private static void makeFor(Node node, int place, String to, int port) throws Exception {
        MessageDraft draft = MessageDraft.request("OPTIONS", Node.uri("sip:peer@" + to));
        draft.set(HeaderName.FROM, "<sip:us@localhost>;tag=" + place);
        draft.set(HeaderName.TO, "<sip:peer@" + to + ">");
        draft.set(HeaderName.CALL_ID, to + "-" + place);
        draft.setCSeq(1, "OPTIONS");
        Hop hop = Hop.to(Transport.TCP, new InetSocketAddress(to, port));
        Shard home = node.shards().getFirst();
        node.on(
                0,
                () ->
                        home.send(
                                new OutgoingRequest(draft, IGNORANT)
                                        .fixedHop(hop)
                                        .countedAt(place)));
    }

    @Test
    void ofWhatABackToBackUserAgentSendsWhoMadeItSendIsTheAsker() throws Exception {
        List<Socket> filling = new ArrayList<>();
        NetworkConfig config = loopback(1);
        Sources sources = new Sources(source -> false, 1);
        int stranger = sources.place(SourceKey.of(InetAddress.ofLiteral("10.9.9.9")));
        int honest = sources.place(SourceKey.of(InetAddress.ofLiteral("10.8.8.8")));
        try (Node node = new Node(config.withStream(config.stream().withLimits(16, 16, 65_536)));
                ServerSocket silent = new ServerSocket(0, 1)) {
            fill(silent, filling);
            for (int i = 1; i <= 10; i++) {
                makeFor(node, stranger, "127.0.7." + i, silent.getLocalPort());
            }
            await().until(() -> node.count(NetworkCounter.NOT_OPENED_TOO_MANY) == 6);
            makeFor(node, honest, "127.0.7.11", silent.getLocalPort());
            await().until(() -> node.count(NetworkCounter.CLOSED_TOO_MANY) == 1);
            assertThat(node.count(NetworkCounter.NOT_OPENED_TOO_MANY)).isEqualTo(6);
        } finally {
            for (Socket one : filling) {
                PlainSockets.close(one);
            }
        }
    }

    /** A request of ours to there, on a connection of ours. */
    private static void ask(Node node, ServerSocket peer) throws Exception {
        passOn(node, "10.9.9.9", "127.0.0.1", peer.getLocalPort());
    }

    @Test
    void aConnectionOfOursOnWhichNobodyAnswersEndsWithTheTimeOfATransaction() throws Exception {
        long millis = 1_000_000;
        TransactionTimers quick = TransactionTimers.of(5 * millis, 40 * millis, 50 * millis, 0);
        try (Node node = new Node(limits(LONG, LONG, LONG), null, quick);
                ServerSocket silent = new ServerSocket(0);
                ServerSocket answers = new ServerSocket(0)) {
            ask(node, answers);
            try (Socket answering = answers.accept()) {
                answering.setSoTimeout(10_000);
                String request = PlainSockets.receive(answering);
                assertThat(request).startsWith("OPTIONS ");
                PlainSockets.send(answering, PlainSockets.options("TCP", "127.0.0.1", "own", 1));
                assertThat(PlainSockets.receive(answering)).startsWith("SIP/2.0 200 ");
                ask(node, silent);
                try (Socket mute = silent.accept()) {
                    mute.setSoTimeout(10_000);
                    assertThat(PlainSockets.receive(mute)).startsWith("OPTIONS ");
                    assertThat(PlainSockets.closedByPeer(mute)).isTrue();
                }
                await().until(() -> node.count(NetworkCounter.CLOSED_UNANSWERED) == 1);
                assertThat(node.closed.poll(10, TimeUnit.SECONDS).cause())
                        .isEqualTo(CloseCause.UNANSWERED);
                ask(node, answers);
                assertThat(PlainSockets.receive(answering))
                        .as("on the same one")
                        .startsWith("OPTIONS ");
                assertThat(node.count(NetworkCounter.CONNECTIONS_OPENED)).isEqualTo(2);
            }
        }
    }

    @Test
    void whatWeOpenToAnAddressTakesNothingOfWhatItMayOpen() throws Exception {
        NetworkConfig config = loopback(1);
        try (Node node = new Node(config.withStream(config.stream().withLimits(100, 2, 65_536)));
                ServerSocket one = new ServerSocket(0);
                ServerSocket two = new ServerSocket(0)) {
            ask(node, one);
            ask(node, two);
            await().until(() -> node.count(NetworkCounter.CONNECTIONS_OPENED) == 2);
            try (Socket site = PlainSockets.connect(node.tcp())) {
                PlainSockets.send(site, PlainSockets.options("TCP", "127.0.0.1", "site", 1));
                assertThat(PlainSockets.receive(site)).startsWith("SIP/2.0 200 ");
            }
        }
    }

    @Test
    void oneAddressCannotTakeAllConnections() throws Exception {
        NetworkConfig config = loopback(1);
        try (Node node = new Node(config.withStream(config.stream().withLimits(100, 1, 65_536)));
                Socket first = PlainSockets.connect(node.tcp());
                Socket second = PlainSockets.connect(node.tcp())) {
            assertThat(PlainSockets.closedByPeer(second)).isTrue();
            PlainSockets.send(first, PlainSockets.options("TCP", "127.0.0.1", "first", 1));
            assertThat(PlainSockets.receive(first)).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void slowReadersAreBoundedAllTogether() throws Exception {
        NetworkConfig config = loopback(1);
        StreamConfig limits = config.stream().withLimits(10, 10, 60_000_000);
        MessageDraft draft = MessageDraft.request("MESSAGE", Node.uri("sip:peer@127.0.0.1"));
        draft.set(HeaderName.CALL_ID, "deaf");
        draft.body(new byte[50_000], "text/plain");
        SipMessage message = draft.freeze();
        try (Node node = new Node(config.withStream(limits.withUnsent(1_000_000)));
                Socket slow = PlainSockets.connect(node.tcp());
                Socket quick = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(slow, PlainSockets.options("TCP", "127.0.0.1", "deaf", 1));
            Hop hop = node.next().from();
            await().pollInterval(Duration.ofMillis(5))
                    .until(() -> {
                        node.on(0, () -> node.wires.getFirst().send(hop, message, (to, why) -> {}));
                        return node.count(NetworkCounter.CLOSED_WRITE_QUEUE_FULL) == 1;
                    });
            await().until(() -> node.count(NetworkCounter.STREAM_BYTES_UNSENT) == 0);
            PlainSockets.send(quick, PlainSockets.options("TCP", "127.0.0.1", "quick", 1));
            assertThat(PlainSockets.receive(quick)).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void aSlowReaderThatReadsAgainIsCountedNoMore() throws Exception {
        MessageDraft draft = MessageDraft.request("MESSAGE", Node.uri("sip:peer@127.0.0.1"));
        draft.set(HeaderName.CALL_ID, "late");
        draft.body(new byte[50_000], "text/plain");
        SipMessage message = draft.freeze();
        NetworkConfig config = loopback(1);
        StreamConfig limits = config.stream().withLimits(10, 10, 60_000_000);
        try (Node node = new Node(config.withStream(limits));
                Socket slow = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(slow, PlainSockets.options("TCP", "127.0.0.1", "late", 1));
            Hop hop = node.next().from();
            await().pollInterval(Duration.ofMillis(5))
                    .until(() -> {
                        node.on(0, () -> node.wires.getFirst().send(hop, message, (to, why) -> {}));
                        return node.count(NetworkCounter.STREAM_BYTES_UNSENT) > 200_000;
                    });
            await().until(() -> {
                slow.getInputStream().skip(slow.getInputStream().available());
                return node.count(NetworkCounter.STREAM_BYTES_UNSENT) == 0;
            });
        }
    }

    @Test
    void aPeerThatDoesNotReadLosesItsConnectionAndTheSendersHearOfIt() throws Exception {
        NetworkConfig config = loopback(1);
        try (Node node = new Node(config.withStream(config.stream().withLimits(10, 10, 100_000)));
                Socket peer = PlainSockets.connect(node.tcp())) {
            PlainSockets.send(peer, PlainSockets.options("TCP", "127.0.0.1", "deaf", 1));
            Hop hop = node.next().from();
            LinkedBlockingQueue<String> failures = new LinkedBlockingQueue<>();
            MessageDraft draft = MessageDraft.request("MESSAGE", Node.uri("sip:peer@127.0.0.1"));
            draft.set(HeaderName.CALL_ID, "deaf");
            draft.body(new byte[50_000], "text/plain");
            SipMessage message = draft.freeze();
            await().pollInterval(Duration.ofMillis(5))
                    .until(() -> {
                        node.on(
                                0,
                                () ->
                                        node.wires
                                                .getFirst()
                                                .send(
                                                        hop,
                                                        message,
                                                        (to, cause) -> failures.add(cause)));
                        return node.count(NetworkCounter.CLOSED_WRITE_QUEUE_FULL) == 1;
                    });
            assertThat(failures.poll(10, TimeUnit.SECONDS)).contains("too much waits");
            assertThat(failures.poll(10, TimeUnit.SECONDS)).contains("closed");
            assertThat(node.closed.poll(10, TimeUnit.SECONDS).cause())
                    .isEqualTo(CloseCause.WRITE_QUEUE_FULL);
        }
    }

    @Test
    void aThousandSilentConnectionsDisturbNobodyAndAreClosed() throws Exception {
        List<Socket> silent = new ArrayList<>();
        try (Node node = new Node(limits(3_000, LONG, LONG));
                DatagramSocket peer = PlainSockets.datagrams()) {
            for (int i = 0; i < 1_000; i++) {
                silent.add(PlainSockets.connect(node.tcp()));
                if (i % 10 == 0) {
                    PlainSockets.send(silent.getLast(), "I");
                }
            }
            await().until(() -> node.count(NetworkCounter.CONNECTIONS_OPEN) == 1_000);
            for (int i = 0; i < 500; i++) {
                PlainSockets.send(
                        peer,
                        node.udp(),
                        PlainSockets.options("UDP", "127.0.0.1;rport", "c" + i, 1));
                assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            }
            await().atMost(Duration.ofSeconds(15))
                    .until(() -> node.count(NetworkCounter.CONNECTIONS_OPEN) == 0);
            assertThat(node.count(NetworkCounter.CLOSED_NO_FIRST_MESSAGE)).isEqualTo(1_000);
            assertThat(node.count(NetworkCounter.FAULTS)).isZero();
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }
}
