package io.carillon.net.shard;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How the thread of a {@link LoopCarrier} sleeps: parked, or where several loops share it, in the
 * kernel, for what their epolls have and for their next deadline.
 *
 * <p>Owner: who carries, except {@link #unpark} and {@link #idle}.
 */
final class CarrierSleep {
    private static final long LONGEST_NANOS = 1_000_000_000;

    private final BooleanSupplier nothingToDo;

    /** Null where loops never share. */
    private final @Nullable SharedPoll poll;

    private final IdleTime idle = new IdleTime(System.nanoTime());

    /** The thread, while it is parked or is about to be; else null. */
    private volatile @Nullable Thread parked;

    /**
     * @param nothingToDo may it sleep? Asked when who brings something sees that it sleeps
     */
    CarrierSleep(BooleanSupplier nothingToDo, @Nullable SharedPoll poll) {
        this.nothingToDo = nothingToDo;
        this.poll = poll;
    }

    /** How long nothing was done here. Any thread. */
    IdleTime idle() {
        return idle;
    }

    /** There is something to do. Any thread. */
    void unpark() {
        Thread known = parked;
        if (known != null) {
            LockSupport.unpark(known);
        }
        SharedPoll own = poll;
        if (own != null) {
            own.wake();
        }
    }

    /** Until there is something to do; it may return before. */
    void sleep(CarriedLoop[] loops) {
        SharedPoll own = poll;
        if (own == null || !someAsleep(loops)) {
            park(loops);
        } else {
            await(own, loops);
        }
    }

    /** Is there one that waits to be woken from here? */
    private static boolean someAsleep(CarriedLoop[] loops) {
        for (CarriedLoop loop : loops) {
            if (loop.asleep()) {
                return true;
            }
        }
        return false;
    }

    private void park(CarriedLoop[] loops) {
        parked = Thread.currentThread();
        if (nothingToDo.getAsBoolean() && !someAsleep(loops)) {
            LockSupport.parkNanos(this, LONGEST_NANOS);
        }
        parked = null;
    }

    private void await(SharedPoll own, CarriedLoop[] loops) {
        long now = System.nanoTime();
        long longest = LONGEST_NANOS;
        own.clear();
        for (CarriedLoop loop : loops) {
            if (loop.asleep()) {
                own.add(loop.epoll());
                longest = Math.min(longest, loop.wakeAtNanos() - now);
            } else {
                own.addNone();
            }
        }
        own.announce();
        if (nothingToDo.getAsBoolean() && hasAll(own, loops)) {
            idle.begins(now);
            own.await(longest);
            now = System.nanoTime();
            idle.ends(now);
        }
        own.over();
        for (int i = 0; i < loops.length; i++) {
            if (own.ready(i) || (loops[i].asleep() && now - loops[i].wakeAtNanos() >= 0)) {
                loops[i].wake();
            }
        }
    }

    /** One that fell asleep on a thread that was left meanwhile is not among them yet. */
    private static boolean hasAll(SharedPoll poll, CarriedLoop[] loops) {
        for (int i = 0; i < loops.length; i++) {
            if (loops[i].asleep() && !poll.has(i)) {
                return false;
            }
        }
        return true;
    }

    /** It never sleeps in the kernel again. */
    void close() {
        SharedPoll own = poll;
        if (own != null) {
            own.close();
        }
    }
}
