package io.carillon.protection.http;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;

/**
 * Looks at something once a second from start to stop, on Jetty's scheduler. A look that fails is
 * logged, and the next one comes all the same. Started and stopped by any thread.
 */
public final class EverySecond {
    private static final long EVERY_MILLIS = 1_000;

    private final Logger log;
    private final String failure;
    private final Runnable look;

    // Guarded by this.
    private Scheduler.Task next = () -> true;

    /** Looks go on as long as this is what it was when they began. Guarded by this. */
    private int changes;

    /**
     * @param failure what is logged where a look fails
     */
    public EverySecond(Logger log, String failure, Runnable look) {
        this.log = log;
        this.failure = failure;
        this.look = look;
    }

    public synchronized void start(Scheduler scheduler) {
        stop();
        schedule(scheduler, changes);
    }

    public synchronized void stop() {
        changes++;
        next.cancel();
    }

    private void schedule(Scheduler scheduler, int begun) {
        next = scheduler.schedule(() -> run(scheduler, begun), EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void run(Scheduler scheduler, int begun) {
        try {
            look.run();
        } catch (RuntimeException e) { // the scheduler would keep it to itself
            log.error(failure, e);
        } finally {
            goOn(scheduler, begun);
        }
    }

    private synchronized void goOn(Scheduler scheduler, int begun) {
        if (changes == begun) {
            schedule(scheduler, begun);
        }
    }
}
