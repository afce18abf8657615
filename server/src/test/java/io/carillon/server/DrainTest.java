package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.apps.ApplicationStatus;
import io.carillon.server.config.DrainSettings;
import io.carillon.server.measure.ServerStatus;
import io.carillon.servlet.feature.http.WebSide;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class DrainTest {
    private final FakeSip sip = new FakeSip();
    private final List<Duration> waited = new ArrayList<>();

    @Test
    void withoutCallsNothingIsEnded() throws Exception {
        drain(
                new DrainSettings(
                        Duration.ofSeconds(7), Duration.ofSeconds(5), DrainSettings.EndCalls.BYE));

        assertThat(sip.said).containsExactly("refuse");
    }

    @Test
    void callsThatAreLeftGetBye() throws Exception {
        sip.calls = 3;

        drain(new DrainSettings(Duration.ZERO, Duration.ofSeconds(5), DrainSettings.EndCalls.BYE));

        assertThat(sip.said).containsExactly("refuse", "end BYE");
        assertThat(waited).startsWith(Duration.ZERO, Duration.ofSeconds(5));
    }

    @Test
    void callsThatAreLeftStayWhenConfigured() throws Exception {
        sip.calls = 1;

        drain(
                new DrainSettings(
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(5),
                        DrainSettings.EndCalls.LEAVE));

        assertThat(sip.said).containsExactly("refuse", "end LEAVE");
        assertThat(waited).startsWith(Duration.ofMinutes(1));
    }

    @Test
    void callsMayEndByThemselves() throws Exception {
        sip.calls = 2;
        Drain drain =
                new Drain(
                        sip,
                        new DrainSettings(
                                Duration.ofMinutes(1),
                                Duration.ofSeconds(5),
                                DrainSettings.EndCalls.BYE),
                        (BooleanSupplier condition, Duration atMost) -> {
                            sip.calls = 0;
                            assertThat(condition.getAsBoolean()).isTrue();
                        });

        drain.run();

        assertThat(sip.said).containsExactly("refuse");
    }

    private void drain(DrainSettings settings) throws InterruptedException {
        new Drain(sip, settings, (condition, atMost) -> waited.add(atMost)).run();
    }

    private static final class FakeSip implements SipSide {
        @Override
        public List<ServerStatus.SlowHandler> slowHandlers() {
            return List.of();
        }

        @Override
        public ApplicationStatus deploy(Path archive) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ApplicationStatus replace(Path archive) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean undeploy(String name, boolean now) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<ApplicationStatus> versions() {
            return List.of();
        }

        final List<String> said = new ArrayList<>();
        long calls;

        @Override
        public void checkDeployed() {}

        @Override
        public void refuseNewCalls() {
            said.add("refuse");
        }

        @Override
        public long callsHeld() {
            return calls;
        }

        @Override
        public void endCalls(DrainSettings.EndCalls policy, Runnable done) {
            said.add("end " + policy);
            done.run();
        }

        @Override
        public List<String> listening() {
            return List.of();
        }

        @Override
        public List<InetSocketAddress> udpAddresses() {
            return List.of();
        }

        @Override
        public void web(WebSide side) {}

        @Override
        public List<String> deploy(List<Path> archives) {
            return List.of();
        }

        @Override
        public List<String> applications() {
            return List.of();
        }

        @Override
        public long openTransactions() {
            return 0;
        }

        @Override
        public void receive() {
            said.add("receive");
        }

        @Override
        public long callsStarted() {
            return 0;
        }

        @Override
        public Figures figures() {
            throw new UnsupportedOperationException("a drain asks for no figures");
        }

        @Override
        public Map<String, Long> counters() {
            return Map.of();
        }

        @Override
        public void close() {}
    }
}
