package io.carillon.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * One clock and one queue of events for everything in a simulation. Nothing happens but by its
 * steps, in one thread; events of the same nanosecond run in the order in which they were
 * scheduled, so a run depends on its seed only. Owner: the test's thread; other threads may add
 * events, in an order that is theirs.
 */
public final class VirtualTime {
    /**
     * Where the clock begins: not at zero, so that code which takes zero for "never" is found out.
     */
    public static final long START_NANOS = 1_000_000_000_000L;

    /** Something with timers of its own, such as the wheel of a shard. */
    public interface Clocked {
        long NEVER = Long.MAX_VALUE;

        /** A time not later than the next timer; {@link #NEVER} without one. */
        long nextDeadlineNanos();

        /** Fires what is due. */
        void advance(long nowNanos);
    }

    private record Event(long atNanos, long number, Runnable task) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /** Guarded by itself. */
    private final PriorityQueue<Event> events = new PriorityQueue<>();

    private final List<Clocked> clocks = new ArrayList<>();
    private volatile long now = START_NANOS;
    private long numbers;

    public long nanoTime() {
        return now;
    }

    /** Virtual time since the start. */
    public Duration elapsed() {
        return Duration.ofNanos(now - START_NANOS);
    }

    /** Adds something whose timers the clock drives. */
    public void drive(Clocked clock) {
        clocks.add(clock);
    }

    /**
     * Runs a task at a time; a time that has passed means as soon as possible, never inside this
     * call.
     */
    public void at(long atNanos, Runnable task) {
        synchronized (events) {
            events.add(new Event(Math.max(atNanos, now), numbers++, task));
        }
    }

    /** Runs a task after so many nanoseconds. */
    public void after(long nanos, Runnable task) {
        at(now + nanos, task);
    }

    public void after(Duration delay, Runnable task) {
        after(delay.toNanos(), task);
    }

    /** Events that wait, timers of {@link Clocked} things not counted. */
    public int waiting() {
        synchronized (events) {
            return events.size();
        }
    }

    /** The time of the next event or timer; {@link Clocked#NEVER} when nothing is left. */
    public long nextNanos() {
        long next = firstNanos();
        for (int i = 0; i < clocks.size(); i++) {
            next = Math.min(next, clocks.get(i).nextDeadlineNanos());
        }
        return next;
    }

    /** Goes to the next event or timer and lets it happen. False when nothing is left. */
    public boolean step() {
        long next = nextNanos();
        if (next == Clocked.NEVER) {
            return false;
        }
        go(next);
        return true;
    }

    private void go(long next) {
        now = Math.max(now, next);
        Runnable due = takeDue();
        if (due != null) {
            due.run();
            return;
        }
        for (int i = 0; i < clocks.size(); i++) {
            Clocked clock = clocks.get(i);
            if (clock.nextDeadlineNanos() <= now) {
                clock.advance(now);
            }
        }
    }

    private long firstNanos() {
        synchronized (events) {
            Event head = events.peek();
            return head == null ? Clocked.NEVER : head.atNanos;
        }
    }

    private @Nullable Runnable takeDue() {
        synchronized (events) {
            Event head = events.peek();
            if (head == null || head.atNanos > now) {
                return null;
            }
            events.remove();
            return head.task;
        }
    }

    /** Lets everything happen that is due in this span, and ends exactly at its end. */
    public void runFor(Duration span) {
        long end = now + span.toNanos();
        for (long next = nextNanos(); next <= end; next = nextNanos()) {
            go(next);
        }
        now = end;
    }

    /**
     * Lets everything happen until nothing is left. Returns false when that was not before the span
     * ended.
     */
    public boolean runUntilQuiet(Duration atMost) {
        long end = now + atMost.toNanos();
        for (long next = nextNanos(); next <= end; next = nextNanos()) {
            go(next);
        }
        if (nextNanos() == Clocked.NEVER) {
            return true;
        }
        now = end;
        return false;
    }

    /** Runs until the condition holds; false when it did not within the span. */
    public boolean runUntil(java.util.function.BooleanSupplier condition, Duration atMost) {
        long end = now + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            long next = nextNanos();
            if (next > end) {
                now = end;
                return false;
            }
            go(next);
        }
        return true;
    }
}
