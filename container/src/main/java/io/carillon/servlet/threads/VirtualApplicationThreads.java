package io.carillon.servlet.threads;

import io.carillon.sip.guard.Sources;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One virtual thread per piece of work, and a rescue for the moments when virtual threads do not
 * run.
 *
 * <p>Virtual threads are not preemptive: as many busy loops as there are carriers stop all the
 * others. So a guard looks at the oldest task that has not begun; when it has waited for {@link
 * #RESCUE_AFTER_NANOS} the guard offers it to a bounded pool of platform threads, which the
 * operating system shares out fairly. Until a probe on a virtual thread begins promptly again,
 * later tasks have {@link #HEAD_START_NANOS} only.
 *
 * <p>A task that is offered there keeps its virtual thread: it runs on the one that gets to it
 * first. So a task that sleeps takes a platform thread only while virtual threads do not run, and
 * what finds none free ({@link RescueThreads}) does not wait for the sleepers.
 */
final class VirtualApplicationThreads implements ApplicationThreads {
    private static final Logger LOG = LoggerFactory.getLogger(VirtualApplicationThreads.class);

    /** A task that has not begun after this time is run by a platform thread. */
    static final long RESCUE_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** The same, while virtual threads are known not to run. */
    static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long LOOK_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LOOK_WHILE_RESCUING_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SWEEP_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int RESCUERS = 256;

    /** One task; whoever wins the claim runs it. */
    private static final class Job implements RescueThreads.Job {
        final Runnable task;
        final int place;
        final long submittedAtNanos;
        final ProcessorShare share;
        volatile boolean claimed;

        Job(Runnable task, int place, long submittedAtNanos, ProcessorShare share) {
            this.share = share;
            this.task = task;
            this.place = place;
            this.submittedAtNanos = submittedAtNanos;
        }

        @Override
        public int place() {
            return place;
        }

        @Override
        public boolean begun() {
            return claimed;
        }

        @Override
        public void perform() {
            share.perform(task);
        }

        @Override
        public boolean claim() {
            return !claimed && CLAIMED.compareAndSet(this, false, true);
        }

        @Override
        public void run() {
            if (claim()) {
                task.run();
            }
        }
    }

    /**
     * A virtual thread that can go on, of another scheduler. It begins nowhere else, so it is run
     * in any case.
     */
    private record Rest(Runnable rest, int place) implements RescueThreads.Job {
        @Override
        public boolean begun() {
            return false;
        }

        @Override
        public boolean claim() {
            return true;
        }

        @Override
        public void perform() {
            rest.run();
        }

        @Override
        public void run() {
            perform();
        }

        @Override
        public boolean doneWithoutThread() {
            perform(); // by a carrier, or by a thread that has run another
            return true;
        }
    }

    /**
     * What a thread runs for an application, the outermost of what is nested. Written by its
     * thread; others read {@code sinceNanos} only after {@code work}, and a reading that is a
     * moment old does no harm. A platform thread keeps its one, as an event loop does, which may be
     * a virtual thread: nothing is allocated for a call.
     */
    private static final class Running {
        private volatile @Nullable Work work;
        private volatile long sinceNanos;
        private int depth;

        /** Of a loop, which stays as long as the server. */
        private boolean loop;
    }

    private static final VarHandle CLAIMED;

    static {
        try {
            CLAIMED = MethodHandles.lookup().findVarHandle(Job.class, "claimed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final ClassLoader OWN = VirtualApplicationThreads.class.getClassLoader();

    private final ThreadFactory virtual = own(Thread.ofVirtual().name("application-", 0).factory());
    private final ThreadPoolExecutor rescuers;
    private final ProcessorShare share = ProcessorShare.ofProcess();
    private final RescueThreads rescue;
    private final ThreadPoolExecutor goers;

    /**
     * Its threads are held by what computes only, as what waits leaves them: whoever has a lock
     * that the work on other threads waits for gets one.
     */
    private final RescueThreads goingOn;

    private final ConcurrentLinkedQueue<Job> notBegun = new ConcurrentLinkedQueue<>();
    private final ConcurrentHashMap<Thread, Running> running = new ConcurrentHashMap<>();
    private final Thread guard;

    // The guard's own.
    private long notStartedTold;
    private long failedLooks;
    private volatile boolean rescuing;
    private volatile boolean guardSleeps;
    private volatile boolean closed;

    VirtualApplicationThreads() {
        rescuers = pool("application-rescue-");
        rescue = new RescueThreads(rescuers, RESCUERS);
        goers = pool("application-going-on-");
        goingOn = new RescueThreads(goers, RESCUERS);
        guard = Thread.ofPlatform().daemon().name("application-guard").unstarted(this::watch);
        guard.start();
    }

    /**
     * Its threads are of no application, though a handler of one may be the first to need one: they
     * neither keep its classes nor pass for its own.
     */
    private static ThreadFactory own(ThreadFactory factory) {
        return task -> {
            Thread made = factory.newThread(task);
            made.setContextClassLoader(OWN);
            return made;
        };
    }

    private static ThreadPoolExecutor pool(String name) {
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(
                        RESCUERS,
                        RESCUERS,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        own(Thread.ofPlatform().daemon().name(name, 0).factory()));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    @Override
    public boolean goOn(Runnable rest, int place) {
        goingOn.add(new Rest(rest, place));
        return true;
    }

    @Override
    public void execute(Runnable task) {
        execute(task, Sources.NOBODY);
    }

    @Override
    public void execute(Runnable task, int place) {
        Job job = new Job(task, place, System.nanoTime(), share);
        notBegun.add(job);
        virtual.newThread(job).start();
        if (guardSleeps) {
            guardSleeps = false;
            LockSupport.unpark(guard);
        }
    }

    /** The guard's loop: sleeps without work, else looks every few milliseconds. */
    private void watch() {
        long sweptAtNanos = System.nanoTime();
        while (!closed) {
            long nowNanos = System.nanoTime();
            boolean sweeps = nowNanos - sweptAtNanos >= SWEEP_EVERY_NANOS;
            try {
                look(nowNanos);
                if (sweeps) {
                    sweep();
                }
            } catch (RuntimeException | OutOfMemoryError e) {
                failedLooks++; // told with the next sweep: the guard goes on
            }
            if (sweeps) {
                sweptAtNanos = nowNanos;
            }
            if (notBegun.isEmpty() && !rescuing && rescue.waiting() == 0) {
                guardSleeps = true;
                if (notBegun.isEmpty()) {
                    LockSupport.park(this);
                }
                guardSleeps = false;
            }
            LockSupport.parkNanos(this, rescuing ? LOOK_WHILE_RESCUING_NANOS : LOOK_EVERY_NANOS);
        }
    }

    private void sweep() {
        rescue.sweep();
        long notStarted = rescue.notStarted();
        if (notStarted > notStartedTold || failedLooks > 0) {
            LOG.error(
                    "The system gave no thread for {} handlers whose virtual thread does not run; {}"
                            + " looks at what waits failed",
                    notStarted - notStartedTold,
                    failedLooks);
            notStartedTold = notStarted;
            failedLooks = 0;
        }
    }

    private void look(long nowNanos) {
        for (Job job; (job = notBegun.peek()) != null; ) {
            if (!job.claimed) {
                long patience = rescuing ? HEAD_START_NANOS : RESCUE_AFTER_NANOS;
                if (nowNanos - job.submittedAtNanos < patience) {
                    return;
                }
                if (!rescuing) {
                    rescuing = true;
                    probe();
                }
                rescue.add(job);
            }
            notBegun.poll();
        }
    }

    /**
     * Virtual threads count as well again when one begins promptly; else the next probe goes out.
     */
    private void probe() {
        long askedAtNanos = System.nanoTime();
        virtual.newThread(
                        () -> {
                            if (System.nanoTime() - askedAtNanos < RESCUE_AFTER_NANOS) {
                                rescuing = false;
                            } else if (!closed) {
                                probe();
                            }
                        })
                .start();
    }

    @Override
    public long delayNanos() {
        return rescuing ? share.waitNanos() : 0;
    }

    @Override
    public void loop() {
        Running own = new Running();
        own.loop = true;
        running.put(Thread.currentThread(), own);
    }

    @Override
    public void began(Work work) {
        Thread thread = Thread.currentThread();
        Running own = running.get(thread);
        if (own == null) {
            own = new Running();
            running.put(thread, own);
        }
        if (own.depth++ == 0) {
            own.sinceNanos = System.nanoTime();
            own.work = work;
        }
    }

    @Override
    public void ended(Work work) {
        Thread thread = Thread.currentThread();
        Running own = running.get(thread);
        if (own == null || --own.depth > 0) {
            return;
        }
        own.work = null;
        if (thread.isVirtual() && !own.loop) {
            running.remove(thread);
        }
    }

    @Override
    public @Nullable Work current() {
        Running own = running.get(Thread.currentThread());
        return own == null ? null : own.work;
    }

    @Override
    public List<RunningHandler> runningLongerThan(long nanos) {
        long now = System.nanoTime();
        List<RunningHandler> found = new ArrayList<>();
        running.forEach((thread, own) -> {
            Work work = own.work;
            long since = now - own.sinceNanos;
            if (!thread.isAlive()) {
                running.remove(thread);
            } else if (work != null && since >= nanos) {
                found.add(
                        new RunningHandler(
                                work.application(),
                                work.servlet(),
                                work.method(),
                                work.callId(),
                                since,
                                thread.getState() == Thread.State.RUNNABLE,
                                thread));
            }
        });
        return found;
    }

    @Override
    public long rescued() {
        return rescue.ran();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(guard);
        rescuers.shutdown();
        goers.shutdown();
    }
}
