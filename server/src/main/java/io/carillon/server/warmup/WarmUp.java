package io.carillon.server.warmup;

import io.carillon.net.Network;
import io.carillon.net.NetworkConfig;
import io.carillon.net.listen.ListeningPoint;
import io.carillon.net.udp.UdpConfig;
import io.carillon.servlet.SipContainer;
import io.carillon.servlet.app.Application;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.LoopUse;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.stack.Stack;
import io.carillon.sip.token.RandomSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls through a network, shards and a container of their own, before the server's own exist: the
 * JVM loads and compiles what a call needs, and then all of it is thrown away. The classes are the
 * real ones down to the socket (a loopback port that the system chooses), as the compiler would
 * trust that no others exist and have to throw its work away with the first real call.
 *
 * <p>Leaves nothing behind but a warm JVM: no session, counter, thread, port or file. Any thread.
 */
public final class WarmUp {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    /** What the calls gain after that many is too little to wait for. */
    private static final int CALLS = 3000;

    /**
     * Applications that may block run on other threads: a smaller part, as most code is the same.
     */
    private static final int BLOCKING_CALLS = 500;

    /** Of the same application: their code is warm, but for what takes them over. */
    private static final int TAKEN_OVER = 1000;

    /** The system's usual limit: nobody wants to read a warning about this socket. */
    private static final int BUFFER_BYTES = 128 * 1024;

    private static final double NANOS_PER_SECOND = 1e9;

    private WarmUp() {}

    /**
     * Makes the calls. A warm-up that cannot be made is logged, and the server starts cold.
     *
     * @param limit longest time for it; zero: none is made
     * @return how many calls ended
     */
    public static int run(Duration limit) {
        return limit.isZero() ? 0 : run(limit, BLOCKING_CALLS, CALLS);
    }

    /**
     * As {@link #run(Duration)}, and as a node of a cluster takes calls over ({@link
     * WarmUpTakeOver}): half of the limit at most, more than that.
     *
     * @return how many calls ended
     */
    public static int runOfNode(Duration limit) {
        return run(limit) + (limit.isZero() ? 0 : takeOver(limit.dividedBy(2), TAKEN_OVER));
    }

    static int takeOver(Duration limit, int calls) {
        long begin = System.nanoTime();
        try {
            int taken = WarmUpTakeOver.run(calls, begin + limit.toNanos());
            LOG.info("Warmed up by {} calls that were taken over in {} s", taken, since(begin));
            return taken;
        } catch (DeploymentException | IOException | RuntimeException e) {
            LOG.warn(
                    "The first calls of other nodes are taken over slowly, as the warm-up of that failed: {}",
                    e.toString());
            return 0;
        }
    }

    private static String since(long begin) {
        return String.format(Locale.ROOT, "%.1f", (System.nanoTime() - begin) / NANOS_PER_SECOND);
    }

    static int run(Duration limit, int blockingCalls, int nonBlockingCalls) {
        long begin = System.nanoTime();
        long deadline = begin + limit.toNanos();
        try {
            int calls =
                    calls(ExecutionMode.ADAPTIVE, blockingCalls, deadline)
                            + calls(ExecutionMode.NON_BLOCKING, nonBlockingCalls, deadline);
            LOG.info("Warmed up by {} calls in {} s", calls, since(begin));
            return calls;
        } catch (DeploymentException | IOException | RuntimeException e) {
            LOG.warn("The server starts cold, its warm-up failed: {}", e.toString());
            return 0;
        }
    }

    private static int calls(ExecutionMode mode, int calls, long deadlineNanos)
            throws DeploymentException, IOException {
        Path work = Files.createTempDirectory("carillon-warm-up");
        try (ApplicationThreads threads = ApplicationThreads.virtual()) {
            SipContainer container =
                    new SipContainer(
                            ContainerConfig.defaults().withWorkFolder(work),
                            threads,
                            SessionStores.inMemory());
            try (Network network = bind(container, StackConfig.DEFAULT)) {
                container.start(network.shards());
                try {
                    Application deployed = container.deploy(application(mode));
                    // Code that has just begun is slow: it would warm up what a well-behaved
                    // application does not use.
                    deployed.parts().put(LoopUse.SLOT, LoopUse.ofServer(deployed.name()));
                    network.receive();
                    return calls(network.port(Transport.UDP), calls, deadlineNanos);
                } finally {
                    container.close();
                }
            }
        } finally {
            Files.delete(work); // an application described in code leaves nothing in it
        }
    }

    private static int calls(int port, int calls, long deadlineNanos) throws IOException {
        try (WarmUpCalls peer = new WarmUpCalls(new InetSocketAddress("127.0.0.1", port))) {
            return peer.run(calls, deadlineNanos);
        }
    }

    static Network bind(SipContainer container, StackConfig stack) throws IOException {
        NetworkConfig standard =
                NetworkConfig.of(List.of(new ListeningPoint(Transport.UDP, "127.0.0.1", 0)));
        UdpConfig udp =
                new UdpConfig(
                        BUFFER_BYTES,
                        BUFFER_BYTES,
                        standard.udp().batch(),
                        standard.udp().maxUnsentBytes(),
                        standard.udp().socketByCall());
        return Network.bind(
                standard.withShards(1).withUdp(udp),
                (index, executor, wire, startNanos) ->
                        Stack.shard(
                                index,
                                stack,
                                executor,
                                wire,
                                container,
                                RandomSource.secure(),
                                startNanos));
    }

    static ApplicationDescription application(ExecutionMode mode) {
        return ApplicationDescription.builder("warm-up")
                .servlet("warm-up", WarmUpServlet::new)
                .execution(mode)
                .sessionTimeoutMinutes(1)
                .build();
    }
}
