package io.carillon.net.shard;

import io.carillon.sip.time.TimerWheel;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Wakes a loop for its timers: within 10 ms of the last thing that it did, at the next deadline
 * when nothing happens for longer, never while no timer waits. A loop that is busy looks at its
 * timers anyway, and is not woken for them. Owner: the loop's thread.
 */
final class Ticker implements Runnable {

    static final long TICK_NANOS = 10_000_000L;

    /** A wake-up that is further away than this stays where it is. */
    private static final long KEPT_NANOS = TICK_NANOS / 2;

    private final Sleeper sleeper;
    private @Nullable Future<?> wakeUp;
    private long wakeAtNanos;
    private boolean ticking;
    private boolean worked;

    Ticker(Sleeper sleeper) {
        this.sleeper = sleeper;
    }

    /** Whom it wakes: a loop. */
    interface Sleeper {

        TimerWheel timers();

        /** Wakes up after a time and runs a task; called on the loop's thread. */
        Future<?> schedule(Runnable task, long delayNanos);

        /** See {@link ShardLoop#begin}. */
        void begin();
    }

    /** Called at the end of every iteration that did something, the timers included. */
    void arm(long nowNanos) {
        TimerWheel timers = sleeper.timers();
        boolean idle = ticking && !worked;
        worked = !ticking;
        ticking = false;
        if (timers.size() == 0) {
            return;
        }
        long tickNanos = nowNanos + TICK_NANOS;
        long atNanos = tickNanos;
        if (idle) {
            // Never later than the earliest deadline, so nothing is late by this but for work that
            // comes meanwhile, and that arms anew.
            atNanos = Math.max(tickNanos, timers.nextDeadlineNanos());
        }
        Future<?> armed = wakeUp;
        if (armed != null) {
            // Waking up costs more than moving the time of it, and moving it twice a tick is
            // enough for a busy loop never to be woken.
            if (wakeAtNanos - nowNanos > KEPT_NANOS && wakeAtNanos - atNanos <= 0) {
                return;
            }
            armed.cancel(false);
        }
        wakeAtNanos = atNanos;
        wakeUp = sleeper.schedule(this, atNanos - nowNanos);
    }

    @Override
    public void run() {
        wakeUp = null;
        sleeper.begin();
        ticking = true;
    }
}
