package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.link.LinkCounter;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.guard.GuardConfig;
import io.carillon.net.listen.BindFailure;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.stream.StreamConfig;
import io.carillon.net.tls.CertificateMaker;
import io.carillon.net.tls.LoopbackTls;
import io.carillon.net.tls.TlsContexts;
import io.carillon.net.websocket.WebSocketConfig;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.TlsPeer;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.token.Partitions;
import io.carillon.sip.token.RandomSource;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections that end at a router, before two nodes with the real stack, on loopback. */
class RouterStreamsTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final Tls tls = new Tls();
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
    private HostPort cluster;
    private Map<Transport, HostPort> addresses;
    private StackNode one;
    private StackNode two;
    private Router router;

    /** TLS of a trial, which says who is at the other end as if it had shown a certificate. */
    private static final class Tls implements TlsContexts {
        private final LoopbackTls trial = new LoopbackTls("127.0.0.1");

        @Override
        public SslHandler server(ListeningPoint point, ByteBufAllocator alloc) {
            return trial.server(point, alloc);
        }

        @Override
        public SslHandler client(String domain, InetSocketAddress remote, ByteBufAllocator alloc) {
            return trial.client(domain, remote, alloc);
        }

        @Override
        public TlsPeer peer(SslHandler handler, InetSocketAddress remote) {
            return new TlsPeer("TLSv1.3", "TLS_X", List.of(), List.of("pbx.example.com"));
        }
    }

    @BeforeEach
    void start() throws IOException, BindFailure {
        cluster = new HostPort("127.0.0.1", FreePort.next());
        addresses =
                Map.of(
                        Transport.TCP, new HostPort("127.0.0.1", FreePort.next()),
                        Transport.TLS, new HostPort("127.0.0.1", FreePort.next()),
                        Transport.WS, new HostPort("127.0.0.1", FreePort.next()),
                        Transport.WSS, new HostPort("127.0.0.1", FreePort.next()));
        one = new StackNode(1, cluster, addresses, 1, guard);
        two = new StackNode(2, cluster, addresses, 2, null);
        router = Router.start(config(0));
        table(1, 1, 2);
        Awaitility.await()
                .until(() ->
                        router.owners().version() == 1
                                && router.nodes().size() == 2
                                && router.nodes().stream()
                                        .allMatch(each -> each.alive(System.nanoTime()))
                                && alive(one)
                                && alive(two));
    }

    private static boolean alive(StackNode node) {
        return node.link().peers().size() == 2
                && node.link().peers().stream().allMatch(each -> each.alive(System.nanoTime()));
    }

    private RouterConfig config(int number) {
        return new RouterConfig(
                number,
                List.of(
                        point(Transport.UDP, cluster),
                        point(Transport.TCP, addresses.get(Transport.TCP)),
                        point(Transport.TLS, addresses.get(Transport.TLS)),
                        point(Transport.WS, addresses.get(Transport.WS)),
                        point(Transport.WSS, addresses.get(Transport.WSS))),
                new InetSocketAddress(LOOPBACK, 0),
                Map.of(1, one.link().local(), 2, two.link().local()),
                RouterWorld.CLUSTER,
                RouterWorld.secrets(),
                null,
                new RouterConfig.Streams(
                        StreamConfig.defaults(),
                        WebSocketConfig.defaults(),
                        tls,
                        null,
                        StackNode.LARGE));
    }

    private static ListeningPoint point(Transport transport, HostPort at) {
        return new ListeningPoint(transport, at.host(), at.port());
    }

    private void table(long version, int owner, int next) {
        Map<Integer, InetSocketAddress> links =
                Map.of(1, one.link().local(), 2, two.link().local());
        one.table(version, owner, next, links);
        two.table(version, owner, next, links);
    }

    @AfterEach
    void stop() {
        router.close();
        one.close();
        two.close();
    }

    private StreamPhone tcp() throws IOException {
        return StreamPhone.connect(addresses.get(Transport.TCP).port());
    }

    private Hop registered(StreamPhone phone, String transport) throws Exception {
        phone.says(StreamPhone.request("REGISTER", transport, "r1", "reg"));
        StackNode.Seen seen = one.next();
        assertThat(phone.hears()).startsWith("SIP/2.0 200 ");
        return seen.from();
    }

    @Test
    void aCallByTcpIsAnsweredOnItsConnection() throws Exception {
        try (StreamPhone phone = tcp()) {
            phone.says(StreamPhone.request("INVITE", "TCP", "i1", "call-1"));
            StackNode.Seen seen = one.next();
            assertThat(seen.from().transport()).isEqualTo(Transport.TCP);
            assertThat(seen.from().remote()).isEqualTo(phone.address());
            assertThat(seen.from().local().getPort())
                    .isEqualTo(addresses.get(Transport.TCP).port());
            assertThat(seen.from().byRouter()).isTrue();
            // RFC 3261 18.2.1, by the node, which is told the source.
            assertThat(phone.hears()).startsWith("SIP/2.0 200 ").contains(";received=127.0.0.1");
        }
    }

    @Test
    void whoIsAtTheOtherEndOfTlsReachesTheNode() throws Exception {
        SSLContext trusting = trusting();
        int port = addresses.get(Transport.TLS).port();
        try (StreamPhone phone =
                new StreamPhone(trusting.getSocketFactory().createSocket(LOOPBACK, port))) {
            Hop from = registered(phone, "TLS");
            assertThat(from.transport().secure()).isTrue();
            assertThat(from.beside())
                    .isInstanceOfSatisfying(
                            TlsPeer.class,
                            peer -> {
                                assertThat(peer.identities()).containsExactly("pbx.example.com");
                                assertThat(peer.protocol()).isEqualTo("TLSv1.3");
                            });
        }
    }

    private static SSLContext trusting() throws GeneralSecurityException {
        SSLContext trusting = SSLContext.getInstance("TLS");
        trusting.init(null, new TrustManager[] {new Everybody()}, null);
        return trusting;
    }

    /** Believes every server. */
    private static final class Everybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    @Test
    void anyNodeReachesThePhoneByItsFlow() throws Exception {
        try (StreamPhone phone = tcp()) {
            Hop flow = registered(phone, "TCP");
            one.close(); // the token outlives the node that made it
            String route = one.route(flow);
            assertThat(route).contains("@127.0.0.1:" + addresses.get(Transport.TCP).port());
            assertThat(route).contains(";transport=tcp").contains(";ob");
            table2Alone();
            two.send("OPTIONS", "sip:alice@192.0.2.50:5099;transport=tcp", route, null);
            String options = phone.hears();
            assertThat(options).startsWith("OPTIONS ");
            // The router's Via on top, then the node's; the cluster's address in both.
            assertThat(options.lines().filter(line -> line.startsWith("Via:")).toList())
                    .hasSize(2)
                    .allMatch(via ->
                            via.startsWith(
                                    "Via: SIP/2.0/TCP 127.0.0.1:"
                                            + addresses.get(Transport.TCP).port()));
            phone.says(StreamPhone.answer(200, options));
            assertThat(two.answers.poll(10, TimeUnit.SECONDS)).isEqualTo(200);
        }
    }

    private void table2Alone() {
        two.table(2, 2, 1, Map.of(2, two.link().local()));
        Awaitility.await().until(() -> router.owners().version() == 2);
    }

    @Test
    void aFlowThatIsGoneFails() throws Exception {
        Hop flow;
        try (StreamPhone phone = tcp()) {
            flow = registered(phone, "TCP");
        }
        Awaitility.await().until(() -> flowFails(flow));
        // RFC 5626 5.3.1: "If the flow no longer exists, the proxy SHOULD send a 430".
        assertThat(one.failures).allMatch(each -> each == Failure.FLOW_FAILED);
        assertThat(router.counts().get(RouterCounter.FLOWS_GONE)).isPositive();
    }

    private boolean flowFails(Hop flow) throws InterruptedException {
        one.send("OPTIONS", "sip:alice@192.0.2.50:5099", one.route(flow), null);
        Integer answer = one.answers.poll(200, TimeUnit.MILLISECONDS);
        return answer != null && answer == 0;
    }

    @Test
    void whatWaitsForAnAnswerOnAConnectionFailsWithIt() throws Exception {
        StreamPhone phone = tcp();
        Hop flow = registered(phone, "TCP");
        one.send("OPTIONS", "sip:alice@192.0.2.50:5099", one.route(flow), null);
        assertThat(phone.hears()).startsWith("OPTIONS ");
        phone.close();
        // RFC 3261 18.4, not after 32 s.
        assertThat(one.answers.poll(10, TimeUnit.SECONDS)).isZero();
    }

    @Test
    void aFlowOfARouterThatIsGoneFailsAtOnce() throws Exception {
        try (StreamPhone phone = tcp()) {
            Hop flow = registered(phone, "TCP");
            router.close();
            Awaitility.await()
                    .until(() ->
                            one.link().peers().stream()
                                    .noneMatch(each ->
                                            each.id() > 255 && each.alive(System.nanoTime())));
            one.send("OPTIONS", "sip:alice@192.0.2.50:5099", one.route(flow), null);
            assertThat(one.failures.poll(10, TimeUnit.SECONDS)).isEqualTo(Failure.FLOW_FAILED);
            router = Router.start(config(0));
            Awaitility.await().until(() -> alive(one));
            // The same number, but another process: its connections have other numbers.
            one.send("OPTIONS", "sip:alice@192.0.2.50:5099", one.route(flow), null);
            assertThat(one.failures.poll(10, TimeUnit.SECONDS)).isEqualTo(Failure.FLOW_FAILED);
        }
    }

    @Test
    void aNodeReachesAServerByTcp() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, LOOPBACK)) {
            one.send("OPTIONS", "sip:trunk@127.0.0.1:" + server.getLocalPort() + ";transport=tcp");
            try (StreamPhone trunk = new StreamPhone(server.accept())) {
                String options = trunk.hears();
                assertThat(options)
                        .contains(
                                "Via: SIP/2.0/TCP 127.0.0.1:"
                                        + addresses.get(Transport.TCP).port()
                                        + ";branch=");
                trunk.says(StreamPhone.answer(200, options));
                assertThat(one.answers.poll(10, TimeUnit.SECONDS)).isEqualTo(200);
            }
        }
    }

    /** As large as the configuration says (sip.max-message), whoever stands before the nodes. */
    @Test
    void aMessageMayBeAsLargeAsOfAServer() throws Exception {
        try (StreamPhone phone = tcp()) {
            String head = StreamPhone.request("OPTIONS", "TCP", "l1", "large");
            String body = "x".repeat(100_000);
            phone.says(
                    head.replaceFirst("Content-Length: *0", "Content-Length: " + body.length())
                            + body);
            assertThat(one.next().request().bodyLength()).isEqualTo(body.length());
        }
    }

    /** RFC 3261 18.4, also where the connection was opened for the name of its certificate. */
    @Test
    void whatWaitsForAServerWithANameFailsWithItsConnection() throws Exception {
        CertificateMaker.Made made =
                CertificateMaker.of(List.of("localhost"), Duration.ofDays(2)).selfSigned();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry(
                "own", made.key(), new char[0], new X509Certificate[] {made.certificate()});
        KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
        managers.init(keys, new char[0]);
        SSLContext own = SSLContext.getInstance("TLS");
        own.init(managers.getKeyManagers(), null, null);
        try (ServerSocket server =
                own.getServerSocketFactory().createServerSocket(0, 1, LOOPBACK)) {
            one.send("OPTIONS", "sips:trunk@localhost:" + server.getLocalPort());
            try (StreamPhone trunk = new StreamPhone(server.accept())) {
                assertThat(trunk.hears()).startsWith("OPTIONS ");
            }
            assertThat(one.answers.poll(10, TimeUnit.SECONDS)).isZero();
        }
    }

    @Test
    void aServerThatRefusesTheConnectionIsToldAtOnce() throws Exception {
        int nobody = FreePort.next();
        one.send("OPTIONS", "sip:trunk@127.0.0.1:" + nobody + ";transport=tcp");
        assertThat(one.answers.poll(10, TimeUnit.SECONDS)).isZero();
        assertThat(one.failures).containsExactly(Failure.TRANSPORT);
        assertThat(router.counts().get(RouterCounter.STREAMS_FAILED)).isEqualTo(1);
    }

    @Test
    void aMessageLargerThanADatagramPasses() throws Exception {
        try (StreamPhone phone = tcp()) {
            String head = StreamPhone.request("MESSAGE", "TCP", "m1", "large");
            String body = "x".repeat(64_900);
            phone.says(head.replace(": 0\r\n\r\n", ": 64900\r\n\r\n") + body);
            assertThat(one.next().request().bodyLength()).isEqualTo(64_900);
            assertThat(phone.hears()).startsWith("SIP/2.0 200 ");
            assertThat(one.link().count(LinkCounter.DROPPED_UNREADABLE)).isZero();
        }
    }

    @Test
    void aRequestThatADeadNodeHadTakenGoesToTheNextOwner() throws Exception {
        one.silent = true;
        try (StreamPhone phone = tcp()) {
            phone.says(StreamPhone.request("MESSAGE", "TCP", "d1", "dead"));
            assertThat(one.next().request().method()).isEqualTo("MESSAGE");
            assertThat(two.seen).isEmpty();
            one.close();
            table2Alone();
            // Over TCP nobody else would repeat it.
            assertThat(two.next().request().method()).isEqualTo("MESSAGE");
            assertThat(phone.hears()).startsWith("SIP/2.0 200 ");
            assertThat(two.seen).isEmpty();
        }
    }

    /**
     * "If that connection is no longer open, the server SHOULD open a connection to the IP address
     * in the "received" parameter, if present, using the port in the "sent-by" value".
     */
    @Test
    void aResponseGoesByANewConnectionToTheSentByPort_rfc3261_18_2_2() throws Exception {
        one.silent = true;
        try (ServerSocket sentBy = new ServerSocket(0, 1, LOOPBACK)) {
            try (StreamPhone phone = tcp()) {
                phone.says(
                        StreamPhone.request("MESSAGE", "TCP", "g1", "gone")
                                .replace("192.0.2.50:5099", "127.0.0.1:" + sentBy.getLocalPort()));
                assertThat(one.next().request().method()).isEqualTo("MESSAGE");
            }
            Awaitility.await().until(() -> router.count(NetworkCounter.CLOSED_BY_PEER) == 1);
            sentBy.setSoTimeout(10_000);
            one.late.take().run();
            try (StreamPhone phone = new StreamPhone(sentBy.accept())) {
                assertThat(phone.hears()).startsWith("SIP/2.0 200 ").contains("Call-ID: gone");
            }
        }
    }

    /** RFC 3261 9.1: a CANCEL has the branch of its INVITE. Each has its own answer. */
    @Test
    void anInviteThatWasCancelledDoesNotComeAgainWhenItsNodeDies() throws Exception {
        one.silent = true;
        try (StreamPhone phone = tcp()) {
            phone.says(
                    StreamPhone.request("INVITE", "TCP", "x1", "cancelled")
                            + StreamPhone.request("CANCEL", "TCP", "x1", "cancelled"));
            String heard = "";
            while (!heard.contains("SIP/2.0 487 ") || !heard.contains("1 CANCEL")) {
                heard += phone.hears();
            }
            one.close();
            table2Alone();
            phone.says(StreamPhone.request("MESSAGE", "TCP", "x2", "after"));
            assertThat(two.next().request().method()).isEqualTo("MESSAGE");
            Awaitility.await()
                    .during(Duration.ofMillis(1_500))
                    .atMost(Duration.ofSeconds(5))
                    .until(two.seen::isEmpty);
        }
    }

    @Test
    void aRequestThatWasHandedOnToANodeThatDiesGoesToTheNextOwner() throws Exception {
        one.silent = true;
        two.silent = true;
        Map<Integer, InetSocketAddress> links =
                Map.of(1, one.link().local(), 2, two.link().local());
        one.split(2, links);
        two.split(2, links);
        Awaitility.await().until(() -> router.owners().version() == 2);
        String call = "call";
        while (Partitions.ofCallId(call) % 2 != 0) {
            call += "x";
        }
        try (StreamPhone phone = tcp()) {
            phone.says(StreamPhone.request("MESSAGE", "TCP", "h1", call));
            one.handOn(one.next(), 7);
            assertThat(two.next().request().callId()).isEqualTo(call);
            long delivered = one.link().count(LinkCounter.DELIVERED);
            two.close();
            one.table(3, 1, 1, Map.of(1, one.link().local()));
            Awaitility.await()
                    .until(() -> one.link().count(LinkCounter.DELIVERED) == delivered + 1);
            assertThat(router.counts().get(RouterCounter.SENT_AGAIN)).isPositive();
        }
    }

    @Test
    void aRequestIsTakenOnceHoweverLongItsAnswerTakes() throws Exception {
        one.silent = true;
        try (StreamPhone phone = tcp()) {
            phone.says(StreamPhone.request("MESSAGE", "TCP", "s1", "slow"));
            assertThat(one.next().request().method()).isEqualTo("MESSAGE");
            phone.says(StreamPhone.request("MESSAGE", "TCP", "s2", "slow2"));
            assertThat(one.next().request().callId()).isEqualTo("slow2");
            Awaitility.await()
                    .during(Duration.ofMillis(1_500))
                    .atMost(Duration.ofSeconds(5))
                    .until(one.seen::isEmpty);
        }
    }

    @Test
    void whatComesWhileNobodyOwnsItWaits() throws Exception {
        one.close();
        Awaitility.await()
                .until(() ->
                        router.nodes().stream()
                                .noneMatch(
                                        each -> each.id() == 1 && each.alive(System.nanoTime())));
        try (StreamPhone phone = tcp()) {
            phone.says(StreamPhone.request("INVITE", "TCP", "w1", "waits"));
            Awaitility.await().until(() -> two.link().count(LinkCounter.PARKED) == 1);
            table2Alone();
            // With its connection, or the answer would find no way.
            assertThat(two.next().from().byRouter()).isTrue();
            assertThat(phone.hears()).startsWith("SIP/2.0 200 ");
        }
    }

    @Test
    void theConnectionOfABannedSourceIsEnded() throws Exception {
        InetAddress other = InetAddress.getByName("127.0.0.2");
        Hop from = new Hop(Transport.UDP, null, new InetSocketAddress(other, 5060), 0);
        for (int i = 0; i < 3; i++) {
            guard.failed(PeerConduct.Failure.MALFORMED, from, true, System.nanoTime());
        }
        int port = addresses.get(Transport.TCP).port();
        try (StreamPhone banned = new StreamPhone(new Socket(LOOPBACK, port, other, 0));
                StreamPhone phone = tcp()) {
            banned.says(StreamPhone.request("OPTIONS", "TCP", "b1", "banned"));
            assertThat(banned.ended()).isTrue();
            assertThat(router.counts().get(RouterCounter.CONNECTIONS_REFUSED)).isEqualTo(1);
            phone.says(StreamPhone.request("OPTIONS", "TCP", "b2", "welcome"));
            assertThat(one.next().request().callId()).isEqualTo("welcome");
            assertThat(phone.hears()).startsWith("SIP/2.0 200 ");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"WS", "WSS"})
    void aBrowserIsReachedByItsName(Transport by) throws Exception {
        // RFC 7118 B.1: "Via: SIP/2.0/WS df7jal23ls0d.invalid".
        String register =
                StreamPhone.request("REGISTER", by.name(), "n1", "browser")
                        .replace("192.0.2.50:5099;branch", "df7jal23ls0d.invalid;branch");
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build();
        try {
            WebSocket browser =
                    client.newWebSocketBuilder()
                            .subprotocols("sip")
                            .buildAsync(
                                    URI.create(
                                            by.name().toLowerCase(Locale.ROOT)
                                                    + "://127.0.0.1:"
                                                    + addresses.get(by).port()),
                                    new Hears(heard))
                            .get(10, TimeUnit.SECONDS);
            browser.sendText(register, true);
            assertThat(heard.poll(10, TimeUnit.SECONDS)).startsWith("SIP/2.0 200 ");
            assertThat(one.next().from().transport()).isEqualTo(by);
            table2Alone(); // another node than the one that heard the name
            two.send("OPTIONS", "sip:alice@df7jal23ls0d.invalid;transport=ws");
            String options = heard.poll(10, TimeUnit.SECONDS);
            assertThat(options)
                    .startsWith("OPTIONS ")
                    .contains("Via: SIP/2.0/" + by.name() + " 127.0.0.1:");
            browser.sendText(StreamPhone.answer(200, options), true);
            assertThat(two.answers.poll(10, TimeUnit.SECONDS)).isEqualTo(200);
        } finally {
            client.shutdownNow();
        }
        two.send("OPTIONS", "sip:alice@nobody.invalid;transport=ws");
        assertThat(two.answers.poll(10, TimeUnit.SECONDS)).isZero();
    }

    /** Puts whole messages into a queue. */
    private record Hears(BlockingQueue<String> heard) implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            heard.add(data.toString());
            socket.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
            heard.add(StandardCharsets.ISO_8859_1.decode(data).toString());
            socket.request(1);
            return null;
        }
    }
}
