package io.carillon.servlet.harness;

import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.testkit.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Application threads whose tasks may sleep while virtual time goes on: each runs on a thread of
 * its own, and the test's thread waits until that one has ended or sleeps. So one thread works at a
 * time, and a run depends on its seed only.
 */
public final class SleepingThreads implements ApplicationThreads {
    private final VirtualTime time;
    private final Semaphore control = new Semaphore(0);
    private final List<Semaphore> asleep = new ArrayList<>();

    public SleepingThreads(VirtualTime time) {
        this.time = time;
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

    /** Called by application code on one of these threads: until {@link #wake}. */
    public void sleep() {
        Semaphore own = new Semaphore(0);
        asleep.add(own);
        control.release();
        own.acquireUninterruptibly();
    }

    public int asleep() {
        return asleep.size();
    }

    /** Lets all that sleep go on, one after the other. */
    public void wake() {
        List<Semaphore> now = List.copyOf(asleep);
        asleep.clear();
        for (Semaphore one : now) {
            one.release();
            control.acquireUninterruptibly();
        }
    }
}
