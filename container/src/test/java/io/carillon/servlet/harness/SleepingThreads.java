package io.carillon.servlet.harness;

import io.carillon.testkit.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/** Application threads whose tasks may sleep while virtual time goes on. */
public final class SleepingThreads extends OneAtATime {
    private final List<Semaphore> asleep = new ArrayList<>();

    public SleepingThreads(VirtualTime time) {
        super(time);
    }

    /** Called by application code on one of these threads: until {@link #wake}. */
    public void sleep() {
        Semaphore own = new Semaphore(0);
        asleep.add(own);
        stop(own);
    }

    public int asleep() {
        return asleep.size();
    }

    /** Lets all that sleep go on, one after the other. */
    public void wake() {
        List<Semaphore> now = List.copyOf(asleep);
        asleep.clear();
        now.forEach(this::goOn);
    }
}
