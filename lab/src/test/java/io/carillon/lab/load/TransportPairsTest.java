package io.carillon.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.Network;
import io.carillon.net.NetworkConfig;
import io.carillon.net.count.NetworkCounter;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.listen.ReachableUris;
import io.carillon.net.tls.LoopbackTls;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.RandomSource;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls through a proxy and a B2BUA of the container between each two of the five transports, on
 * IPv4 and IPv6, over real sockets: what is printed leads back by both sides.
 */
@Timeout(120)
class TransportPairsTest {
    private static final int CALLS = 3;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(40);

    @TempDir private static Path work;
    private static ApplicationThreads threads;
    private static SipContainer container;
    private static Network network;

    @BeforeAll
    static void start() throws Exception {
        threads = ApplicationThreads.virtual();
        List<ListeningPoint> points = new ArrayList<>();
        for (String host : List.of("127.0.0.1", "::1")) {
            for (Transport transport : Transport.values()) {
                points.add(new ListeningPoint(transport, host, 0));
            }
        }
        SipContainer[] made = new SipContainer[1];
        container =
                new SipContainer(
                        ContainerConfig.defaults().withWorkFolder(work),
                        threads,
                        SessionStores.inMemory());
        made[0] = container;
        network =
                Network.bind(
                        NetworkConfig.of(points)
                                .withShards(2)
                                .withTls(new LoopbackTls("127.0.0.1")),
                        (index, executor, wire, startNanos) ->
                                Stack.shard(
                                        index,
                                        StackConfig.DEFAULT,
                                        executor,
                                        wire,
                                        made[0],
                                        RandomSource.secure(),
                                        startNanos));
        assertThat(ReachableUris.of(network.listening())).hasSize(10);
        container.start(network.shards());
        container.deploy(
                ApplicationDescription.builder("between")
                        .servlet("between", BetweenServlet::new)
                        .execution(ExecutionMode.NON_BLOCKING)
                        .build());
        network.receive();
    }

    @AfterAll
    static void stop() {
        network.close();
        container.close();
        threads.close();
    }

    static Stream<Arguments> pairs() {
        List<Arguments> all = new ArrayList<>();
        for (String application : List.of("proxy", "b2bua")) {
            for (Transport from : Transport.values()) {
                for (Transport to : Transport.values()) {
                    all.add(Arguments.of(application, "127.0.0.1", from, to));
                }
                all.add(Arguments.of(application, "::1", from, from));
            }
            all.add(Arguments.of(application, "::1", Transport.WSS, Transport.UDP));
        }
        return all.stream();
    }

    private static InetSocketAddress server(String host, Transport transport) {
        return network.listening().stream()
                .filter(point -> point.transport() == transport && point.host().equals(host))
                .map(point -> new InetSocketAddress(point.host(), point.port()))
                .findFirst()
                .orElseThrow();
    }

    private static Snapshot snapshot(LoadNetwork load, LoadEngine engine) {
        CompletableFuture<Snapshot> taken = new CompletableFuture<>();
        load.execute(() -> taken.complete(Snapshot.of(engine, System.nanoTime())));
        return taken.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void callsCross(String application, String host, Transport from, Transport to)
            throws Exception {
        try (LoadNetwork load = new LoadNetwork(from, to, host, 0, 0)) {
            LoadAddresses places =
                    new LoadAddresses(from, server(host, from), load.caller(), load.callee(), to);
            long start = System.nanoTime();
            String target =
                    "sip:"
                            + application
                            + "@"
                            + LoadAddresses.print(places.callee())
                            + places.calleeUriParameter();
            LoadEngine engine =
                    new LoadEngine(
                            CallPlan.calls(
                                    Workload.PROXY200,
                                    target,
                                    0,
                                    0,
                                    Long.MAX_VALUE,
                                    Long.MAX_VALUE),
                            places,
                            new Arrivals(
                                    RatePlan.constant(50), false, CALLS, start, 60_000_000_000L, 1),
                            0,
                            load,
                            start);
            load.use(engine);
            Snapshot now = snapshot(load, engine);
            while ((!now.ended() || now.held() > 0) && System.nanoTime() - start < PATIENCE_NANOS) {
                now = snapshot(load, engine);
            }
            assertThat(now.all().failures()).isEmpty();
            assertThat(now.all().completed).isEqualTo(CALLS);
            assertThat(now.all().unexpected).isZero();
            assertThat(load.localErrors()).isZero();
            assertThat(network.counters().get(NetworkCounter.FAULTS)).isZero();
        }
    }
}
