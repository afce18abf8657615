package io.carillon.net.shard;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.sip.event.CarriedWork;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
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

    /** Instead of when a row began. */
    private static final long ROW_ENDED = -1;

    private static final VarHandle SINCE;

    static {
        try {
            SINCE = MethodHandles.lookup().findVarHandle(LoopCarrier.class, "since", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What waits for the carrier. */
    private sealed interface Waiting permits NewWork, Worker {}

    /** A handler that has not begun. */
    private record NewWork(CarriedWork work, long addedNanos) implements Waiting {}

    /**
     * A virtual thread that runs handlers, and its scheduler. As long as they end without having
     * waited they are run by the same one, one after the other, all of one application: what they
     * leave in its thread locals no other application sees. One whose handler waits is left to that
     * handler, and ends with it.
     */
    final class Worker implements Executor, Waiting, IdleWorkers.Kept {
        private final Object owner;

        /** What it runs; null when it is idle or has ended. */
        private volatile @Nullable CarriedWork work;

        /** May it take another handler after this one? Set by who carries. */
        private volatile boolean reusable = true;

        /** What runs the thread on; null until it was started. */
        private @Nullable Runnable rest;

        private volatile boolean ended;

        /** Since when it can go on; written before it is added to what waits. */
        private long readySinceNanos;

        private long threadId;
        private long usedNanos; // of that thread, when the loop left it

        Worker(Object owner) {
            this.owner = owner;
        }

        @Nullable CarriedWork work() {
            return work;
        }

        /**
         * It can run, for the first time or again, or a thread can that it has started; any thread.
         */
        @Override
        public void execute(Runnable task) {
            Runnable own = rest;
            if (own == null) {
                rest = task; // by start(), on the carrier, which runs it at once
            } else if (own != task || ended) {
                CarriedThreads.others().execute(task);
            } else if (work != null) {
                readySinceNanos = System.nanoTime();
                add(this);
            } // else it is idle: the carrier runs it on when it has work for it
        }

        /** On the carrier: begins a handler, which runs until it waits or ends. */
        private void begin(CarriedWork next) {
            work = next;
            reusable = true;
            Runnable known = rest;
            if (known == null) {
                CarriedThreads.unstarted(this, null, this::perform).start();
                known = Objects.requireNonNull(rest);
            }
            known.run();
        }

        /** On the carrier: its handler has waited and can go on. */
        private void goOn(long nowNanos) {
            CarriedWork own = work;
            Runnable next = rest;
            if (own != null && next != null && own.goesOn(next, nowNanos - readySinceNanos)) {
                next.run();
            }
        }

        /** Has it ended its handler, so that it can take another one? */
        private boolean idle() {
            return work == null && !ended;
        }

        @Override
        public Object owner() {
            return owner;
        }

        /** Ends it; by whom it is idle. */
        @Override
        public void end() {
            reusable = false;
            Runnable next = rest;
            if (next != null) {
                next.run();
            }
        }

        /** On its own thread. */
        @SuppressWarnings("ThreadPriorityCheck") // the scheduler is ours
        private void perform() {
            for (CarriedWork own = work; own != null; own = work) {
                try {
                    own.run();
                } catch (Throwable e) {
                    guard.failed(e);
                }
                boolean again = reusable;
                ended = !again;
                work = null;
                if (!again) {
                    return;
                }
                Thread.yield();
                Thread.interrupted(); // that was meant for the handler before
            }
            ended = true;
        }
    }

    private final MpscUnboundedAtomicArrayQueue<Waiting> waiting =
            new MpscUnboundedAtomicArrayQueue<>(256);

    private final String name;
    private final CarrierGuard guard;
    private final LoopCounts tally;

    /** Makes the loop yield; null before it was made. */
    private volatile @Nullable LoopWake wake;

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

    /** Written before {@link #since}, by who carries. */
    private @Nullable Worker running;

    /** By who carries. */
    private final IdleWorkers<Worker> idle = new IdleWorkers<>();

    /** The beginning for which a spare thread was asked last; the guard's. */
    private long asked;

    /** The thread that carries, while it sleeps or is about to; else null. */
    private volatile @Nullable Thread parked;

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

    /** How the loop is made to call {@link #letRun} soon; once, before anything is added. */
    void wakeBy(LoopWake loopWake) {
        wake = loopWake;
    }

    private void tellOfProcessors() {
        LoopWake known = wake;
        if (known != null) {
            known.delay().forProcessors(guard.computing().waitNanos());
        }
    }

    /** Handlers wait to run: the loop yields when its work is done. Any thread. */
    private void wakeLoop() {
        LoopWake known = wake;
        if (known != null) {
            known.now();
        }
    }

    /** As {@link #wakeLoop}, behind the sockets; on the loop. */
    void askToYield() {
        LoopWake known = wake;
        if (known != null) {
            known.later();
        }
    }

    /** The scheduler of the loop's own thread, and so of virtual threads that it starts. */
    private void runLoop(Runnable rest) {
        Runnable own = loop;
        if (own == null) {
            loop = rest;
        } else if (own != rest) {
            CarriedThreads.others().execute(rest);
            return;
        }
        loopReady = true;
        if (!beginCarrying()) {
            unpark();
        }
    }

    /** Runs it soon on a thread of its own, carried here; false when the loop has ended. */
    boolean add(CarriedWork work) {
        if (ended) {
            return false;
        }
        add(new NewWork(work, System.nanoTime()));
        return true;
    }

    private void add(Waiting next) {
        waiting.offer(next);
        // Where it begins the loop has ended: what sleeps still comes to its end.
        if (!beginCarrying()) {
            unpark();
        }
        if (!yielded) {
            wakeLoop();
        }
    }

    /** False when a thread carries. */
    private boolean beginCarrying() {
        if (carrying.get() || !carrying.compareAndSet(false, true)) {
            return false;
        }
        boolean began = false;
        try {
            Thread.ofPlatform().daemon().name(name).start(() -> carry(0));
            began = true;
        } finally {
            if (!began) {
                carrying.set(false);
            }
        }
        return true;
    }

    private void unpark() {
        Thread known = parked;
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
     *
     * @param row 0, or {@link #ROW_ENDED} where the loop has its turn
     */
    private void carry(long row) {
        long rowBegan = row;
        while (true) {
            Waiting next = loopReady && rowBegan == ROW_ENDED ? null : waiting.poll();
            if (next == null) {
                rowBegan = 0;
                if (loopReady) {
                    runLoopOnce();
                } else if (ended) {
                    idle.endAll();
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
                rowBegan = ROW_ENDED;
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
    private boolean runHandler(Waiting next, long began) {
        Worker worker;
        CarriedWork work = null;
        switch (next) {
            case NewWork added -> {
                work = added.work();
                if (!work.stays(began - added.addedNanos())) {
                    return true;
                }
                if (guard.computing().now() > 0) {
                    tellOfProcessors();
                }
                Worker known = idle.take(work.owner());
                worker = known == null ? new Worker(work.owner()) : known;
            }
            case Worker known -> worker = known;
        }
        worker.threadId = Thread.currentThread().threadId();
        running = worker;
        since = began;
        guard.mayBeNeeded();
        try {
            if (work == null) {
                worker.goOn(began);
            } else {
                worker.begin(work);
            }
        } catch (Throwable e) {
            worker.reusable = false;
            guard.failed(e); // its thread could not begin, or go on: the JVM has no memory for it
        }
        if (SINCE.compareAndSet(this, began, 0L)) {
            if (work != null) {
                ranHere(worker, began);
            } else {
                endIfIdle(worker);
            }
            return true;
        }
        guard.returned(worker);
        guard.computing().returned(worker.threadId, worker.usedNanos);
        tellOfProcessors();
        endIfIdle(worker); // who carries now has its own
        return false;
    }

    /** One that is not kept for another handler. */
    private static void endIfIdle(Worker worker) {
        worker.reusable = false;
        if (worker.idle()) {
            worker.end();
        }
    }

    /** A handler was begun here, and has ended or waits. */
    private void ranHere(Worker worker, long nowNanos) {
        if (!worker.idle()) {
            worker.reusable = false;
            return;
        }
        idle.keep(worker, nowNanos);
    }

    private void park() {
        parked = Thread.currentThread();
        if (!loopReady && waiting.isEmpty() && !ended) {
            LockSupport.parkNanos(this, 1_000_000_000L);
        }
        parked = null;
    }

    // ---- by the guard ----

    /** When the handler began that holds the thread for too long; 0 for none that is new. */
    long heldSince(long nowNanos) {
        long began = since;
        return began != 0 && began != asked && nowNanos - began > LONGEST_NANOS ? began : 0;
    }

    /** Does a handler run on the thread now? */
    boolean runsHandler() {
        return since != 0;
    }

    /**
     * Has a spare thread carry from now on, unless the handler that began then has ended.
     *
     * @return false when there is no spare thread
     */
    boolean takeOver(long began) {
        try {
            guard.spares().execute(() -> carryInsteadOf(began));
            asked = began;
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError none) {
            return false;
        }
    }

    /** On the spare thread. */
    private void carryInsteadOf(long began) {
        Worker holder = running;
        if (since != began || holder == null) {
            return;
        }
        holder.reusable = false;
        holder.usedNanos = guard.computing().left(holder.threadId);
        guard.left(holder, began); // before the thread that is left can say that it is free
        if (SINCE.compareAndSet(this, began, 0L)) {
            tally.count(NetworkCounter.LOOPS_TAKEN_OVER); // the loop waits for us
            tellOfProcessors();
            carry(ROW_ENDED);
        } else {
            guard.returned(holder);
            guard.computing().notLeft();
        }
    }
}
