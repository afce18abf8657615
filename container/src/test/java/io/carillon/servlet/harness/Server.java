package io.carillon.servlet.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.SessionStore;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.token.RandomSource;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.SimulatedNode;
import io.carillon.testkit.VirtualTime;
import java.time.Duration;
import java.util.EventListener;
import java.util.List;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletMessage;

/** A container on a simulated node, with one application. */
public final class Server {
    public final VirtualTime time;
    public final SimulatedNetwork network;
    public final SimulatedNode node;
    public final SipContainer container;

    public Server(
            SimulatedNetwork network, String host, int shards, long seed, SessionStore store) {
        this(network, host, shards, seed, store, StackConfig.DEFAULT, ContainerConfig.defaults());
    }

    public Server(
            SimulatedNetwork network,
            String host,
            int shards,
            long seed,
            SessionStore store,
            StackConfig stack,
            ContainerConfig limits) {
        this(network, host, shards, seed, store, stack, limits, new VirtualThreads(network));
    }

    public Server(
            SimulatedNetwork network,
            String host,
            int shards,
            long seed,
            SessionStore store,
            StackConfig stack,
            ContainerConfig limits,
            ApplicationThreads threads) {
        this.network = network;
        this.time = network.time();
        ContainerConfig config =
                limits.withMillis(() -> 1_700_000_000_000L + time.nanoTime() / 1_000_000L)
                        .withRandom(RandomSource.seeded(seed))
                        .withListeningPoints(
                                limits.listeningPoints().isEmpty()
                                        ? List.of("sip:" + host + ":5060")
                                        : limits.listeningPoints());
        container = new SipContainer(config, threads, store);
        node = SimulatedNode.start(network, "server", host, 5060, shards, stack, container);
        container.start(node.shards());
    }

    private Server(SimulatedNetwork network, int port) {
        this.network = network;
        this.time = network.time();
        ContainerConfig config =
                ContainerConfig.defaults()
                        .withMillis(() -> 1_700_000_000_000L + time.nanoTime() / 1_000_000L)
                        .withRandom(RandomSource.seeded(1))
                        .withListeningPoints(List.of("sip:10.0.0.1:" + port));
        container = new SipContainer(config, new VirtualThreads(network), new RoundTripStore());
        node =
                SimulatedNode.start(
                        network, "server", "10.0.0.1", port, 1, StackConfig.DEFAULT, container);
        container.start(node.shards());
    }

    /** One that listens at another port of 10.0.0.1 than 5060. */
    public static Server at(int port) {
        return new Server(new SimulatedNetwork(new VirtualTime(), 1), port);
    }

    public static Server fresh(long seed) {
        return new Server(
                new SimulatedNetwork(new VirtualTime(), seed),
                "10.0.0.1",
                1,
                seed,
                new RoundTripStore());
    }

    public Server deploy(SipServlet servlet, ExecutionMode mode, EventListener... listeners) {
        ApplicationDescription.Builder builder =
                ApplicationDescription.builder("test")
                        .servlet("main", () -> servlet)
                        .execution(mode);
        for (EventListener listener : listeners) {
            builder.listener(listener);
        }
        try {
            container.deploy(builder.build());
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
        return this;
    }

    public RawPeer peer(String host) {
        return new RawPeer(network, host, 5060);
    }

    public void run(Duration span) {
        time.runFor(span);
    }

    /** Nothing failed inside, and nothing of any call is left. */
    public void assertEmpty() {
        assertClean();
        assertThat(container.callsHeld()).as("application sessions: %s", held()).isZero();
        assertThat(container.sessions().dialogs()).as("dialogs").isZero();
        assertThat(container.status().confirmed()).as("confirmed").isZero();
        assertThat(container.status().early()).as("early").isZero();
        assertThat(container.status().terminated()).as("terminated").isZero();
    }

    private String held() {
        StringBuilder text = new StringBuilder();
        for (ApplicationSession session : container.sessions().all()) {
            text.append(node)
                    .append(' ')
                    .append(session)
                    .append(" timers ")
                    .append(session.getTimers().size());
            for (ServletSession child : session.sessions()) {
                text.append("\n  ")
                        .append(child)
                        .append(' ')
                        .append(child.dialog().role())
                        .append(' ')
                        .append(child.getCallId());
                for (SipServletMessage open : child.open()) {
                    text.append("\n    open ")
                            .append(open.getMethod())
                            .append(' ')
                            .append(open.isCommitted());
                }
            }
        }
        return text.toString();
    }

    /** Nothing failed inside. */
    public void assertClean() {
        Throwable failure = container.errors().lastOfContainer();
        if (failure != null) {
            throw new AssertionError("the container failed", failure);
        }
        assertThat(container.errors().ofApplications())
                .as("errors of applications; %s", container.errors().lastOfApplications())
                .isZero();
    }
}
