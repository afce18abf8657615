package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.LinkCounter;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.guard.GuardConfig;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.admission.PeerConduct.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.RandomSource;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A router, two nodes with the real stack, and a phone, on loopback. */
class RouterSocketsTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final Guard guard =
            new Guard(
                    new GuardConfig(
                            AddressRanges.NONE,
                            GuardConfig.Rate.OFF,
                            GuardConfig.Rate.OFF,
                            GuardConfig.Rate.OFF,
                            0,
                            new GuardConfig.BanRule(3, HOUR, HOUR, HOUR),
                            List.of()),
                    RandomSource.secure()::nextLong,
                    System.nanoTime());
    private StackNode one;
    private StackNode two;
    private Router router;
    private DatagramSocket phone;
    private HostPort cluster;

    @BeforeEach
    void start() throws IOException, BindFailure {
        int port = FreePort.next();
        cluster = new HostPort("127.0.0.1", port);
        one = new StackNode(1, cluster, 1, guard);
        two = new StackNode(2, cluster, 2, null);
        router = Router.start(config(port));
        phone = new DatagramSocket(0, LOOPBACK);
        phone.setSoTimeout(10_000);
        table(1, 1, 2);
        Awaitility.await()
                .until(() ->
                        router.owners().version() == 1
                                && one.link().peers().size() == 2
                                && two.link().peers().size() == 2);
        Awaitility.await()
                .until(() ->
                        two.link().peers().stream().allMatch(each -> each.alive(System.nanoTime()))
                                && router.nodes().stream()
                                        .allMatch(each -> each.alive(System.nanoTime())));
    }

    private RouterConfig config(int port) {
        return new RouterConfig(
                0,
                List.of(new ListeningPoint(Transport.UDP, "127.0.0.1", port)),
                new InetSocketAddress(LOOPBACK, 0),
                Map.of(1, one.link().local(), 2, two.link().local()),
                RouterWorld.CLUSTER,
                RouterWorld.secrets(),
                new InetSocketAddress(LOOPBACK, 0));
    }

    private void table(long version, int owner, int next) {
        Map<Integer, InetSocketAddress> addresses =
                Map.of(1, one.link().local(), 2, two.link().local());
        one.table(version, owner, next, addresses);
        two.table(version, owner, next, addresses);
    }

    @AfterEach
    void stop() {
        phone.close();
        router.close();
        one.close();
        two.close();
    }

    private void phoneSends(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        phone.send(
                new DatagramPacket(
                        bytes, bytes.length, new InetSocketAddress(LOOPBACK, cluster.port())));
    }

    private String phoneHears() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
        phone.receive(packet);
        assertThat(packet.getPort())
                .as("comes from the cluster's address")
                .isEqualTo(cluster.port());
        return new String(packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1);
    }

    private static String request(String method, String branch, String toTag, String more) {
        return method
                + " sip:bob@127.0.0.1 SIP/2.0\r\n"
                // RFC 3581: a phone behind address translation, which does not know its address.
                + "Via: SIP/2.0/UDP 192.0.2.50:5099;rport;branch=z9hG4bK"
                + branch
                + "\r\nMax-Forwards: 70\r\nFrom: <sip:alice@example.com>;tag=a1\r\n"
                + "To: <sip:bob@example.com>"
                + (toTag.isEmpty() ? "" : ";tag=" + toTag)
                + "\r\nCall-ID: call-1@192.0.2.50\r\nCSeq: 1 "
                + method
                + "\r\nContact: <sip:alice@192.0.2.50:5099>\r\n"
                + more
                + "Content-Length: 0\r\n\r\n";
    }

    private static String group(String pattern, String text) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    @Test
    void aByeReachesTheNewOwner() throws Exception {
        phoneSends(request("INVITE", "i1", "", ""));
        StackNode.Seen invite = one.next();
        assertThat(invite.from().remote().getPort()).isEqualTo(phone.getLocalPort());
        assertThat(invite.from().local().getPort()).isEqualTo(cluster.port());
        String ok = phoneHears();
        assertThat(ok).startsWith("SIP/2.0 200 ");
        // The node adds them, as the link tells it the source (RFC 3261 18.2.1, RFC 3581 4).
        assertThat(ok).contains(";received=127.0.0.1").contains(";rport=" + phone.getLocalPort());
        String tag = group("To: [^\r]*;tag=(\\w+)", ok);
        phoneSends(request("ACK", "i2", tag, ""));

        table(2, 2, 1);
        Awaitility.await().until(() -> router.owners().version() == 2);
        phoneSends(request("BYE", "b1", tag, ""));
        assertThat(two.next().request().method()).isEqualTo("BYE");
        assertThat(phoneHears()).startsWith("SIP/2.0 200 ");
        assertThat(one.seen).isEmpty();
    }

    @Test
    void anAnswerToANodesRequestComesBackOverTheRouter() throws Exception {
        one.send("OPTIONS", "sip:phone@127.0.0.1:" + phone.getLocalPort());
        String options = phoneHears();
        List<String> vias = options.lines().filter(line -> line.startsWith("Via:")).toList();
        assertThat(vias).hasSize(2).allMatch(via -> via.contains("127.0.0.1:" + cluster.port()));
        StringBuilder answer = new StringBuilder("SIP/2.0 200 OK\r\n");
        options.lines()
                .filter(line -> line.matches("(Via|From|To|Call-ID|CSeq):.*"))
                .forEach(line -> answer.append(line).append("\r\n"));
        phoneSends(answer + "Content-Length: 0\r\n\r\n");
        assertThat(one.answers.poll(10, TimeUnit.SECONDS)).isEqualTo(200);
    }

    /** It came back at another address than that by which a router that runs on knows it. */
    @Test
    void aNodeAtANewAddressIsFoundAsItTellsTheRoutersOfItsConfiguration() throws Exception {
        InetSocketAddress link = new InetSocketAddress(LOOPBACK, FreePort.next());
        RouterConfig config =
                new RouterConfig(
                        0,
                        List.of(new ListeningPoint(Transport.UDP, "127.0.0.1", FreePort.next())),
                        link,
                        Map.of(3, new InetSocketAddress(LOOPBACK, FreePort.next())),
                        RouterWorld.CLUSTER,
                        RouterWorld.secrets(),
                        null);
        try (Router other = Router.start(config);
                StackNode three = new StackNode(3, cluster, Map.of(), 1, null, List.of(link))) {
            Awaitility.await()
                    .until(() ->
                            other.nodes().stream()
                                    .anyMatch(each ->
                                            each.alive(System.nanoTime())
                                                    && each.address()
                                                            .equals(three.link().local())));
        }
    }

    /** A container that started before the name server knew any node. */
    @Test
    void aNodeWhoseNameComesToBeKnownIsFound() throws Exception {
        AtomicReference<Map<Integer, InetSocketAddress>> known = new AtomicReference<>(Map.of());
        RouterConfig config =
                new RouterConfig(
                        1,
                        List.of(new ListeningPoint(Transport.UDP, "127.0.0.1", FreePort.next())),
                        new InetSocketAddress(LOOPBACK, 0),
                        known::get,
                        RouterWorld.CLUSTER,
                        RouterWorld.secrets(),
                        null,
                        RouterConfig.Streams.standard());
        try (Router other = Router.start(config)) {
            assertThat(other.nodes()).isEmpty();
            known.set(Map.of(1, one.link().local()));
            Awaitility.await().until(() -> other.owners().version() == 1);
        }
    }

    @Test
    void whatComesBetweenTwoOwnersWaits() throws Exception {
        one.close();
        Awaitility.await()
                .until(() ->
                        router.nodes().stream()
                                .noneMatch(
                                        each -> each.id() == 1 && each.alive(System.nanoTime())));
        phoneSends(request("OPTIONS", "o1", "", ""));
        phoneSends(request("OPTIONS", "o1", "", ""));
        Awaitility.await().until(() -> two.link().count(LinkCounter.PARKED_REPEATS) == 1);
        assertThat(two.seen).isEmpty();
        two.table(2, 2, 1, Map.of(2, two.link().local()));
        assertThat(two.next().request().method()).isEqualTo("OPTIONS");
        assertThat(phoneHears()).startsWith("SIP/2.0 200 ");
        assertThat(router.counts().get(RouterCounter.TO_NEXT)).isEqualTo(2);
    }

    @Test
    void whatANodeSendsToTheClusterItselfReachesItsOwnerAndIsAnswered() throws Exception {
        Map<Integer, InetSocketAddress> addresses =
                Map.of(1, one.link().local(), 2, two.link().local());
        one.split(2, addresses);
        two.split(2, addresses);
        for (int i = 0; i < 16; i++) {
            one.send("OPTIONS", "sip:service@127.0.0.1:" + cluster.port());
            assertThat(one.answers.poll(10, TimeUnit.SECONDS)).isEqualTo(200);
        }
        // By the hash of each Call-ID, one of 2^15 runs has all at the same node.
        assertThat(one.seen).isNotEmpty();
        assertThat(two.seen).isNotEmpty().allMatch(seen -> seen.request().vias().size() == 1);
        assertThat(one.seen.size() + two.seen.size()).isEqualTo(16);
        assertThat(router.counts().get(RouterCounter.REQUESTS_OUT)).isZero();
    }

    @Test
    void theGuardOfANodeKnowsWhoSentAMessage() throws Exception {
        InetAddress other = InetAddress.getByName("127.0.0.2");
        Hop from = new Hop(Transport.UDP, null, new InetSocketAddress(other, 5060), 0);
        for (int i = 0; i < 3; i++) {
            guard.failed(Failure.MALFORMED, from, true, System.nanoTime());
        }
        try (DatagramSocket banned = new DatagramSocket(0, other)) {
            byte[] bytes = request("OPTIONS", "g1", "", "").getBytes(StandardCharsets.ISO_8859_1);
            banned.send(
                    new DatagramPacket(
                            bytes, bytes.length, new InetSocketAddress(LOOPBACK, cluster.port())));
            phoneSends(request("OPTIONS", "g2", "", ""));
            assertThat(one.next().from().remote().getPort()).isEqualTo(phone.getLocalPort());
        }
        assertThat(phoneHears()).startsWith("SIP/2.0 200 ");
        assertThat(one.count(NetworkCounter.DATAGRAMS_BANNED)).isEqualTo(1);
        assertThat(one.seen).isEmpty();
    }

    /** Who saw a branch of ours, and whose datagram says that it comes from our own address. */
    @Test
    void nothingThatComesByARouterIsTakenForACopyOfWhatWeHaveSentOurselves() throws Exception {
        one.send("OPTIONS", "sip:phone@127.0.0.1:" + phone.getLocalPort());
        String options = phoneHears();
        String branch =
                options.lines()
                        .filter(line -> line.startsWith("Via:"))
                        .skip(1)
                        .map(line -> group("branch=z9hG4bK([^;]+)", line))
                        .findFirst()
                        .orElseThrow();
        phoneSends(
                request("MESSAGE", branch, "", "")
                        .replace("192.0.2.50:5099;rport", "127.0.0.1:" + cluster.port())
                        .replace(branch, branch + ";cb=10.9.9.9~5060"));
        Hop from = one.next().from();
        assertThat(from.initial().remote()).isEqualTo(phone.getLocalSocketAddress());
    }

    @Test
    void asManyRoutersAsOneLikesServeTheSameNodes() throws Exception {
        int port = FreePort.next();
        RouterConfig second =
                new RouterConfig(
                        1,
                        List.of(ListeningPoint.parse("udp:0.0.0.0:" + port + " as 127.0.0.1")),
                        new InetSocketAddress(LOOPBACK, 0),
                        Map.of(1, one.link().local()),
                        RouterWorld.CLUSTER,
                        RouterWorld.secrets(),
                        null);
        try (Router other = Router.start(second)) {
            Awaitility.await().until(() -> other.owners().version() == 1);
            // It was told of the second node by the table.
            Awaitility.await()
                    .until(() ->
                            other.nodes().size() == 2
                                    && other.nodes().stream()
                                            .allMatch(each -> each.alive(System.nanoTime())));
            byte[] bytes = request("INVITE", "r1", "", "").getBytes(StandardCharsets.ISO_8859_1);
            phone.send(
                    new DatagramPacket(bytes, bytes.length, new InetSocketAddress(LOOPBACK, port)));
            assertThat(one.next().request().method()).isEqualTo("INVITE");
            DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
            phone.receive(packet);
            // By the router that the request came by.
            assertThat(packet.getPort()).isEqualTo(port);
            String ok =
                    new String(
                            packet.getData(), 0, packet.getLength(), StandardCharsets.ISO_8859_1);
            // And the rest of the call by the other one.
            phoneSends(request("BYE", "r2", group("To: [^\r]*;tag=(\\w+)", ok), ""));
            assertThat(one.next().request().method()).isEqualTo("BYE");
            assertThat(phoneHears()).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void itsPagesTellNodesAndCounts() throws Exception {
        phoneSends(request("OPTIONS", "p1", "", ""));
        assertThat(phoneHears()).startsWith("SIP/2.0 200 ");
        try (HttpClient client = HttpClient.newHttpClient()) {
            assertThat(page(client, "/metrics", 200))
                    .contains("\ncarillon_router_requests_in 1\n")
                    .contains("\ncarillon_router_responses_out 1\n")
                    .contains("\ncarillon_router_kept_bytes 0\n")
                    .contains("\ncarillon_router_node_alive{node=\"1\"} 1\n")
                    .contains("\ncarillon_router_node_partitions{node=\"1\"} 1024\n")
                    .contains("\ncarillon_router_node_given{node=\"1\"} 1\n")
                    .contains("\ncarillon_link_sessions 2\n");
            assertThat(page(client, "/status", 200))
                    .contains("table      version 1")
                    .contains("owns 1024, given 1, got from it 1")
                    .contains("requests_in");
            page(client, "/status/x", 404);
        }
    }

    @Test
    void whoSendsHalfARequestKeepsNobodyFromItsPages() throws Exception {
        try (Socket slow = new Socket(LOOPBACK, router.pages().getPort());
                HttpClient client = HttpClient.newHttpClient()) {
            slow.getOutputStream().write("GET /metr".getBytes(StandardCharsets.US_ASCII));
            slow.getOutputStream().flush();
            for (int i = 0; i < 3; i++) {
                assertThat(page(client, "/metrics", 200)).contains("carillon_router_requests_in");
            }
        }
    }

    private String page(HttpClient client, String path, int status)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + router.pages().getPort() + path);
        HttpResponse<String> answer =
                client.send(
                        HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(10)).build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(status);
        return answer.body();
    }

    @Test
    void nodesTellEachOtherWhatTheyAgreeOn() throws Exception {
        two.link().tell(1, "a beat".getBytes(StandardCharsets.UTF_8));
        one.link().tell(2, "an acknowledgement".getBytes(StandardCharsets.UTF_8));
        assertThat(one.told.poll(10, TimeUnit.SECONDS)).isEqualTo(new StackNode.Told(2, "a beat"));
        assertThat(two.told.poll(10, TimeUnit.SECONDS))
                .isEqualTo(new StackNode.Told(1, "an acknowledgement"));
    }

    @Test
    void aMessageOfTheLargestSizePasses() throws Exception {
        String head = request("MESSAGE", "m1", "", "").replace(": 0\r\n\r\n", ": 65000\r\n\r\n");
        phoneSends(head + "x".repeat(65_000));
        assertThat(one.next().request().bodyLength()).isEqualTo(65_000);
        assertThat(phoneHears()).startsWith("SIP/2.0 200 ");
    }

    @Test
    void aRouterThatBeginsAnewKnowsAllAgain() throws Exception {
        router.close();
        router = Router.start(config(cluster.port()));
        Awaitility.await().until(() -> router.owners().version() == 1);
        phoneSends(request("OPTIONS", "o2", "", ""));
        assertThat(one.next().request().method()).isEqualTo("OPTIONS");
        assertThat(phoneHears()).startsWith("SIP/2.0 200 ");
    }

    @Test
    void aStrangerOnTheLinkIsNotHeard() throws IOException {
        byte[] bytes = new byte[200];
        bytes[0] = (byte) 0xCB;
        bytes[1] = 1;
        bytes[2] = 3;
        phone.send(new DatagramPacket(bytes, bytes.length, one.link().local()));
        phone.send(new DatagramPacket(bytes, 5, one.link().local()));
        Awaitility.await()
                .until(() ->
                        one.link().count(LinkCounter.DROPPED_MALFORMED)
                                        + one.link().count(LinkCounter.DROPPED_NOT_FOR_US)
                                == 2);
        assertThat(one.seen).isEmpty();
    }
}
