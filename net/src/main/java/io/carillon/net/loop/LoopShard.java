package io.carillon.net.loop;

import io.carillon.sip.event.ShardExecutor;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.shard.Shard;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread with a queue and, in a node, the shard that it owns. Owner of everything but {@link
 * #execute}, {@link #later} and {@link #close}: its thread.
 */
final class LoopShard implements ShardExecutor, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LoopShard.class);
    private static final long TICK_MILLIS = 10;

    private final ScheduledThreadPoolExecutor queue;
    private volatile @Nullable Thread thread;
    private volatile @Nullable Shard shard;
    private boolean ticking;

    LoopShard(String name) {
        DefaultThreadFactory threads = new DefaultThreadFactory(name, true);
        queue =
                new ScheduledThreadPoolExecutor(
                        1,
                        task -> {
                            Thread made = threads.newThread(task);
                            thread = made;
                            return made;
                        });
        queue.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    void own(Shard made) {
        shard = made;
    }

    @Nullable Shard shard() {
        return shard;
    }

    @Override
    public boolean inShard() {
        return Thread.currentThread() == thread;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void execute(Runnable task) {
        later(task, 0);
    }

    @Override
    public void executeIn(long nanos, Runnable task) {
        later(task, nanos);
    }

    /**
     * Runs a task after a time; tasks of equal time keep their order. After the end it is dropped.
     */
    void later(Runnable task, long nanos) {
        try {
            var _ = queue.schedule(() -> run(task), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("a task came after the end of the network", closed);
        }
    }

    private void run(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.error("a task in the network in memory failed", e);
        }
        Shard own = shard;
        if (own != null && !ticking && own.timers().size() > 0) {
            ticking = true;
            later(this::tick, TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
        }
    }

    private void tick() {
        ticking = false;
        Shard own = shard;
        if (own != null) {
            own.advance(System.nanoTime());
        }
    }

    void receive(byte[] message, Hop from) {
        Shard own = shard;
        if (own == null) {
            return;
        }
        if (from.transport().reliable()) {
            own.receiveFramed(message, message.length, from, System.nanoTime());
        } else {
            own.receive(message, message.length, from, System.nanoTime());
        }
    }

    @Override
    public void close() {
        queue.shutdownNow();
    }
}
