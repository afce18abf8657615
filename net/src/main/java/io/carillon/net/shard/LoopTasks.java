package io.carillon.net.shard;

import java.util.function.Consumer;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;

/**
 * What other threads, or the loop itself, gave a loop to do. Any thread gives; the loop's thread
 * does it, in rounds, so that sockets get their turn.
 */
final class LoopTasks {
    /** Tasks run before sockets get their turn again. */
    private static final int MOST = 512;

    /** So long tasks run before sockets get their turn again, and those begun until then. */
    private static final long MOST_NANOS = 2_000_000;

    /** The clock is read once in so many tasks. */
    private static final int TASKS_PER_LOOK = 4;

    private final MpscUnboundedAtomicArrayQueue<Runnable> waiting =
            new MpscUnboundedAtomicArrayQueue<>(1024);

    private final Consumer<Throwable> failed;

    /**
     * @param failed is told what a task threw
     */
    LoopTasks(Consumer<Throwable> failed) {
        this.failed = failed;
    }

    void add(Runnable task) {
        waiting.offer(task);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** About, while others give. */
    int size() {
        return waiting.size();
    }

    /** One consumer at a time: when the loop's thread is none any more. */
    void clear() {
        waiting.clear();
    }

    /**
     * One round.
     *
     * @return is there an end to it, or do more tasks wait?
     */
    boolean run() {
        Runnable task = null;
        int done = 0;
        long began = 0;
        while (done < MOST && (task = waiting.poll()) != null) {
            done++;
            try {
                task.run();
            } catch (Throwable t) {
                failed.accept(t);
            }
            if (done % TASKS_PER_LOOK == 0) {
                long now = System.nanoTime();
                began = done == TASKS_PER_LOOK ? now : began;
                if (now - began > MOST_NANOS) {
                    break;
                }
            }
        }
        return task == null;
    }
}
