package io.carillon.net.shard;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.sip.event.CarriedWork;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An event loop as a virtual thread, and its scheduler: it runs on the platform thread of its
 * {@link LoopCarrier}. It has one of its own, and goes to that of another loop and back by itself,
 * between two rounds ({@link LoopSharing}). Wherever it runs it is the same thread, and the JDK
 * runs it on one platform thread at a time.
 *
 * <p>Owner: the loop's thread, except where said.
 */
final class CarriedLoop implements Executor {
    private final LoopCarrier own;
    private final LoopCounts tally;

    /** Who carries it; changed by the loop. */
    private volatile LoopCarrier carrier;

    /** Who is to carry it. */
    private volatile LoopCarrier wanted;

    private volatile @Nullable LoopWake wake;
    private volatile @Nullable Thread thread;

    /** What runs the thread on; null until it was started. */
    private volatile @Nullable Runnable rest;

    /** It can run. */
    private volatile boolean ready;

    /** It has yielded: it comes back by itself, and looks what waits. */
    private volatile boolean yielded;

    private volatile boolean ended;

    /** It has nothing to do, and waits for its epoll or a time: who carries wakes it. */
    private final AtomicBoolean asleep = new AtomicBoolean();

    /** Written before {@link #asleep}. */
    private long wakeAtNanos;

    private int epoll;

    /** Others wait for the thread that it runs on now; written by who carries, before it runs. */
    private boolean inTurn;

    /**
     * @param own its own carrier, which has no other loop yet
     */
    CarriedLoop(LoopCarrier own, LoopCounts tally) {
        this.own = own;
        this.tally = tally;
        carrier = own;
        wanted = own;
        own.loops().takes(this);
    }

    /** Its thread, not started; once. */
    Thread thread(String name, Runnable task) {
        Thread made =
                CarriedThreads.unstarted(
                        this,
                        name,
                        () -> {
                            try {
                                task.run();
                            } finally {
                                ended = true;
                                carrier.loops().leaves(this);
                                own.ends();
                            }
                        });
        thread = made;
        return made;
    }

    /** How it is made to call {@link #letRun} soon; once, before anything is added. */
    void wakeBy(LoopWake loopWake) {
        wake = loopWake;
    }

    /** The carrier that it has when it shares none. Any thread. */
    LoopCarrier ownCarrier() {
        return own;
    }

    /** It can run, or a virtual thread can that it has started. Any thread. */
    @Override
    public void execute(Runnable task) {
        Runnable known = rest;
        if (known == null) {
            rest = task;
        } else if (known != task) {
            CarriedThreads.others().execute(task);
            return;
        }
        ready = true;
        carrier.loopIsReady();
    }

    /** Runs it soon on a thread of its own, carried where the loop is; false when it has ended. */
    boolean add(CarriedWork work) {
        if (ended) {
            return false;
        }
        carrier.add(work);
        return true;
    }

    /** Does a handler wait to run? */
    boolean waits() {
        return carrier.waits();
    }

    /** Lets handlers run, when it has done what it has to do. */
    @SuppressWarnings("ThreadPriorityCheck") // the scheduler is ours
    void letRun() {
        yielded = true;
        Thread.yield();
        yielded = false;
    }

    /** Handlers wait to run: it yields when its work is done. Any thread. */
    void mayYield() {
        LoopWake known = wake;
        if (known != null && !yielded) {
            known.now();
        }
    }

    /** As {@link #mayYield}, behind the sockets; also who only wants it to look around. */
    void askToYield() {
        LoopWake known = wake;
        if (known != null) {
            known.later();
        }
    }

    /** Its handlers wait so long for processors. Any thread. */
    void waitsForProcessors(long nanos) {
        LoopWake known = wake;
        if (known != null) {
            known.delay().forProcessors(nanos);
        }
    }

    // ---- where it runs ----

    /** It is to run there from its next round on. Any thread. */
    void goTo(LoopCarrier to) {
        if (wanted != to) {
            wanted = to;
            lookAround();
        }
    }

    /** Is it where it is wanted? Any thread. */
    boolean settled() {
        return carrier == wanted;
    }

    /** It has something to look at before it sleeps. Any thread. */
    void lookAround() {
        if (rest != null) { // else it looks when it begins
            askToYield();
        }
    }

    /** Goes where it is wanted. */
    @SuppressWarnings("ThreadPriorityCheck") // the scheduler is ours
    void moveIfWanted() {
        LoopCarrier from = carrier;
        LoopCarrier to = wanted; // once: it may change at any time
        if (from == to) {
            return;
        }
        to.loops().takes(this);
        carrier = to;
        from.loops().leaves(this);
        tally.count(NetworkCounter.LOOPS_MOVED);
        Thread.yield(); // there it goes on
    }

    /** Has its thread other loops too? Then it may not wait on it by itself. */
    boolean shares() {
        return carrier.loops().shared();
    }

    /** Does who carries wait for it to come back, as others may want the thread? */
    boolean inTurn() {
        return inTurn;
    }

    /** How long its thread has had nothing to do. */
    IdleTime idleTime() {
        return carrier.idleTime();
    }

    // ---- how it sleeps, where it shares ----

    /** From now on {@link #wake} wakes it: what has come before is looked at once more, then. */
    void fallsAsleep(int epollFd, long untilNanos) {
        epoll = epollFd;
        wakeAtNanos = untilNanos;
        asleep.set(true);
    }

    /** Until it is woken, or before. */
    void sleep() {
        if (settled() && shares()) {
            LockSupport.park(this);
        }
    }

    /** It is awake, however it came. */
    void isAwake() {
        asleep.set(false);
    }

    boolean asleep() {
        return asleep.get();
    }

    /** Its epoll; by who carries, while it is asleep. */
    int epoll() {
        return epoll;
    }

    /** By who carries, while it is asleep. */
    long wakeAtNanos() {
        return wakeAtNanos;
    }

    /** Any thread. */
    void wake() {
        if (asleep.get() && asleep.compareAndSet(true, false)) {
            LockSupport.unpark(thread);
        }
    }

    // ---- by who carries ----

    boolean ready() {
        return ready;
    }

    /**
     * Until it has nothing to do, or yields.
     *
     * @param shared others may want the thread
     */
    void run(boolean shared) {
        ready = false;
        inTurn = shared;
        Runnable next = rest;
        if (next != null) {
            next.run();
        }
    }
}
