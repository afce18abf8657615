package io.carillon.sip.time;

import org.jspecify.annotations.Nullable;

/**
 * One timer, itself a node of the wheel: scheduling and cancelling allocate nothing. Extend it by
 * the thing that has the timer.
 *
 * <p>Owner: the thread of the wheel it is scheduled on.
 */
public abstract class WheelTimer {
    static final int IDLE = -1;
    static final int FIRING = -2;

    @Nullable WheelTimer previous;
    @Nullable WheelTimer next;
    long deadlineNanos;
    int slot = IDLE;

    /** For subclasses. */
    protected WheelTimer() {}

    /**
     * Called once when the deadline has passed, after the timer left the wheel: it may schedule
     * itself again.
     *
     * @param nowNanos the time given to {@link TimerWheel#advance}; never before the deadline
     */
    protected abstract void fire(long nowNanos);

    /**
     * The partition of a cluster that it belongs to: it fires only where that is owned. -1 for
     * none.
     */
    protected int partition() {
        return -1;
    }

    /** True while it waits on a wheel. */
    public final boolean scheduled() {
        return slot != IDLE;
    }

    /**
     * When it is due, in the nanoseconds of its wheel; meaningful only while {@link #scheduled}.
     */
    public final long deadlineNanos() {
        return deadlineNanos;
    }
}
