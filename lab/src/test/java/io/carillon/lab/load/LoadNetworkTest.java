package io.carillon.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.net.listen.BindFailure;
import io.carillon.sip.hop.Transport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The engine on sockets of this machine: its callers call its callees. */
@Timeout(60)
class LoadNetworkTest {
    private static Snapshot snapshot(LoadNetwork network, LoadEngine engine) {
        CompletableFuture<Snapshot> taken = new CompletableFuture<>();
        network.execute(() -> taken.complete(Snapshot.of(engine, System.nanoTime())));
        return taken.orTimeout(30, TimeUnit.SECONDS).join();
    }

    @ParameterizedTest
    @EnumSource
    void callsCrossTheSockets(Transport transport) throws BindFailure {
        try (LoadNetwork network = new LoadNetwork(transport, "127.0.0.1", 0, 0)) {
            LoadAddresses direct =
                    SelfWarmUp.direct(
                            new LoadAddresses(
                                    transport,
                                    network.callee(),
                                    network.caller(),
                                    network.callee()));
            long start = System.nanoTime();
            LoadEngine engine =
                    new LoadEngine(
                            SelfWarmUp.plan(direct),
                            direct,
                            new Arrivals(
                                    RatePlan.constant(1000), false, 100, start, 60_000_000_000L, 1),
                            0,
                            network,
                            start);
            network.use(engine);
            Snapshot now = snapshot(network, engine);
            while (!now.ended() || now.held() > 0) {
                now = snapshot(network, engine);
            }
            assertThat(now.all().completed).isEqualTo(100);
            assertThat(now.all().failures()).isEmpty();
            assertThat(now.all().unexpected).isZero();
            assertThat(network.localErrors()).isZero();
        }
    }

    @Test
    void aServerThatNobodyListensAtIsATransportFailureOverTcp() throws BindFailure {
        int nobody;
        try (LoadNetwork other = new LoadNetwork(Transport.TCP, "127.0.0.1", 0, 0)) {
            nobody = other.callee().getPort();
        }
        try (LoadNetwork network = new LoadNetwork(Transport.TCP, "127.0.0.1", 0, 0)) {
            LoadAddresses places =
                    new LoadAddresses(
                            Transport.TCP,
                            new java.net.InetSocketAddress("127.0.0.1", nobody),
                            network.caller(),
                            network.callee());
            long start = System.nanoTime();
            LoadEngine engine =
                    new LoadEngine(
                            SelfWarmUp.plan(places),
                            places,
                            new Arrivals(
                                    RatePlan.constant(1000), false, 3, start, 60_000_000_000L, 1),
                            0,
                            network,
                            start);
            network.use(engine);
            Snapshot now = snapshot(network, engine);
            while (!now.ended() || now.held() > 0) {
                now = snapshot(network, engine);
            }
            assertThat(now.all().failures())
                    .containsOnly(java.util.Map.entry(FailureCauses.TRANSPORT, 3L));
        }
    }
}
