package io.carillon.server.warmup;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.sip.core.StackConfig;
import java.io.IOException;
import java.time.Duration;
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

    /** Of a router: it looks at each message for a few microseconds. */
    private static final int ROUTED = 2_000;

    private static final int ROUTED_BY_TCP = 10_000;

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
     * WarmUpTakeOver}) and is called through a router: half of the limit at most for each of the
     * two, more than that.
     *
     * @return how many calls ended
     */
    public static int runOfNode(Duration limit) {
        return run(limit)
                + (limit.isZero() ? 0 : takeOver(limit.dividedBy(2), TAKEN_OVER))
                + runOfRouter(limit);
    }

    /**
     * Calls and requests through a router of its own to a node of its own ({@link WarmUpRouter}):
     * half of the limit at most.
     *
     * @return how many calls ended, and how many requests by TCP were answered
     */
    public static int runOfRouter(Duration limit) {
        return limit.isZero() ? 0 : throughRouter(limit.dividedBy(2), ROUTED, ROUTED_BY_TCP);
    }

    static int throughRouter(Duration limit, int calls, int requests) {
        long begin = System.nanoTime();
        try {
            int routed = WarmUpRouter.run(calls, requests, begin + limit.toNanos());
            LOG.info(
                    "Warmed up by {} calls and requests through a router in {} s",
                    routed,
                    since(begin));
            return routed;
        } catch (DeploymentException | IOException | RuntimeException e) {
            LOG.warn("Router and link start cold, their warm-up failed: {}", e.toString());
            return 0;
        }
    }

    static int takeOver(Duration limit, int calls) {
        long begin = System.nanoTime();
        try {
            int taken = WarmUpTakeOver.run(calls, begin + limit.toNanos());
            LOG.info("Warmed up by {} calls that were taken over in {} s", taken, since(begin));
            return taken;
        } catch (DeploymentException | IOException | RuntimeException e) {
            LOG.warn(
                    "The first calls of other nodes are taken over slowly, as the warm-up of that"
                            + " failed: {}",
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
        return WarmUpServer.run(
                SessionStores.inMemory(),
                StackConfig.DEFAULT,
                mode,
                container -> peer -> peer.run(calls, deadlineNanos));
    }
}
