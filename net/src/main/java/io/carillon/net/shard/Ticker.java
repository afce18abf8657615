package io.carillon.net.shard;

import io.carillon.sip.time.TimerWheel;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Wakes a loop for its timers: every 10 ms while there is traffic, at the next deadline while there
 * is none, never while no timer waits. Owner: the loop's thread.
 */
final class Ticker implements Runnable {

    static final long TICK_NANOS = 10_000_000L;

    private final ShardLoop loop;
    private @Nullable Future<?> wakeUp;
    private long wakeAtNanos;
    private boolean ticking;
    private boolean worked;

    Ticker(ShardLoop loop) {
        this.loop = loop;
    }

    /** Called at the end of every iteration that did something. */
    void arm(long nowNanos) {
        TimerWheel timers = loop.shard().timers();
        boolean idle = ticking && !worked;
        worked = !ticking;
        ticking = false;
        if (timers.size() == 0) {
            return;
        }
        long tickNanos = nowNanos + TICK_NANOS;
        Future<?> armed = wakeUp;
        if (armed != null && wakeAtNanos - tickNanos <= 0) {
            return;
        }
        long atNanos = tickNanos;
        if (idle) {
            // Never later than the earliest deadline, so nothing is late by this but for work that
            // comes meanwhile, and that arms anew.
            atNanos = Math.max(tickNanos, timers.nextDeadlineNanos());
        }
        if (armed != null) {
            if (wakeAtNanos - atNanos <= 0) {
                return;
            }
            armed.cancel(false);
        }
        wakeAtNanos = atNanos;
        wakeUp = loop.eventLoop().schedule(this, atNanos - nowNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void run() {
        wakeUp = null;
        loop.begin();
        ticking = true;
    }
}
