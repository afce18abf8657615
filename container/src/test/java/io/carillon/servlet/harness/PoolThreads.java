package io.carillon.servlet.harness;

import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Semaphore;

/**
 * Application threads without a bound, on which application code may hold a connection of a pool
 * for a time: it waits for one while virtual time goes on. One thread works at a time, and a run
 * depends on its seed only.
 */
public final class PoolThreads implements ApplicationThreads {
    private final VirtualTime time;
    private final Semaphore control = new Semaphore(0);
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int free;

    /**
     * @param connections of the pool
     */
    public PoolThreads(VirtualTime time, int connections) {
        this.time = time;
        this.free = connections;
    }

    @Override
    public void execute(Runnable task) {
        time.after(
                1_000L,
                () -> {
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    task.run();
                                } finally {
                                    control.release();
                                }
                            });
                    control.acquireUninterruptibly();
                });
    }

    /** Called by application code on one of these threads. */
    public void hold(Duration span) {
        Semaphore own = new Semaphore(0);
        Runnable begin =
                () ->
                        time.after(
                                span.toNanos(),
                                () -> {
                                    giveBack();
                                    own.release();
                                    control.acquireUninterruptibly();
                                });
        if (free > 0) {
            free--;
            begin.run();
        } else {
            waiting.add(begin);
        }
        control.release();
        own.acquireUninterruptibly();
    }

    private void giveBack() {
        Runnable next = waiting.poll();
        if (next == null) {
            free++;
        } else {
            next.run();
        }
    }
}
