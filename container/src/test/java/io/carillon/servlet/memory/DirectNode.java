package io.carillon.servlet.memory;

import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.harness.VirtualThreads;
import io.carillon.servlet.kernel.SessionStore;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.hop.LookupBudget;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.RandomSource;
import io.carillon.sip.uri.SipUri;
import io.carillon.sip.uri.Uri;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import javax.servlet.sip.SipServlet;
import org.jspecify.annotations.Nullable;

/**
 * A container on one shard whose wire keeps references and does nothing else, so that what a
 * message allocates and what a call holds is the server's own. Time stands still unless the test
 * moves it. Owner: the test's thread.
 */
final class DirectNode {
    static final String HOST = "10.0.0.1:5060";
    private static final InetSocketAddress SELF = SimulatedNetwork.address("10.0.0.1", 5060);
    private static final InetSocketAddress PEER = SimulatedNetwork.address("10.0.0.2", 5060);
    private static final Hop FROM_PEER = new Hop(Transport.UDP, SELF, PEER, 0);
    private static final List<Hop> TO_PEER = List.of(Hop.to(Transport.UDP, PEER));

    final SipContainer container;
    final Shard shard;

    /** What left, oldest first. */
    final ArrayDeque<SipMessage> sent = new ArrayDeque<>(64);

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>(64);
    private long nanos = 1_000_000_000L;
    private boolean inside;

    DirectNode(SipServlet servlet) {
        this(servlet, as -> {});
    }

    /**
     * @param more of the application's description
     */
    DirectNode(SipServlet servlet, Consumer<ApplicationDescription.Builder> more) {
        this(servlet, more, new SessionStore() {});
    }

    /**
     * @param store where the state of calls goes
     */
    DirectNode(
            SipServlet servlet, Consumer<ApplicationDescription.Builder> more, SessionStore store) {
        ContainerConfig config =
                ContainerConfig.defaults()
                        .withMillis(() -> 1_700_000_000_000L + nanos / 1_000_000L)
                        .withRandom(RandomSource.seeded(7))
                        .withListeningPoints(List.of("sip:" + HOST));
        container =
                new SipContainer(
                        config,
                        new VirtualThreads(new SimulatedNetwork(new VirtualTime(), 7)),
                        store);
        shard =
                Stack.shard(
                        0,
                        StackConfig.DEFAULT,
                        new Tasks(),
                        new Last(),
                        container,
                        RandomSource.seeded(8),
                        nanos);
        container.start(List.of(shard));
        ApplicationDescription.Builder application =
                ApplicationDescription.builder("test")
                        .servlet("main", () -> servlet)
                        .execution(ExecutionMode.NON_BLOCKING);
        more.accept(application);
        try {
            container.deploy(application.build());
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A datagram of the peer's. */
    void receive(byte[] datagram) {
        inside = true;
        try {
            shard.receive(datagram, datagram.length, FROM_PEER, nanos);
            for (Runnable task; (task = tasks.poll()) != null; ) {
                task.run();
            }
        } finally {
            inside = false;
        }
    }

    void receive(String text) {
        receive(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Runs when the message at work is done. */
    void later(Runnable task) {
        tasks.add(task);
    }

    /** Lets time pass. */
    void pass(long moreNanos) {
        nanos += moreNanos;
        inside = true;
        try {
            shard.advance(nanos);
            for (Runnable task; (task = tasks.poll()) != null; ) {
                task.run();
            }
        } finally {
            inside = false;
        }
    }

    private final class Tasks implements ShardExecutor {
        @Override
        public boolean inShard() {
            return inside;
        }

        @Override
        public long nanoTime() {
            return nanos;
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }
    }

    private final class Last implements Wire {
        private final HostPort self = new HostPort("10.0.0.1", 5060);

        @Override
        public void send(Hop to, SipMessage message, @Nullable SendFailure onFailure) {
            sent.add(message);
        }

        @Override
        public HostPort sentBy(
                Transport transport, @Nullable InetSocketAddress local, InetSocketAddress remote) {
            return self;
        }

        @Override
        public void resolve(
                Uri target,
                @Nullable Transport preferred,
                LookupBudget budget,
                Consumer<List<Hop>> result) {
            result.accept(target instanceof SipUri ? TO_PEER : List.of());
        }

        @Override
        public boolean isLocal(String host, int port) {
            return host.equals("10.0.0.1") && (port < 0 || port == 5060);
        }

        @Override
        public boolean sends(Transport transport) {
            return transport == Transport.UDP || transport == Transport.TCP;
        }
    }
}
