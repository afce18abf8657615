package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.stream.StreamConfig;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What strangers do on connections to a router. Beside each of it a call of somebody else goes on.
 */
class RouterHostileTest {
    private static final int MOST = 8;
    private static final int WRITE_QUEUE = 64 << 10;

    private SmallCluster cluster;
    private StreamPhone good;

    @BeforeEach
    void start() throws Exception {
        cluster =
                new SmallCluster(
                        StreamConfig.defaults()
                                .withTimeouts(1_000, 1_000, 1_000, 60_000)
                                .withLimits(100, MOST, WRITE_QUEUE),
                        1);
        good = cluster.phone();
        call("before");
    }

    private void call(String id) throws Exception {
        good.says(StreamPhone.request("INVITE", "TCP", id, id));
        assertThat(good.hears()).startsWith("SIP/2.0 200 ");
        String seen = "";
        while (!seen.equals(id)) {
            seen = cluster.node.next().request().callId();
        }
    }

    @AfterEach
    void theCallBesideGoesOn() throws Exception {
        try {
            call("after");
        } finally {
            good.close();
            cluster.close();
        }
    }

    private void counted(NetworkCounter counter) {
        Awaitility.await().until(() -> cluster.router().count(counter) > 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: sip\r\n\r\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001", // TLS to a port without it
                "INVITE sip:a@b SIP/2.0\r\nContent-Length: -5\r\n\r\n",
                "INVITE sip:a@b SIP/2.0\r\nContent-Length: 99999999999\r\n\r\n",
                "INVITE sip:a@b SIP/2.0\r\nNo-Length: 1\r\n\r\n",
                "PROXY TCP4 198.51.100.7 127.0.0.1 40000 5060\r\n\r\n",
                "\0\0\0\0\0\0\0\0\r\n\r\n"
            })
    void bytesThatAreNoSipEndTheirConnection(String bytes) throws Exception {
        try (StreamPhone stranger = cluster.phone()) {
            stranger.says(bytes);
            stranger.hears(); // an answer, where one can be made, and the end
            assertThat(stranger.ended()).isTrue();
        }
        assertThat(cluster.node.seen).isEmpty();
    }

    @Test
    void aRequestWithoutViaIsDropped() throws Exception {
        try (StreamPhone stranger = cluster.phone()) {
            stranger.says("OPTIONS sip:a@b SIP/2.0\r\nContent-Length: 0\r\n\r\n");
            Awaitility.await()
                    .until(() ->
                            cluster.router().counts().get(RouterCounter.DROPPED_MALFORMED) == 1);
        }
    }

    @Test
    void aConnectionThatSaysNothingEnds() throws Exception {
        try (StreamPhone stranger = cluster.phone()) {
            assertThat(stranger.ended()).isTrue();
        }
        counted(NetworkCounter.CLOSED_NO_FIRST_MESSAGE);
    }

    @Test
    void aMessageThatTricklesEnds() throws Exception {
        try (StreamPhone stranger = cluster.phone()) {
            stranger.says("OPTIONS sip:bob@127.0.0.1 SIP/2.0\r\nVia: SIP/2.0/TCP ");
            assertThat(stranger.ended()).isTrue();
        }
        Awaitility.await()
                .until(() ->
                        cluster.router().count(NetworkCounter.CLOSED_SLOW_MESSAGE)
                                        + cluster.router()
                                                .count(NetworkCounter.CLOSED_NO_FIRST_MESSAGE)
                                == 1);
    }

    @Test
    void oneSourceHasSoManyConnections() throws Exception {
        List<StreamPhone> many = new ArrayList<>();
        for (int i = 0; i < 2 * MOST; i++) {
            many.add(cluster.phone());
        }
        counted(NetworkCounter.CLOSED_TOO_MANY);
        for (StreamPhone each : many) {
            each.close();
        }
    }

    @Test
    void responsesToNothingAreDropped() throws Exception {
        try (StreamPhone stranger = cluster.phone()) {
            for (int i = 0; i < 100; i++) {
                stranger.says(
                        "SIP/2.0 200 OK\r\nVia: SIP/2.0/TCP 127.0.0.1;branch=z9hG4bKmadeup"
                                + i
                                + "\r\nContent-Length: 0\r\n\r\n");
            }
            Awaitility.await()
                    .until(() -> cluster.router().counts().get(RouterCounter.DROPPED_STRAY) == 100);
        }
    }

    @Test
    void aResponseToAnothersRequestIsDropped() throws Exception {
        try (StreamPhone phone = cluster.phone();
                StreamPhone stranger = cluster.phone()) {
            phone.says(StreamPhone.request("REGISTER", "TCP", "f1", "victim"));
            Hop flow = cluster.node.next().from();
            phone.hears();
            cluster.node.send(
                    "OPTIONS", "sip:alice@192.0.2.50:5099", cluster.node.route(flow), null);
            String options = phone.hears();
            // One who has seen the router's branch, but not the node's.
            String forged =
                    StreamPhone.answer(200, options)
                            .replaceAll(
                                    "(?s)(Via: [^\r]*\r\nVia: [^\r]*branch=)[^\r;]*",
                                    "$1z9hG4bKguess");
            stranger.says(forged);
            Awaitility.await()
                    .until(() -> cluster.router().counts().get(RouterCounter.DROPPED_FORGED) == 1);
            assertThat(cluster.node.answers).isEmpty();
            phone.says(StreamPhone.answer(200, options));
            assertThat(cluster.node.answers.poll(10, TimeUnit.SECONDS)).isEqualTo(200);
        }
    }

    @Test
    void aForgedFlowTokenAimsNothing() throws Exception {
        Hop flow = new Hop(Transport.TCP, null, good.address(), 1L << 62 | 1 << 24);
        String route = cluster.node.route(flow);
        int at = route.indexOf("flow-") + 20;
        String forged =
                route.substring(0, at)
                        + (route.charAt(at) == 'A' ? 'B' : 'A')
                        + route.substring(at + 1);
        cluster.node.send("OPTIONS", "sip:alice@192.0.2.50:5099", forged, null);
        assertThat(cluster.node.failures.poll(10, TimeUnit.SECONDS))
                .isEqualTo(Failure.FLOW_REFUSED);
    }

    @Test
    void aTokenOfAConnectionThatNeverWasFindsNobody() throws Exception {
        for (int router : new int[] {0, 7, 255}) {
            Hop flow =
                    new Hop(
                            Transport.TCP,
                            null,
                            good.address(),
                            1L << 62 | (long) router << 54 | 5 << 24);
            String route = cluster.node.route(flow);
            cluster.node.send("OPTIONS", "sip:alice@192.0.2.50:5099", route, null);
            assertThat(cluster.node.failures.poll(10, TimeUnit.SECONDS))
                    .isEqualTo(Failure.FLOW_FAILED);
        }
    }

    @Test
    void aNodesRequestToTheClusterItselfLeavesByNoRouter() throws Exception {
        cluster.node.send("OPTIONS", "sip:loop@127.0.0.1:" + cluster.tcp(0) + ";transport=tcp");
        assertThat(cluster.node.answers.poll(10, TimeUnit.SECONDS)).isEqualTo(200);
        assertThat(cluster.router().counts().get(RouterCounter.REQUESTS_OUT)).isZero();
        assertThat(cluster.node.next().from().remote())
                .isEqualTo(new InetSocketAddress("127.0.0.1", cluster.tcp(0)));
    }

    @Test
    void whoReadsNothingLosesHisConnectionAndNobodyElseHis() throws Exception {
        Socket small = new Socket();
        small.setReceiveBufferSize(4_096);
        small.connect(new InetSocketAddress("127.0.0.1", cluster.tcp(0)));
        try (StreamPhone deaf = new StreamPhone(small)) {
            // The answer repeats his long From.
            String large =
                    StreamPhone.request("MESSAGE", "TCP", "x", "deaf")
                            .replace(
                                    "<sip:alice@example.com>",
                                    "\"" + "y".repeat(3_000) + "\" <sip:a@b>");
            int sent = 0;
            while (cluster.router().count(NetworkCounter.CLOSED_WRITE_QUEUE_FULL) == 0
                    && sent < 20_000) {
                deaf.says(large.replace("z9hG4bKx", "z9hG4bKx" + sent++));
            }
        } catch (SocketException closed) {
            assertThat(closed).isNotNull(); // as it should be
        }
        counted(NetworkCounter.CLOSED_WRITE_QUEUE_FULL);
    }

    @Test
    void aFloodOfPingsIsAnsweredAndNothingElse() throws Exception {
        try (StreamPhone stranger = cluster.phone()) {
            stranger.says("\r\n\r\n".repeat(1_000));
            Awaitility.await()
                    .until(() -> cluster.router().count(NetworkCounter.KEEPALIVES) >= 1_000);
        }
        assertThat(cluster.node.seen).isEmpty();
    }
}
