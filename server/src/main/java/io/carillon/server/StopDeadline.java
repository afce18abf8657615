package io.carillon.server;

import io.carillon.server.config.Configuration;
import io.carillon.server.config.DrainSettings;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process when stopping takes longer than all of its limits together: whatever hangs then
 * is nothing that has a limit of its own. A daemon thread of the stopping process.
 */
final class StopDeadline {
    private static final Logger LOG = LoggerFactory.getLogger(StopDeadline.class);

    /** For what has a fixed limit or none: connections, pools, the database, files. */
    private static final Duration THE_REST = Duration.ofSeconds(45);

    private StopDeadline() {}

    /** Begins to count. */
    static void arm(Configuration configuration) {
        Duration limit = limit(configuration);
        Thread stopping = Thread.currentThread();
        Thread.ofPlatform()
                .daemon()
                .name("stop-limit")
                .start(() -> {
                    try {
                        TimeUnit.NANOSECONDS.sleep(limit.toNanos());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return;
                    }
                    StackTraceElement[] stack = stopping.getStackTrace();
                    LOG.error(
                            "Not stopped within {} s; ended in {}",
                            limit.toSeconds(),
                            stack.length == 0 ? "nothing" : stack[0]);
                    LogLevels.flush();
                    Runtime.getRuntime().halt(1);
                });
    }

    /**
     * The drain's limits, twice what all applications have to end, and the rest. In a cluster calls
     * are handed over first, and are drained all the same where nobody takes them.
     */
    static Duration limit(Configuration configuration) {
        DrainSettings drain = configuration.drain();
        Duration leave = configuration.cluster().configured() ? Server.HAND_OVER : Duration.ZERO;
        return leave.plus(drain.calls())
                .plus(drain.transactions().multipliedBy(2))
                .plus(configuration.deploy().destroyWithin().multipliedBy(2))
                .plus(THE_REST);
    }
}
