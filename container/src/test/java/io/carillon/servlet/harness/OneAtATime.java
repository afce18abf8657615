package io.carillon.servlet.harness;

import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.testkit.VirtualTime;
import java.util.concurrent.Semaphore;

/**
 * Application threads whose tasks may stop while virtual time goes on: each runs on a thread of its
 * own, and the test's thread waits until that one has ended or has stopped. So one thread works at
 * a time, and a run depends on its seed only.
 */
abstract class OneAtATime implements ApplicationThreads {
    private final VirtualTime time;
    private final Semaphore control = new Semaphore(0);

    OneAtATime(VirtualTime time) {
        this.time = time;
    }

    VirtualTime time() {
        return time;
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

    /** This thread stops, and the test's goes on, until {@link #goOn}. */
    void stop(Semaphore own) {
        control.release();
        own.acquireUninterruptibly();
    }

    /** One that stopped goes on; until it stops again, or ends, the test's waits. */
    void goOn(Semaphore stopped) {
        stopped.release();
        control.acquireUninterruptibly();
    }
}
