package io.carillon.net.shard;

import io.carillon.sip.event.CarriedWork;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every four milliseconds whether a handler holds the thread of a loop, while handlers run;
 * and has a spare thread take over from it. Where loops share a thread it looks every twenty
 * whether one of them does. One for all loops of a network. It sleeps when nothing of that has run
 * for a while. At most {@value #SPARES} spare threads: what they are needed for computes, and each
 * machine has few processors.
 */
final class CarrierGuard implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CarrierGuard.class);

    static final int SPARES = 256;

    /** Of those, held by handlers: then the clock says who computes. */
    private static final int MANY = SPARES / 8;

    private static final long LOOK_EVERY_NANOS = 4_000_000;

    /** While no handlers run, but loops that share a thread. */
    private static final long LOOPS_EVERY_NANOS = 20_000_000;

    /** Looks without a handler, then it sleeps. */
    private static final int IDLE_LOOKS = 50;

    private static final long TELL_EVERY_NANOS = 1_000_000_000;

    private final List<LoopCarrier> carriers = new CopyOnWriteArrayList<>();
    private final ThreadPoolExecutor spares;
    private final Thread thread;

    /** Set by carriers: a handler has run since the last look. */
    private volatile boolean needed;

    /** Set by carriers: a loop that shares its thread has run since the last look. */
    private volatile boolean shared;

    private volatile boolean sleeps;

    /** It sleeps for longer: a handler that begins wakes it. */
    private volatile boolean dozes;

    private volatile boolean closed;

    private final ComputingHandlers computing = ComputingHandlers.ofProcess();

    /** Those that hold a thread which the loop has left: whoever sent them is told in time. */
    private final ConcurrentHashMap<LoopCarrier.Worker, HeldThread> held =
            new ConcurrentHashMap<>();

    /**
     * Tells whoever has to know, and writes to the log. Neither may be done by who carries, or by
     * the guard: the log may have a lock, and the handler that has it may wait to be carried.
     */
    private final ThreadPoolExecutor teller;

    // The guard's own.
    private long noSpareToldNanos = System.nanoTime() - TELL_EVERY_NANOS;
    private long failedToldNanos = noSpareToldNanos;

    CarrierGuard(String name) {
        spares =
                new ThreadPoolExecutor(
                        0,
                        SPARES,
                        10,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        Thread.ofPlatform().daemon().name(name + "-spare-", 0).factory());
        teller =
                new ThreadPoolExecutor(
                        1,
                        1,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Thread.ofPlatform().daemon().name(name + "-teller-", 0).factory());
        teller.allowCoreThreadTimeOut(true);
        // No daemon, as the carriers are: a process whose main method has returned goes on.
        thread = Thread.ofPlatform().name(name + "-guard").unstarted(this::look);
        thread.start();
    }

    /** For {@link LoopCarrier}. */
    Executor spares() {
        return spares;
    }

    /** Handlers of all loops that compute beside them. */
    ComputingHandlers computing() {
        return computing;
    }

    void watch(LoopCarrier carrier) {
        carriers.add(carrier);
    }

    /** A handler begins; by carriers. */
    void mayBeNeeded() {
        if (!needed) {
            needed = true;
            if (sleeps || dozes) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** A loop begins its turn on a thread that it shares; by carriers. */
    void loopsShare() {
        if (!shared) {
            shared = true;
            if (sleeps) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** A handler could not begin, or go on; by carriers. */
    void failed(Throwable error) {
        tell(() -> LOG.error("A handler could not begin, or go on", error));
    }

    private void look() {
        int idle = 0;
        int noHandlers = 0;
        while (!closed) {
            noHandlers = needed ? 0 : noHandlers + 1;
            idle = needed || shared ? 0 : idle + 1;
            needed = false;
            shared = false;
            boolean someHeld = lookOnce(System.nanoTime());
            if (noHandlers > IDLE_LOOKS && idle <= IDLE_LOOKS && !someHeld) {
                doze();
                continue;
            }
            if (idle > IDLE_LOOKS && !someHeld && nobodyRuns()) {
                sleeps = true;
                if (!needed && !shared) {
                    LockSupport.park(this);
                }
                sleeps = false;
                idle = 0;
            }
            LockSupport.parkNanos(this, LOOK_EVERY_NANOS);
        }
    }

    /** Only loops run: they are looked at less often, as each look wakes a processor. */
    private void doze() {
        dozes = true;
        if (!needed) {
            LockSupport.parkNanos(this, LOOPS_EVERY_NANOS);
        }
        dozes = false;
    }

    /** False when no thread is held that the loop has left; it goes on whatever goes wrong. */
    private boolean lookOnce(long now) {
        try {
            for (LoopCarrier carrier : carriers) {
                long began = carrier.heldSince(now);
                if (began != 0 && !carrier.takeOver(began)) {
                    noSpare(now);
                }
            }
            boolean many = held.size() > MANY;
            held.forEach((handler, thread) -> {
                if (thread.tooLong(computing.usedBy(handler.threadId()), many)
                        && held.remove(handler) != null) {
                    tellHeld(handler.work(), now - thread.sinceNanos());
                }
            });
            return !held.isEmpty();
        } catch (RuntimeException | OutOfMemoryError e) {
            if (now - failedToldNanos >= TELL_EVERY_NANOS) {
                failedToldNanos = now;
                failed(e);
            }
            return true;
        }
    }

    private boolean nobodyRuns() {
        for (LoopCarrier carrier : carriers) {
            if (carrier.runsSomething()) {
                return false;
            }
        }
        return true;
    }

    /** The loop leaves a thread to the handler that holds it. */
    void left(LoopCarrier.Worker handler, HeldThread thread) {
        held.put(handler, thread);
    }

    /** It does not hold a thread that the loop has left: it has ended, or waits. */
    void returned(LoopCarrier.Worker handler) {
        held.remove(handler);
    }

    private void tellHeld(@Nullable CarriedWork work, long nanos) {
        if (work != null) {
            tell(() -> work.heldTheShard(nanos));
        }
    }

    private void noSpare(long now) {
        if (now - noSpareToldNanos >= TELL_EVERY_NANOS && !closed) {
            noSpareToldNanos = now;
            tell(() ->
                    LOG.error(
                            "Handlers compute on all {} spare threads, and one holds a loop: calls wait",
                            SPARES));
        }
    }

    private void tell(Runnable what) {
        try {
            teller.execute(() -> {
                try {
                    what.run();
                } catch (RuntimeException e) {
                    LOG.error("Telling of a handler that computes failed", e);
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError none) {
            // The network has been closed, or the system gives no thread: the loops go on.
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        spares.shutdown();
        teller.shutdown();
    }
}
