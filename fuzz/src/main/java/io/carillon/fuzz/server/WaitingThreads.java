package io.carillon.fuzz.server;

import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads of an application whose handlers wait in virtual time. One thread runs at a time: that of
 * the test, or the one that it has handed over to until that waits or has ended. So everything
 * happens in a known order, and a handler that sleeps for minutes costs two hand-overs. Handlers of
 * which none will wait run on the test's thread, outside of a shard as they would on their own:
 * nobody can tell, and a hand-over costs more than most of them.
 *
 * <p>Owner: the test's thread; a handler calls {@link #pause} on its own.
 */
final class WaitingThreads implements ApplicationThreads {
    private final VirtualTime time;

    /** Threads without work, as many as ever waited at the same time. */
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();

    private @Nullable Worker running;
    private boolean wait = true;
    private boolean closed;

    WaitingThreads(VirtualTime time) {
        this.time = time;
    }

    /** Whether handlers that begin from now on may call {@link #pause}; at first they may. */
    void mayWait(boolean value) {
        wait = value;
    }

    @Override
    public void execute(Runnable task) {
        time.after(Duration.ZERO, wait ? () -> start(task) : task);
    }

    private void start(Runnable task) {
        Worker worker = idle.poll();
        if (worker == null) {
            worker = new Worker();
            worker.thread.start();
        }
        worker.task = task;
        worker.proceed();
    }

    /** The handler that calls it goes on so much later. */
    void pause(Duration span) {
        Worker worker = running;
        if (worker == null || worker.thread != Thread.currentThread()) {
            throw new IllegalStateException("no handler of an application that may block");
        }
        time.after(span, worker::proceed);
        worker.handBack();
    }

    @Override
    public void close() {
        closed = true;
        for (Worker worker = idle.poll(); worker != null; worker = idle.poll()) {
            worker.proceed();
        }
    }

    /** A thread, and who of it and the test's thread may run. */
    private final class Worker implements Runnable {
        final Thread thread = Thread.ofPlatform().daemon().name("handler").unstarted(this);
        private volatile @Nullable Thread caller;
        @Nullable Runnable task;
        @Nullable Throwable failure;

        /** Lets it run until it waits or has ended. The test's thread. */
        void proceed() {
            running = this;
            caller = Thread.currentThread();
            LockSupport.unpark(thread);
            while (caller != null) {
                LockSupport.park(this);
            }
            running = null;
            Throwable thrown = failure;
            if (thrown != null) {
                failure = null;
                throw new IllegalStateException("a handler's thread failed", thrown);
            }
        }

        /** Lets the test's thread go on, and waits for the next turn. This thread. */
        private void handBack() {
            Thread waiting = caller;
            caller = null;
            LockSupport.unpark(waiting);
            awaitTurn();
        }

        private void awaitTurn() {
            while (caller == null) {
                LockSupport.park(this);
            }
        }

        @Override
        public void run() {
            awaitTurn();
            while (!closed) {
                try {
                    Runnable work = task;
                    task = null;
                    if (work != null) {
                        work.run();
                    }
                } catch (RuntimeException | Error e) {
                    failure = e; // thrown on by the test's thread
                }
                idle.push(this);
                handBack();
            }
            Thread waiting = caller;
            caller = null;
            LockSupport.unpark(waiting);
        }
    }
}
