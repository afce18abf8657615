package io.carillon.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.proxy.ProxyPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Calls through two record-routing proxies, the second of which forks: what one of them does to a
 * request, a response or a CANCEL, the other has to understand.
 */
class ProxyChainSimulationTest {
    /** An edge proxy that sends everything on, and a core proxy that knows the callees. */
    private record Chain(ProxyNode edge, ProxyNode core) implements MiddleNode {
        static MiddleNode start(SimulatedNetwork network, String host, Targets targets) {
            SplittableRandom random = network.random().split();
            String behind = host.substring(0, host.lastIndexOf('.')) + ".77";
            ProxyNode core = proxy(network, random, behind, targets);
            return new Chain(
                    proxy(network, random, host, user -> List.of("sip:" + user + "@" + behind)),
                    core);
        }

        private static ProxyNode proxy(
                SimulatedNetwork network, SplittableRandom random, String host, Targets targets) {
            ProxyNode node = ProxyNode.start(network, host, 1 + random.nextInt(3), targets);
            if (random.nextBoolean()) {
                node.scattered();
            }
            return node.policy(
                    ProxyPolicy.builder()
                            .recordRoute(random.nextInt(4) != 0)
                            .parallel(random.nextBoolean())
                            .noCancel(random.nextInt(8) == 0)
                            .build());
        }

        @Override
        public String uri() {
            return edge.uri();
        }

        @Override
        public boolean leavesForksRinging() {
            return edge.leavesForksRinging() || core.leavesForksRinging();
        }

        @Override
        public String leftovers() {
            return edge.leftovers() + core.leftovers();
        }

        @Override
        public List<String> faults() {
            List<String> faults = new ArrayList<>(edge.faults());
            faults.addAll(core.faults());
            return faults;
        }
    }

    @Test
    void callsThroughTwoProxiesEndAndLeaveNothing() {
        Simulation.Summary summary = Simulation.through(Chain::start).runSeeds(400);
        System.out.println("chain: " + summary);
        assertThat(summary.answered()).isGreaterThan(summary.calls() / 4);
    }
}
