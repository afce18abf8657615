package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.harness.SimPhone;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.token.ClusterKeys;
import io.carillon.sip.token.ClusterPlace;
import io.carillon.sip.token.OwnTokens;
import io.carillon.sip.token.Ownership;
import io.carillon.testkit.LinkConditions;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;

/**
 * Calls between three clusters, each with tokens of its own, over a network that loses, doubles and
 * swaps messages: whatever comes to a cluster finds the partition of its call there.
 *
 * <p>{@code -Dcarillon.seeds=10000} runs more of them.
 */
class ClusterSimulationTest {
    private static final String TARGET = "sip:b@10.0.0.3";

    /** By receiver and Call-ID. */
    private final Map<String, Integer> partitions = new HashMap<>();

    private final Map<InetSocketAddress, OwnTokens> clusters = new HashMap<>();
    private int looked;

    private Server node(SimulatedNetwork network, String host, SplittableRandom random) {
        int loops = 1 + random.nextInt(3);
        ClusterKeys keys = ClusterKeys.of(random.nextLong(), random.nextLong());
        StackConfig stack =
                StackConfig.builder()
                        .cluster(new ClusterPlace(1, keys, Ownership.ALONE, loops, () -> 0))
                        .build();
        clusters.put(SimulatedNetwork.address(host, 5060), stack.tokens());
        return new Server(
                network,
                host,
                loops,
                random.nextLong(),
                SessionStores.inMemory(),
                stack,
                ContainerConfig.defaults());
    }

    private void look(byte[] bytes, InetSocketAddress from, InetSocketAddress to) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int at = text.indexOf("Call-ID: ") + "Call-ID: ".length();
        String callId = text.substring(at, text.indexOf('\r', at));
        same(to, callId, clusters.get(to).partitionOf(bytes, bytes.length), text);
        if (!text.startsWith("SIP/2.0")) {
            int branch = text.indexOf("branch=") + "branch=".length();
            String own = text.substring(branch).split("[;\r]", 2)[0];
            same(from, callId, clusters.get(from).partitionIn(own), text);
        }
    }

    private void same(InetSocketAddress cluster, String callId, int partition, String text) {
        looked++;
        Integer before = partitions.putIfAbsent(cluster + " " + callId, partition);
        assertThat(partition).as(text).isEqualTo(before == null ? partition : before);
        assertThat(partition).as(text).isNotNegative();
    }

    private void run(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SimulatedNetwork network = new SimulatedNetwork(new VirtualTime(), random.nextLong());
        network.conditions(LinkConditions.WORST.withLoss(random.nextDouble(0.2)));
        network.tap((atNanos, fate, transport, from, to, bytes) -> look(bytes, from, to));
        SipServlet between = random.nextBoolean() ? new Bridge(TARGET) : new Forwarder();
        ExecutionMode[] modes = ExecutionMode.values();
        Server middle = node(network, "10.0.0.1", random);
        middle.deploy(between, modes[random.nextInt(modes.length)]);
        SimPhone callee = new SimPhone(random.split());
        Server there = node(network, "10.0.0.3", random);
        there.deploy(callee, modes[random.nextInt(modes.length)], callee);
        SimPhone caller = new SimPhone(random.split());
        Server here = node(network, "10.0.0.2", random);
        here.deploy(caller, modes[random.nextInt(modes.length)], caller);
        for (int i = 0; i < 4; i++) {
            int number = i;
            network.time()
                    .after(
                            Duration.ofMillis(random.nextInt(3_000)),
                            () -> caller.dial(number, "sip:b@10.0.0.1"));
        }
        network.time().runFor(Duration.ofSeconds(600));
        for (Server server : new Server[] {here, middle, there}) {
            server.assertEmpty();
            assertThat(server.node.leftovers()).isEmpty();
        }
    }

    /** What comes late in a call that has ended here is none that it begins. */
    private static final class Forwarder extends SipServlet {
        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (request.isInitial() && request.getTo().getParameter("tag") != null) {
                request.createResponse(481).send();
            } else if (request.isInitial()) {
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                Proxy proxy = request.getProxy();
                proxy.setRecordRoute(true);
                proxy.proxyTo(factory.createURI(TARGET));
            }
        }
    }

    @Test
    void allMessagesOfACallFindItsPartition() {
        long seeds = Long.getLong("carillon.seeds", 100);
        for (long seed = 1; seed <= seeds; seed++) {
            try {
                partitions.clear();
                run(seed);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
        assertThat(looked).as("messages").isGreaterThan((int) seeds * 100);
    }
}
