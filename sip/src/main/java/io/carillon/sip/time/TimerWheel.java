package io.carillon.sip.time;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A hierarchical timer wheel with O(1) schedule and cancel. It never fires a timer early: {@link
 * #advance} fires exactly those whose deadline is at or before the time given, so under virtual
 * time every timer runs at its very nanosecond.
 *
 * <p>The near ring has {@value #NEAR} slots of one tick (41 s at 10 ms: all timers of RFC 3261
 * section 17), each coarser ring 64 slots of the whole ring below it; timers beyond the last ring
 * wait in its farthest slot and are sorted in anew when it comes.
 *
 * <p>Owner: the shard's thread. Time in nanoseconds, of any origin.
 */
public final class TimerWheel {
    private static final int NEAR_BITS = 12;
    private static final int NEAR = 1 << NEAR_BITS;
    private static final int NEAR_MASK = NEAR - 1;
    private static final int FAR_BITS = 6;
    private static final int FAR = 1 << FAR_BITS;
    private static final int FAR_MASK = FAR - 1;
    private static final int FAR_RINGS = 3;

    /** So much later a timer that may not fire is looked at again. */
    public static final long HELD_NANOS = 250_000_000L;

    /** No timer at all: the answer of {@link #nextDeadlineNanos}. */
    public static final long NEVER = Long.MAX_VALUE;

    private final long tickNanos;
    private final long startNanos;
    private final @Nullable IntPredicate mayFire;
    private final @Nullable WheelTimer[] heads = new @Nullable WheelTimer[NEAR + FAR_RINGS * FAR];

    /** One bit per slot that holds a timer: empty ones are skipped 64 at a time. */
    private final long[] occupied = new long[(NEAR + FAR_RINGS * FAR) / 64];

    /** The tick being processed; slots before it are empty. */
    private long tick;

    private int size;
    private @Nullable WheelTimer firing;

    /**
     * @param tickNanos width of a slot; precision does not depend on it, only the work per advance
     * @param startNanos the time now
     */
    public TimerWheel(long tickNanos, long startNanos) {
        this(tickNanos, startNanos, null);
    }

    /**
     * As {@link #TimerWheel(long, long)}.
     *
     * @param mayFire may timers of that partition fire now? Those that may not are asked again each
     *     {@link #HELD_NANOS}; null: they always may
     */
    public TimerWheel(long tickNanos, long startNanos, @Nullable IntPredicate mayFire) {
        if (tickNanos <= 0) {
            throw new IllegalArgumentException("tick must be positive: " + tickNanos);
        }
        this.tickNanos = tickNanos;
        this.startNanos = startNanos;
        this.mayFire = mayFire;
    }

    /**
     * Schedules a timer; one that is scheduled already is moved. A deadline in the past fires at
     * the next advance.
     *
     * @param deadlineNanos when to fire, at the earliest
     */
    public void schedule(WheelTimer timer, long deadlineNanos) {
        if (timer.slot != WheelTimer.IDLE) {
            unlink(timer);
        } else {
            size++;
        }
        timer.deadlineNanos = deadlineNanos;
        insert(timer);
    }

    /** Takes a timer off the wheel; nothing happens when it is not on it. */
    public void cancel(WheelTimer timer) {
        if (timer.slot != WheelTimer.IDLE) {
            unlink(timer);
            timer.slot = WheelTimer.IDLE;
            size--;
        }
    }

    /** Number of timers that wait. */
    public int size() {
        return size;
    }

    /**
     * A time not later than the earliest deadline, and equal to it within the near ring: a
     * simulation may jump to it, advance, and ask again.
     *
     * @return nanoseconds, or {@link #NEVER}
     */
    public long nextDeadlineNanos() {
        if (size == 0) {
            return NEVER;
        }
        long earliest = NEVER;
        long near = nextOccupied(tick, tick + NEAR);
        if (near >= 0) {
            for (WheelTimer t = heads[(int) (near & NEAR_MASK)]; t != null; t = t.next) {
                earliest = Math.min(earliest, t.deadlineNanos);
            }
        }
        for (int ring = 0; ring < FAR_RINGS; ring++) {
            int shift = NEAR_BITS + ring * FAR_BITS;
            long block = tick >> shift;
            // The 64 slots of a ring are one word; turned, its lowest bit is the next block.
            long bits = Long.rotateRight(occupied[farSlot(ring, 0) >> 6], (int) block + 1);
            if (bits != 0) {
                long next = block + 1 + Long.numberOfTrailingZeros(bits);
                earliest = Math.min(earliest, startNanos + (next << shift) * tickNanos);
            }
        }
        return earliest;
    }

    /**
     * Fires what is due. Timers that are scheduled meanwhile for a time that has passed wait for
     * the next call when their slot is done.
     *
     * @return how many fired
     */
    public int advance(long nowNanos) {
        long target = Math.max(tick, Math.floorDiv(nowNanos - startNanos, tickNanos));
        int fired = fireSlot(nowNanos);
        while (tick < target) {
            if (size == 0) {
                tick = target;
                break;
            }
            long boundary = (tick | NEAR_MASK) + 1;
            long next = nextOccupied(tick + 1, Math.min(boundary, target + 1));
            tick = next >= 0 ? next : Math.min(boundary, target);
            if ((tick & NEAR_MASK) == 0) {
                cascade();
            }
            fired += fireSlot(nowNanos);
        }
        return fired;
    }

    private int fireSlot(long nowNanos) {
        int slot = (int) (tick & NEAR_MASK);
        // A slot is a stack: moved one by one to the front of another, its timers come out in the
        // order they went in.
        WheelTimer t = heads[slot];
        if (t != null && startNanos + (tick + 1) * tickNanos <= nowNanos) {
            // All are due: the slot goes over as a whole.
            heads[slot] = null;
            mark(slot, false);
            while (t != null) {
                WheelTimer following = t.next;
                toFiring(t);
                t = following;
            }
        }
        while (t != null) {
            WheelTimer following = t.next;
            if (t.deadlineNanos <= nowNanos) {
                unlink(t);
                toFiring(t);
            }
            t = following;
        }
        return fireAll(nowNanos);
    }

    /** Puts a timer that is in no list any more in front of those that are about to fire. */
    private void toFiring(WheelTimer timer) {
        WheelTimer head = firing;
        timer.slot = WheelTimer.FIRING;
        timer.previous = null;
        timer.next = head;
        if (head != null) {
            head.previous = timer;
        }
        firing = timer;
    }

    private int fireAll(long nowNanos) {
        int fired = 0;
        for (WheelTimer t = firing; t != null; t = firing) {
            unlink(t);
            t.slot = WheelTimer.IDLE;
            size--;
            if (mayFire != null && !mayFire.test(t.partition())) {
                schedule(t, nowNanos + HELD_NANOS);
                continue;
            }
            fired++;
            t.fire(nowNanos);
        }
        return fired;
    }

    private void cascade() {
        for (int ring = 0; ring < FAR_RINGS; ring++) {
            int shift = NEAR_BITS + ring * FAR_BITS;
            long block = tick >> shift;
            int slot = farSlot(ring, block);
            WheelTimer t = heads[slot];
            heads[slot] = null;
            mark(slot, false);
            t = reversed(t);
            while (t != null) {
                WheelTimer following = t.next;
                insert(t);
                t = following;
            }
            if ((block & FAR_MASK) != 0) {
                return;
            }
        }
    }

    /** Slots are stacks; reversed once they come out in the order they went in. */
    private static @Nullable WheelTimer reversed(@Nullable WheelTimer list) {
        WheelTimer result = null;
        while (list != null) {
            WheelTimer following = list.next;
            list.next = result;
            result = list;
            list = following;
        }
        return result;
    }

    private void insert(WheelTimer timer) {
        long due = Math.max(tick, Math.floorDiv(timer.deadlineNanos - startNanos, tickNanos));
        long distance = due - tick;
        int slot;
        if (distance < NEAR) {
            slot = (int) (due & NEAR_MASK);
        } else {
            int ring = 0;
            while (ring < FAR_RINGS - 1 && distance >= 1L << (NEAR_BITS + (ring + 1) * FAR_BITS)) {
                ring++;
            }
            int shift = NEAR_BITS + ring * FAR_BITS;
            long block = Math.min(due >> shift, (tick >> shift) + FAR - 1);
            slot = farSlot(ring, block);
        }
        WheelTimer head = heads[slot];
        timer.previous = null;
        timer.next = head;
        if (head != null) {
            head.previous = timer;
        }
        heads[slot] = timer;
        timer.slot = slot;
        mark(slot, true);
    }

    private void unlink(WheelTimer timer) {
        WheelTimer before = timer.previous;
        WheelTimer after = timer.next;
        if (before != null) {
            before.next = after;
        } else if (timer.slot == WheelTimer.FIRING) {
            firing = after;
        } else {
            heads[timer.slot] = after;
            if (after == null) {
                mark(timer.slot, false);
            }
        }
        if (after != null) {
            after.previous = before;
        }
        timer.previous = null;
        timer.next = null;
    }

    private void mark(int slot, boolean on) {
        if (on) {
            occupied[slot >> 6] |= 1L << slot;
        } else {
            occupied[slot >> 6] &= ~(1L << slot);
        }
    }

    /** The first tick in [from, to) whose near slot is occupied, or -1. */
    private long nextOccupied(long from, long to) {
        long t = from;
        while (t < to) {
            int slot = (int) (t & NEAR_MASK);
            long bits = occupied[slot >> 6] >>> slot;
            if (bits != 0) {
                long found = t + Long.numberOfTrailingZeros(bits);
                return found < to ? found : -1;
            }
            t += 64 - (slot & 63);
        }
        return -1;
    }

    private static int farSlot(int ring, long block) {
        return NEAR + ring * FAR + (int) (block & FAR_MASK);
    }
}
