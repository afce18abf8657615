package io.carillon.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.listen.ReceiveBuffer;
import io.carillon.net.udp.UdpConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.Ownership;
import io.carillon.sip.token.Partitions;
import io.netty.channel.epoll.Epoll;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams through real sockets on loopback. */
class UdpTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void responseGoesToTheSourceWhenRportIsThere_rfc3581_4(boolean nativeTransport)
            throws Exception {
        try (Node node = new Node(Node.loopback(2).withNativeTransport(nativeTransport));
                DatagramSocket peer = PlainSockets.datagrams()) {
            PlainSockets.send(
                    peer,
                    node.udp(),
                    PlainSockets.options("UDP", "192.0.2.7:9999;rport", "rport", 1));
            String response = PlainSockets.receive(peer);
            assertThat(response).startsWith("SIP/2.0 200 ");
            assertThat(response)
                    .contains("rport=" + peer.getLocalPort())
                    .contains("received=127.0.0.1");
            Hop from = node.next().from();
            assertThat(from.transport()).isEqualTo(Transport.UDP);
            assertThat(from.remote().getPort()).isEqualTo(peer.getLocalPort());
            assertThat(from.local())
                    .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), node.udp()));
        }
    }

    /** The first request of each call, then the second of each, and so on. */
    private static void sendInTurn(DatagramSocket peer, Node node, int calls, int requests)
            throws IOException {
        for (int n = 1; n <= requests; n++) {
            for (int call = 0; call < calls; call++) {
                String id = "order" + call + "x";
                PlainSockets.send(
                        peer, node.udp(), PlainSockets.options("UDP", "127.0.0.1;rport", id, n));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ordersWithinACallAreKeptThoughShardsDiffer(boolean nativeTransport) throws Exception {
        int calls = 20;
        int requests = 30;
        NetworkConfig byAddress =
                Node.loopback(4)
                        .withNativeTransport(nativeTransport)
                        .withUdp(new UdpConfig(4 << 20, 4 << 20, 32, 1 << 20, false));
        try (Node node = new Node(byAddress);
                DatagramSocket peer = PlainSockets.datagrams()) {
            sendInTurn(peer, node, calls, requests);
            Map<String, List<Long>> byCall = new HashMap<>();
            Map<String, Set<Integer>> shards = new HashMap<>();
            Set<Integer> all = new HashSet<>();
            for (int i = 0; i < calls * requests; i++) {
                Node.Seen seen = node.next();
                String call = seen.request().callId();
                byCall.computeIfAbsent(call, c -> new ArrayList<>())
                        .add(seen.request().cseq().number());
                shards.computeIfAbsent(call, c -> new HashSet<>()).add(seen.shard());
                all.add(seen.shard());
            }
            assertThat(byCall.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
            assertThat(shards.values())
                    .as("one call, one shard")
                    .allSatisfy(s -> assertThat(s).hasSize(1));
            assertThat(all).as("calls are spread").hasSizeGreaterThan(1);
            assertThat(node.count(NetworkCounter.WRONG_SHARD_HOPS))
                    .as("one peer comes by one socket, so most calls hop")
                    .isPositive();
            assertThat(node.count(NetworkCounter.FAULTS)).isZero();
        }
    }

    @Test
    void theKernelGivesEachCallToTheSocketOfItsShardInOrder() throws Exception {
        assumeTheKernelChooses();
        int calls = 100;
        int requests = 5;
        try (Node node = new Node(Node.loopback(4));
                DatagramSocket peer = PlainSockets.datagrams()) {
            sendInTurn(peer, node, calls, requests);
            Map<String, List<Long>> byCall = new HashMap<>();
            Set<Integer> shards = new HashSet<>();
            for (int i = 0; i < calls * requests; i++) {
                Node.Seen seen = node.next();
                byCall.computeIfAbsent(seen.request().callId(), c -> new ArrayList<>())
                        .add(seen.request().cseq().number());
                shards.add(seen.shard());
            }
            assertThat(shards).hasSize(4);
            assertThat(byCall.values()).allSatisfy(numbers -> assertThat(numbers).isSorted());
            assertThat(node.count(NetworkCounter.WRONG_SHARD_HOPS)).isZero();
        }
    }

    private static void assumeTheKernelChooses() throws IOException {
        Assumptions.assumeTrue(Epoll.isAvailable(), "epoll");
        // Such a file gives its text to the first read alone, so it has to be a long one.
        try (BufferedReader allowed =
                Files.newBufferedReader(Path.of("/proc/sys/net/core/optmem_max"))) {
            Assumptions.assumeTrue(
                    Integer.parseInt(allowed.readLine()) >= 131_072, "net.core.optmem_max");
        }
    }

    private static final int LOOPS = 3;

    private static ClusterPlace cluster() {
        return new ClusterPlace(7, ClusterKeys.of(1, 2), Ownership.ALONE, LOOPS, () -> 0);
    }

    @Test
    void inAClusterTheKernelGivesEachCallToTheLoopOfItsPartition() throws Exception {
        assumeTheKernelChooses();
        try (Node node = Node.inCluster(Node.loopback(LOOPS), cluster());
                DatagramSocket peer = PlainSockets.datagrams()) {
            for (int call = 0; call < 200; call++) {
                String id = "call" + call + "x";
                String options = PlainSockets.options("UDP", "127.0.0.1;rport", id, 1);
                int partition = (call * 37) % Ownership.PARTITIONS;
                boolean within = call % 2 == 0;
                String tag = node.shards().getFirst().newTag(partition);
                int tagAt = options.indexOf('\r', options.indexOf("\nTo:"));
                PlainSockets.send(
                        peer,
                        node.udp(),
                        within
                                ? options.substring(0, tagAt)
                                        + ";tag="
                                        + tag
                                        + options.substring(tagAt)
                                : options);
                Node.Seen seen = node.next();
                int of = within ? partition : Partitions.ofCallId(seen.request().callId());
                assertThat(seen.shard()).as(id).isEqualTo(of % LOOPS);
            }
            assertThat(node.count(NetworkCounter.WRONG_SHARD_HOPS)).isZero();
        }
    }

    @Test
    void theLoopsAreThoseThatTheClusterWasToldOf() {
        assertThatThrownBy(() -> Node.inCluster(Node.loopback(LOOPS + 1), cluster()))
                .hasMessageContaining("4 event loops, and the cluster was told of 3");
    }

    @Test
    void eachShardRunsOnAThreadOfItsOwn() throws Exception {
        try (Node node = new Node(Node.loopback(2));
                DatagramSocket peer = PlainSockets.datagrams()) {
            Map<Integer, Set<String>> threads = new HashMap<>();
            for (int i = 0; i < 50; i++) {
                PlainSockets.send(
                        peer,
                        node.udp(),
                        PlainSockets.options("UDP", "127.0.0.1;rport", "t" + i, 1));
                Node.Seen seen = node.next();
                threads.computeIfAbsent(seen.shard(), s -> new HashSet<>()).add(seen.thread());
            }
            assertThat(threads).hasSize(2);
            assertThat(threads.values()).allSatisfy(names -> assertThat(names).hasSize(1));
            assertThat(threads.get(0)).doesNotContainAnyElementsOf(threads.get(1));
        }
    }

    @Test
    void keepAlivesAreCountedAndNothingElse() throws Exception {
        try (Node node = new Node(Node.loopback(1));
                DatagramSocket peer = PlainSockets.datagrams()) {
            for (String text : List.of("", "\r\n", "\r\n\r\n", "\0\0\0\0")) {
                PlainSockets.send(peer, node.udp(), text);
            }
            PlainSockets.send(
                    peer, node.udp(), PlainSockets.options("UDP", "127.0.0.1;rport", "after", 1));
            assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            assertThat(node.count(NetworkCounter.KEEPALIVES)).isEqualTo(4);
            assertThat(node.count(NetworkCounter.DATAGRAMS_IN)).isEqualTo(5);
            assertThat(node.count(NetworkCounter.DATAGRAMS_OUT)).isEqualTo(1);
        }
    }

    @Test
    void aDatagramOfTheLargestSizeComesWhole_rfc3261_18_1_1() throws Exception {
        try (Node node = new Node(Node.loopback(1));
                DatagramSocket peer = PlainSockets.datagrams()) {
            String head =
                    PlainSockets.options("UDP", "127.0.0.1;rport", "large", 1)
                            .replace("Content-Length: 0\r\n\r\n", "Content-Length: ");
            int body = 65_507 - head.length() - 5 - 4;
            PlainSockets.send(peer, node.udp(), head + body + "\r\n\r\n" + "x".repeat(body));
            assertThat(node.next().request().bodyLength()).isEqualTo(body);
        }
    }

    @Test
    void manyAnswersOfOneBatchLeaveInFewFlushes() throws Exception {
        try (Node node = new Node(Node.loopback(1));
                DatagramSocket peer = PlainSockets.datagrams()) {
            // Hold the loop so that all datagrams wait in the socket when it reads.
            CountDownLatch held = new CountDownLatch(1);
            CountDownLatch hold = new CountDownLatch(1);
            node.on(
                    0,
                    () -> {
                        held.countDown();
                        try {
                            hold.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    });
            held.await();
            for (int i = 0; i < 100; i++) {
                PlainSockets.send(
                        peer,
                        node.udp(),
                        PlainSockets.options("UDP", "127.0.0.1;rport", "b" + i, 1));
            }
            hold.countDown();
            for (int i = 0; i < 100; i++) {
                assertThat(PlainSockets.receive(peer)).startsWith("SIP/2.0 200 ");
            }
            assertThat(node.count(NetworkCounter.DATAGRAMS_OUT)).isEqualTo(100);
            assertThat(node.count(NetworkCounter.WRITE_BATCHES)).isLessThan(20);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aPortThatIsTakenFailsTheStartByName(int shards) throws Exception {
        try (DatagramSocket other = PlainSockets.datagrams()) {
            NetworkConfig config =
                    NetworkConfig.of(
                                    List.of(
                                            new ListeningPoint(
                                                    Transport.UDP,
                                                    "127.0.0.1",
                                                    other.getLocalPort())))
                            .withShards(shards);
            assertThatThrownBy(() -> new Node(config))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining("udp:127.0.0.1:" + other.getLocalPort())
                    .hasMessageContaining("address in use");
        }
    }

    @Test
    void aSecondServerOfTheSameUserCannotTakeHalfOfTheTraffic() throws Exception {
        try (Node first = new Node(Node.loopback(2))) {
            NetworkConfig same =
                    NetworkConfig.of(
                                    List.of(
                                            new ListeningPoint(
                                                    Transport.UDP, "127.0.0.1", first.udp())))
                            .withShards(2);
            assertThatThrownBy(() -> new Node(same))
                    .isInstanceOf(BindFailure.class)
                    .hasMessageContaining("address in use");
        }
    }

    @Test
    void aFailedStartLeavesNothingBound() throws Exception {
        int free;
        try (DatagramSocket probe = PlainSockets.datagrams()) {
            free = probe.getLocalPort();
        }
        try (DatagramSocket taken = PlainSockets.datagrams()) {
            NetworkConfig config =
                    NetworkConfig.of(
                                    List.of(
                                            new ListeningPoint(Transport.UDP, "127.0.0.1", free),
                                            new ListeningPoint(
                                                    Transport.UDP,
                                                    "127.0.0.1",
                                                    taken.getLocalPort())))
                            .withShards(2);
            assertThatThrownBy(() -> new Node(config)).isInstanceOf(BindFailure.class);
        }
        new DatagramSocket(free, InetAddress.getLoopbackAddress()).close();
    }

    @Test
    void anAddressOfAnotherMachineFailsTheStartByName() {
        NetworkConfig config =
                NetworkConfig.of(List.of(new ListeningPoint(Transport.UDP, "192.0.2.1", 0)));
        assertThatThrownBy(() -> new Node(config))
                .isInstanceOf(BindFailure.class)
                .hasMessageContaining("udp:192.0.2.1:0")
                .hasMessageContaining("no such address");
    }

    @Test
    void theGrantedReceiveBufferIsKnownAndTooSmallOnesAreNamed() throws Exception {
        UdpConfig huge = new UdpConfig(1 << 30, 1 << 20, 32, 1 << 20, true);
        try (Node node = new Node(Node.loopback(2).withUdp(huge))) {
            List<ReceiveBuffer> buffers = node.network().receiveBuffers();
            assertThat(buffers)
                    .isNotEmpty()
                    .allSatisfy(b -> {
                        assertThat(b.askedBytes()).isEqualTo(1 << 30);
                        assertThat(b.grantedBytes()).isBetween(1, (1 << 30) - 1);
                        assertThat(b.tooSmall()).isTrue();
                    });
            assertThat(node.network().warnings())
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("udp:127.0.0.1:" + node.udp())
                    .contains("net.core.rmem_max=" + (1 << 30));
        }
    }

    @Test
    void aRequestOfOursGoesOutAndItsResponseFindsTheShardThatSentIt() throws Exception {
        try (Node node = new Node(Node.loopback(4));
                DatagramSocket peer = PlainSockets.datagrams()) {
            for (int shard = 0; shard < 4; shard++) {
                node.send(shard, "OPTIONS", "sip:peer@127.0.0.1:" + peer.getLocalPort());
                String request = PlainSockets.receive(peer);
                assertThat(request).contains("Via: SIP/2.0/UDP 127.0.0.1:" + node.udp());
                PlainSockets.send(peer, node.udp(), PlainSockets.ok(request));
                assertThat(node.ended.take().status()).isEqualTo(200);
            }
            assertThat(node.count(NetworkCounter.FAULTS)).isZero();
        }
    }

    @Test
    void timersRunWhileNoMessageComes() throws Exception {
        try (Node node = new Node(Node.loopback(1));
                DatagramSocket peer = PlainSockets.datagrams()) {
            node.send(0, "OPTIONS", "sip:peer@127.0.0.1:" + peer.getLocalPort());
            String first = PlainSockets.receive(peer);
            long before = System.nanoTime();
            assertThat(PlainSockets.receive(peer)).as("timer E: T1 later").isEqualTo(first);
            assertThat(System.nanoTime() - before).isBetween(300_000_000L, 2_000_000_000L);
            PlainSockets.send(peer, node.udp(), PlainSockets.ok(first));
            assertThat(node.ended.take().status()).isEqualTo(200);
        }
    }

    @Test
    void aMessageTooLargeForADatagramFails() throws Exception {
        try (Node node = new Node(Node.loopback(1))) {
            CountDownLatch failed = new CountDownLatch(1);
            List<String> causes = new ArrayList<>();
            MessageDraft draft = MessageDraft.request("MESSAGE", Node.uri("sip:x@127.0.0.1"));
            draft.set(HeaderName.of("X-Fill"), "x".repeat(1000));
            draft.body(new byte[65_400], "text/plain");
            Hop hop =
                    Hop.to(
                            Transport.UDP,
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 9));
            node.on(
                    0,
                    () ->
                            node.wires
                                    .getFirst()
                                    .send(
                                            hop,
                                            draft.freeze(),
                                            (to, cause) -> {
                                                causes.add(cause);
                                                failed.countDown();
                                            }));
            failed.await();
            assertThat(causes).first().asString().contains("datagram cannot hold");
            await().until(() -> node.count(NetworkCounter.DATAGRAM_SEND_ERRORS) == 1);
        }
    }
}
