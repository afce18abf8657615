package io.carillon.fuzz.server;

import io.carillon.fuzz.check.Finding;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.security.UserStore;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.Shard;
import io.carillon.sip.token.RandomSource;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.SimulatedNode;
import io.carillon.testkit.VirtualTime;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import javax.servlet.sip.SipServlet;

/**
 * A whole server in memory under virtual time, with one application. One thread; handlers that wait
 * have threads of their own, of which one runs at a time.
 */
public final class MemoryServer implements AutoCloseable {
    /** Where it is. */
    public static final InetSocketAddress ADDRESS = SimulatedNetwork.address("10.0.0.1", 5060);

    private static final long EPOCH_MILLIS = 1_700_000_000_000L;
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final VirtualTime time = new VirtualTime();
    private final SimulatedNetwork network = new SimulatedNetwork(time, 1);
    private final WaitingThreads threads;
    private final SipContainer container;
    private final SimulatedNode node;
    private final Application application;

    /** One servlet that never blocks. */
    public MemoryServer(String name, String servlet, Supplier<SipServlet> servlets) {
        this(
                ApplicationDescription.builder(name)
                        .servlet(servlet, servlets)
                        .execution(ExecutionMode.NON_BLOCKING)
                        .sessionTimeoutMinutes(1)
                        .build(),
                StackConfig.DEFAULT,
                UserStore.EMPTY);
    }

    /** That application, with a stack of that configuration and these users. */
    public MemoryServer(ApplicationDescription description, StackConfig stack, UserStore users) {
        ContainerConfig config =
                ContainerConfig.defaults()
                        .withMillis(() -> EPOCH_MILLIS + time.nanoTime() / NANOS_PER_MILLI)
                        .withRandom(RandomSource.seeded(1))
                        .withListeningPoints(List.of("sip:10.0.0.1:5060"));
        threads = new WaitingThreads(time);
        container = new SipContainer(config, threads, SessionStores.inMemory());
        node = SimulatedNode.start(network, "server", "10.0.0.1", 5060, 1, stack, container);
        container.start(node.shards());
        container.security().users().store(users);
        try {
            application = container.deploy(description);
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
    }

    public SimulatedNetwork network() {
        return network;
    }

    /** Whether handlers that begin from now on may wait; at first they may. */
    public void mayPause(boolean value) {
        threads.mayWait(value);
    }

    /** Lets the handler that calls it wait so long, in virtual time. */
    public void pause(Duration span) {
        threads.pause(span);
    }

    /** What is there of calls. */
    public Held held() {
        int transactions = 0;
        int timers = 0;
        long bytes = 0;
        for (Shard shard : node.shards()) {
            transactions += shard.transactionCount();
            timers += shard.timers().size();
            bytes += shard.heldBytes();
        }
        return new Held(
                container.sessions().size(),
                container.sessions().dialogs(),
                transactions,
                timers,
                bytes);
    }

    /**
     * What a server holds of its calls.
     *
     * @param sessions of applications
     * @param bytes of messages that wait
     */
    public record Held(int sessions, int dialogs, int transactions, int timers, long bytes) {
        static final Held NOTHING = new Held(0, 0, 0, 0, 0);

        /** Whether it is no more than that in anything. */
        public boolean within(Held most) {
            return sessions <= most.sessions
                    && dialogs <= most.dialogs
                    && transactions <= most.transactions
                    && timers <= most.timers
                    && bytes <= most.bytes;
        }
    }

    /** The application session with that key; made when there is none. */
    public ApplicationSession session(String key) {
        return container.newSessions().keyed(application, key);
    }

    /** Lets so much time pass, and everything happen that happens in it. */
    public void run(Duration span) {
        time.runFor(span);
    }

    /** Fails where the container or the application failed. */
    public void assertNothingFailed() {
        Throwable failure = container.errors().lastOfContainer();
        if (failure != null) {
            throw new IllegalStateException("the container failed", failure);
        }
        if (container.errors().ofApplications() > 0) {
            throw new Finding("the application: " + container.errors().lastOfApplications());
        }
        for (Shard shard : node.shards()) {
            if (shard.counters().get(Counter.USER_ERRORS) > 0) {
                throw new Finding("the shard counted an error");
            }
        }
    }

    /** Fails where the container or the application failed, or anything of a call is left. */
    public void assertNothingLeft() {
        assertNothingFailed();
        if (container.sessions().size() > 0 || container.sessions().dialogs() > 0) {
            throw new Finding(
                    "left: "
                            + container.sessions().all()
                            + " and "
                            + container.sessions().dialogs()
                            + " dialogs");
        }
        String stack = node.leftovers();
        if (!stack.isEmpty()) {
            throw new Finding("left: " + stack);
        }
        if (!held().equals(Held.NOTHING)) {
            throw new Finding("left: " + held());
        }
    }

    /** Ends the application: what the process knows of it by its class loader goes. */
    @Override
    public void close() {
        container.close();
    }
}
