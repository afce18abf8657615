package io.carillon.server.cluster;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that decides for a member: work in the order in which it comes. What fails is
 * logged, and the next piece is done all the same. Any thread; ended once.
 */
final class ClusterThread {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterThread.class);

    private final CountDownLatch begun = new CountDownLatch(1);
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("cluster").factory());

    /** What is given to it from now on waits for {@link #begin}. */
    void holdBack() {
        thread.execute(this::awaitBegin);
    }

    void begin() {
        begun.countDown();
    }

    private void awaitBegin() {
        try {
            begun.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void execute(Runnable task) {
        try {
            thread.execute(() -> guarded(task));
        } catch (RejectedExecutionException closing) {
            LOG.trace("After the end", closing);
        }
    }

    void every(long millis, Runnable task) {
        var _ =
                thread.scheduleWithFixedDelay(
                        () -> guarded(task), millis, millis, TimeUnit.MILLISECONDS);
    }

    void after(long millis, Runnable task) {
        try {
            var _ = thread.schedule(() -> guarded(task), millis, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closing) {
            LOG.trace("After the end", closing);
        }
    }

    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("The cluster's own work failed", e);
        }
    }

    boolean ended() {
        return thread.isShutdown();
    }

    /** Does what was given to it, for so long at most, and ends. */
    void end(long seconds) {
        begun.countDown();
        thread.shutdown();
        try {
            if (!thread.awaitTermination(seconds, TimeUnit.SECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
