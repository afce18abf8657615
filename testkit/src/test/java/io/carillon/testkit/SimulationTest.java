package io.carillon.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.proxy.ProxyPolicy;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Calls between user agents, directly and through a forking proxy, under many seeds. */
class SimulationTest {
    private static MiddleNode proxy(
            SimulatedNetwork network, String host, MiddleNode.Targets targets) {
        SplittableRandom random = network.random().split();
        ProxyNode proxy = ProxyNode.start(network, host, 1 + random.nextInt(4), targets);
        if (random.nextBoolean()) {
            proxy.scattered();
        }
        return proxy.policy(
                ProxyPolicy.builder()
                        .recordRoute(random.nextInt(4) != 0)
                        .parallel(random.nextBoolean())
                        .timeoutNanos(random.nextInt(4) == 0 ? 5_000_000_000L : 0)
                        .build());
    }

    @Test
    void callsBetweenUserAgentsEndAndLeaveNothing() {
        Simulation.Summary summary = Simulation.direct().runSeeds(1_000);
        System.out.println("direct: " + summary);
        assertThat(summary.answered()).isGreaterThan(summary.calls() / 4);
    }

    @Test
    void callsThroughAForkingProxyEndAndLeaveNothing() {
        Simulation.Summary summary = Simulation.through(SimulationTest::proxy).runSeeds(2_000);
        System.out.println("proxy: " + summary);
        assertThat(summary.answered()).isGreaterThan(summary.calls() / 4);
    }

    @Test
    void theSameSeedIsTheSameRun() {
        Simulation simulation = Simulation.through(SimulationTest::proxy);
        for (long seed = 1; seed <= 20; seed++) {
            SimulationRun one = simulation.run(seed);
            SimulationRun two = simulation.run(seed);
            assertThat(two.story()).isEqualTo(one.story());
            assertThat(two.network().sent()).isEqualTo(one.network().sent());
        }
    }
}
