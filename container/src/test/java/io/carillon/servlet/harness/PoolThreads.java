package io.carillon.servlet.harness;

import io.carillon.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Semaphore;

/**
 * Application threads without a bound, on which application code may hold a connection of a pool
 * for a time: it waits for one while virtual time goes on.
 */
public final class PoolThreads extends OneAtATime {
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int free;

    /**
     * @param connections of the pool
     */
    public PoolThreads(VirtualTime time, int connections) {
        super(time);
        this.free = connections;
    }

    /** Called by application code on one of these threads. */
    public void hold(Duration span) {
        Semaphore own = new Semaphore(0);
        Runnable begin =
                () ->
                        time().after(
                                        span.toNanos(),
                                        () -> {
                                            giveBack();
                                            goOn(own);
                                        });
        if (free > 0) {
            free--;
            begin.run();
        } else {
            waiting.add(begin);
        }
        stop(own);
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
