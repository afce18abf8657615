package io.carillon.net.shard;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.sip.event.CarriedWork;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The platform thread that carries one event loop, which is a virtual thread, and the handlers that
 * run beside it. When the loop has done what it has to do and handlers wait, it yields: they run
 * here, one after the other, and the loop goes on. A handler that blocks leaves the thread to the
 * others. One that computes keeps it: after {@link #LONGEST_NANOS} the {@link CarrierGuard} has a
 * spare thread take over, so the loop and the other handlers go on there, and the thread that was
 * left behind goes back to the spare ones when its handler ends or blocks.
 *
 * <p>The loop never shares: it is one thread, and the JDK runs it on one carrier at a time. So no
 * two threads are ever inside one shard, whoever carries it.
 *
 * <p>Owner of what is not volatile: the thread that carries. It changes by {@link #since}: whoever
 * sets it from the beginning of a handler to 0 carries from then on. Bounded by what is given to
 * it: a task for each handler that can run.
 */
final class LoopCarrier {
    /** So long a handler may hold the loop's thread. */
    static final long LONGEST_NANOS = 5_000_000;

    /** So long handlers run in a row; then the loop has its turn. */
    private static final long ROW_NANOS = 1_000_000;

    private static final VarHandle SINCE;

    static {
        try {
            SINCE = MethodHandles.lookup().findVarHandle(LoopCarrier.class, "since", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A handler: its virtual thread, and that thread's scheduler. */
    private final class Handler implements Executor, Runnable {
        final CarriedWork work;

        /** What runs the thread on; null until it was started. */
        private @Nullable Runnable rest;

        Handler(CarriedWork work) {
            this.work = work;
        }

        /** It can run, for the first time or again; any thread. */
        @Override
        public void execute(Runnable task) {
            if (rest == null) {
                rest = task; // by start(), on the carrier, which runs it at once
            } else {
                add(this);
            }
        }

        /** On the carrier, until it blocks or ends. */
        @Override
        public void run() {
            Runnable next = rest;
            if (next == null) {
                if (!work.stays()) {
                    return;
                }
                CarriedThreads.unstarted(this, null, work).start();
                next = rest;
            }
            if (next != null) {
                next.run();
            }
        }
    }

    private final MpscUnboundedAtomicArrayQueue<Handler> waiting =
            new MpscUnboundedAtomicArrayQueue<>(256);

    private final String name;
    private final CarrierGuard guard;
    private final LoopCounts tally;

    /** Makes the loop look here, and yield; any thread but the loop's. */
    private volatile Runnable wakeLoop = () -> {};

    /** What runs the loop on; null before it was started. */
    private volatile @Nullable Runnable loop;

    /** The loop can run. */
    private volatile boolean loopReady;

    /** The loop has yielded: it comes back by itself, and looks what waits. */
    private volatile boolean yielded;

    private volatile boolean ended;

    /** Is there a thread in {@link #carry}? */
    private final AtomicBoolean carrying = new AtomicBoolean();

    /** When the handler began that the carrier runs now; 0 while it runs none. */
    private volatile long since;

    private @Nullable Handler running;

    private volatile @Nullable Thread carrier;
    private volatile boolean parked;

    /**
     * @param tally of its loop
     */
    LoopCarrier(String name, CarrierGuard guard, LoopCounts tally) {
        this.name = name;
        this.guard = guard;
        this.tally = tally;
        guard.watch(this);
    }

    /** The loop's thread, not started; once. */
    Thread loopThread(Runnable loopTask) {
        return CarriedThreads.unstarted(
                this::runLoop,
                name,
                () -> {
                    try {
                        loopTask.run();
                    } finally {
                        ended = true;
                    }
                });
    }

    /** How another thread makes the loop call {@link #letRun} soon. */
    void wakeBy(Runnable wake) {
        wakeLoop = wake;
    }

    /** The scheduler of the loop's own thread. */
    private void runLoop(Runnable rest) {
        boolean first = loop == null;
        loop = rest;
        loopReady = true;
        if (first) {
            beginCarrying();
        } else {
            unpark();
        }
    }

    /**
     * Runs it soon on a thread of its own, which is carried here. Any thread.
     *
     * @return false when the loop has ended
     */
    boolean add(CarriedWork work) {
        if (ended) {
            return false;
        }
        add(new Handler(work));
        return true;
    }

    private void add(Handler handler) {
        waiting.offer(handler);
        if (!carrying.get()) {
            beginCarrying(); // the loop has ended: what sleeps still comes to its end
        } else if (parked) {
            unpark();
        }
        if (!yielded) {
            wakeLoop.run();
        }
    }

    private void beginCarrying() {
        if (carrying.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name(name).start(this::carry);
        }
    }

    private void unpark() {
        Thread known = carrier;
        if (known != null) {
            LockSupport.unpark(known);
        }
    }

    /** Does a handler wait to run? */
    boolean waits() {
        return !waiting.isEmpty();
    }

    /** Lets handlers run; on the loop, when it has done what it has to do. */
    @SuppressWarnings("ThreadPriorityCheck") // the scheduler is ours
    void letRun() {
        yielded = true;
        Thread.yield();
        yielded = false;
    }

    // ---- on the platform thread ----

    /**
     * Until another thread takes over, or all has ended. No monitor is held here: the JVM takes
     * what a carrier has locked for the lock of whom it carries.
     */
    private void carry() {
        carrier = Thread.currentThread();
        long rowBegan = 0;
        while (true) {
            Handler next = loopReady && rowBegan == -1 ? null : waiting.poll();
            if (next == null) {
                rowBegan = 0;
                if (loopReady) {
                    runLoopOnce();
                } else if (ended) {
                    carrying.set(false);
                    if (waiting.isEmpty() || !carrying.compareAndSet(false, true)) {
                        return;
                    }
                } else {
                    park();
                }
                continue;
            }
            long began = System.nanoTime();
            if (!runHandler(next, began)) {
                return;
            }
            if (rowBegan == 0) {
                rowBegan = began;
            } else if (began - rowBegan > ROW_NANOS) {
                rowBegan = -1;
            }
        }
    }

    private void runLoopOnce() {
        loopReady = false;
        Runnable rest = loop;
        if (rest != null) {
            rest.run();
        }
    }

    /** False when another thread carries since. */
    private boolean runHandler(Handler handler, long began) {
        running = handler;
        since = began;
        guard.mayBeNeeded();
        try {
            handler.run();
        } catch (Throwable e) {
            // Only when the JVM has no memory for the thread: its work goes where it can.
            guard.failed(e);
        }
        if (SINCE.compareAndSet(this, began, 0L)) {
            return true;
        }
        guard.returned(handler.work);
        return false;
    }

    private void park() {
        parked = true;
        if (!loopReady && waiting.isEmpty() && !ended) {
            LockSupport.parkNanos(this, 1_000_000_000L);
        }
        parked = false;
    }

    // ---- by the guard ----

    /** When the handler began that holds the thread for too long; 0 for none. */
    long heldSince(long nowNanos) {
        long began = since;
        return began != 0 && nowNanos - began > LONGEST_NANOS ? began : 0;
    }

    /** Does a handler run on the thread now? */
    boolean runsHandler() {
        return since != 0;
    }

    /**
     * Has a spare thread carry from now on, unless the handler that began then has ended.
     *
     * @param tell what to do with the work that holds the old thread, when it does
     * @return false when there is no spare thread
     */
    boolean takeOver(long began, Consumer<CarriedWork> tell) {
        try {
            guard.spares()
                    .execute(() -> {
                        Handler holder = running;
                        if (SINCE.compareAndSet(this, began, 0L)) {
                            tally.count(NetworkCounter.LOOPS_TAKEN_OVER); // the loop waits for us
                            if (holder != null) {
                                tell.accept(holder.work);
                            }
                            carry();
                        }
                    });
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError none) {
            return false;
        }
    }
}
