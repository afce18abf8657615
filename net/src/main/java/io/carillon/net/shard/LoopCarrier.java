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
 * <p>Loops that have little to do come to the carrier of another one ({@link LoopSharing}). There
 * they take turns, and one that keeps the thread for too long is left behind as a handler is.
 *
 * <p>Each loop is one thread, and the JDK runs it on one carrier at a time. So no two threads are
 * ever inside one shard, whoever carries it.
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

        /** Of the platform thread that it holds. */
        long threadId() {
            return threadId;
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
    private final CarrierSleep sleep;

    /** Those that run here: its own, and others that share. */
    private final LoopTurns loops = new LoopTurns();

    /** Its own loop has ended. */
    private volatile boolean ended;

    /** Is there a thread in {@link #carry}? */
    private final AtomicBoolean carrying = new AtomicBoolean();

    /** When the handler began, or the turn of a loop, that the carrier runs; 0 for none. */
    private volatile long since;

    /** Null in the turn of a loop. Written before {@link #since}, by who carries. */
    private @Nullable Worker running;

    /** By who carries. */
    private final IdleWorkers<Worker> idle = new IdleWorkers<>();

    /** The beginning for which a spare thread was asked last; the guard's. */
    private long asked;

    /**
     * @param tally of its own loop
     * @param poll by which several loops wait here; null where they never share
     */
    LoopCarrier(String name, CarrierGuard guard, LoopCounts tally, @Nullable SharedPoll poll) {
        this.name = name;
        this.guard = guard;
        this.tally = tally;
        this.sleep = new CarrierSleep(this::nothingToDo, poll);
        guard.watch(this);
    }

    private void tellOfProcessors() {
        for (CarriedLoop loop : loops.all()) {
            loop.waitsForProcessors(guard.computing().waitNanos());
        }
    }

    /** How long nothing was done here. */
    IdleTime idleTime() {
        return sleep.idle();
    }

    /** The loops that run here. */
    LoopTurns loops() {
        return loops;
    }

    /** Its own loop has ended. */
    void ends() {
        ended = true;
        sleep.unpark();
    }

    /** A loop that is here can run. Any thread. */
    void loopIsReady() {
        if (!beginCarrying()) {
            sleep.unpark();
        }
    }

    /** Runs it soon on a thread of its own, carried here. */
    void add(CarriedWork work) {
        add(new NewWork(work, System.nanoTime()));
    }

    private void add(Waiting next) {
        waiting.offer(next);
        // Where it begins the loop has ended: what sleeps still comes to its end.
        if (!beginCarrying()) {
            sleep.unpark();
        }
        CarriedLoop[] here = loops.all();
        if (here.length == 1) {
            here[0].mayYield(); // several do not wait in the kernel: who carries sees it
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

    /** Does a handler wait to run? */
    boolean waits() {
        return !waiting.isEmpty();
    }

    // ---- on the platform thread ----

    /**
     * Until another thread takes over, or all has ended. No monitor is held here: the JVM takes
     * what a carrier has locked for the lock of whom it carries.
     *
     * @param row 0, or {@link #ROW_ENDED} where a loop has its turn
     */
    private void carry(long row) {
        long rowBegan = row;
        while (true) {
            CarriedLoop loop = loops.ready();
            Waiting next = loop != null && rowBegan == ROW_ENDED ? null : waiting.poll();
            if (next == null) {
                rowBegan = 0;
                if (loop != null) {
                    if (!runLoop(loop)) {
                        return;
                    }
                } else if (allEnded()) {
                    idle.endAll();
                    sleep.close();
                    carrying.set(false);
                    if (waiting.isEmpty() || !carrying.compareAndSet(false, true)) {
                        return;
                    }
                } else {
                    sleep.sleep(loops.all());
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

    private boolean nothingToDo() {
        return waiting.isEmpty() && loops.ready() == null && !allEnded();
    }

    private boolean allEnded() {
        return ended && loops.none();
    }

    /** False when another thread carries since: the loop had kept this one from others. */
    private boolean runLoop(CarriedLoop loop) {
        if (!loops.shared()) {
            loop.run(false);
            return true;
        }
        loops.taken(loop);
        long began = System.nanoTime();
        running = null;
        since = began;
        guard.loopsShare();
        loop.run(true);
        if (SINCE.compareAndSet(this, began, 0L)) {
            return true;
        }
        sleep.unpark(); // who carries does not know yet what the loop waits for
        return false;
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

    // ---- by the guard ----

    /** When what holds the thread for too long began; 0 for none that is new. */
    long heldSince(long nowNanos) {
        long began = since;
        return began != 0 && began != asked && nowNanos - began > LONGEST_NANOS ? began : 0;
    }

    /** Does a handler run on the thread now, or a loop that has to share it? */
    boolean runsSomething() {
        return since != 0;
    }

    /**
     * Has a spare thread carry from now on, unless what began then has ended.
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
        if (since != began) {
            return;
        }
        if (holder == null) {
            if (SINCE.compareAndSet(this, began, 0L)) {
                carry(ROW_ENDED);
            }
            return;
        }
        holder.reusable = false;
        holder.usedNanos = guard.computing().left(holder.threadId);
        // Before the thread that is left can say that it is free.
        guard.left(holder, new HeldThread(began, holder.usedNanos));
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
