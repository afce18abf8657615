package io.carillon.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.stream.StreamConfig;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.admission.PeerConduct.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A router behind a real HAProxy that tells it by the PROXY protocol whom it connects. */
class HaproxyTest {
    private static final Path PROGRAM = Path.of("/usr/sbin/haproxy");
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    /** Where HAProxy connects from; phones and strangers come from 127.0.0.1. */
    private static final String BALANCER = "127.0.0.3";

    @TempDir Path folder;
    private final Guard guard = SmallCluster.bansAfter(3);
    private SmallCluster cluster;
    private Process haproxy;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(Files.isExecutable(PROGRAM), "there is no HAProxy on this machine");
        cluster =
                new SmallCluster(
                        StreamConfig.defaults().withProxies(AddressRanges.of(List.of(BALANCER))),
                        1,
                        guard);
    }

    @AfterEach
    void stop() {
        if (haproxy != null) {
            haproxy.destroyForcibly();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    /** Begins HAProxy before the router; the port where it listens. */
    private int balance(String how) throws Exception {
        int port = FreePort.next();
        Path config = folder.resolve("haproxy.cfg");
        Files.writeString(
                config,
                """
                defaults
                  mode tcp
                  timeout connect 5s
                  timeout client 30s
                  timeout server 30s
                listen sip
                  bind 127.0.0.1:%d
                  server router 127.0.0.1:%d %s source %s
                """
                        .formatted(port, cluster.tcp(0), how, BALANCER));
        haproxy =
                new ProcessBuilder(PROGRAM.toString(), "-db", "-f", config.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("haproxy.log").toFile())
                        .start();
        Awaitility.await()
                .ignoreExceptions()
                .until(() -> {
                    try (Socket trial = new Socket(LOOPBACK, port)) {
                        return trial.isConnected();
                    }
                });
        return port;
    }

    @ParameterizedTest
    @ValueSource(strings = {"send-proxy", "send-proxy-v2"})
    void thePhoneIsTheSource(String how) throws Exception {
        try (StreamPhone phone = StreamPhone.connect(balance(how))) {
            phone.says(StreamPhone.request("INVITE", "TCP", "h1", "behind"));
            StackNode.Seen seen = cluster.node.next();
            assertThat(seen.from().remote()).isEqualTo(phone.address());
            assertThat(phone.hears()).startsWith("SIP/2.0 200 ").contains(";received=127.0.0.1");
            // And the way back, by its flow.
            String route = cluster.node.route(seen.from());
            cluster.node.send("OPTIONS", "sip:alice@192.0.2.50:5099", route, null);
            String options = phone.hears();
            assertThat(options).startsWith("OPTIONS ");
            phone.says(StreamPhone.answer(200, options));
            assertThat(cluster.node.answers.poll(10, TimeUnit.SECONDS)).isEqualTo(200);
        }
    }

    @Test
    void aBanIsOfThePhoneAndNotOfTheBalancer() throws Exception {
        int port = balance("send-proxy-v2");
        InetAddress banned = InetAddress.getByName("127.0.0.4");
        Hop from = new Hop(Transport.TCP, null, new InetSocketAddress(banned, 5060), 0);
        for (int i = 0; i < 3; i++) {
            guard.failed(Failure.MALFORMED, from, true, System.nanoTime());
        }
        SourceTap tap = new SourceTap();
        cluster.node.tap(tap);
        try (StreamPhone stranger = new StreamPhone(new Socket(LOOPBACK, port, banned, 0));
                StreamPhone phone = StreamPhone.connect(port)) {
            stranger.says(StreamPhone.request("OPTIONS", "TCP", "h4", "banned"));
            assertThat(stranger.ended()).isTrue();
            phone.says(StreamPhone.request("OPTIONS", "TCP", "h5", "welcome"));
            assertThat(phone.hears()).startsWith("SIP/2.0 200 ");
            assertThat(tap.from).containsExactly(phone.address());
        }
    }

    @Test
    void aStrangersHeaderIsRefused() throws Exception {
        balance("send-proxy");
        try (StreamPhone stranger = cluster.phone()) {
            stranger.says(
                    "PROXY TCP4 198.51.100.7 127.0.0.1 40000 5060\r\n"
                            + StreamPhone.request("INVITE", "TCP", "h2", "forged"));
            assertThat(stranger.ended()).isTrue();
        }
        Awaitility.await()
                .until(() -> cluster.router().count(NetworkCounter.PROXY_HEADERS_REFUSED) == 1);
        assertThat(cluster.node.seen).isEmpty();
    }

    @Test
    void aBalancerThatSaysNothingIsRefused() throws Exception {
        try (StreamPhone phone = StreamPhone.connect(balance(""))) {
            phone.says(StreamPhone.request("INVITE", "TCP", "h3", "silent"));
            assertThat(phone.ended()).isTrue();
        }
        Awaitility.await()
                .until(() -> cluster.router().count(NetworkCounter.PROXY_HEADERS_BROKEN) > 0);
        assertThat(cluster.node.seen).isEmpty();
    }
}
