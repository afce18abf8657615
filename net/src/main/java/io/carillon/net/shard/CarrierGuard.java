package io.carillon.net.shard;

import io.carillon.sip.event.CarriedWork;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every two milliseconds whether a handler holds the thread of a loop, while handlers run;
 * and has a spare thread take over from it. One for all loops of a network. It sleeps when no
 * handler has run for a while. At most {@value #SPARES} spare threads: what they are needed for
 * computes, and each machine has few processors.
 */
final class CarrierGuard implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CarrierGuard.class);

    static final int SPARES = 256;
    private static final long LOOK_EVERY_NANOS = 2_000_000;

    /** Work that has held a thread for so long computes: whoever sent it is told. */
    private static final long TOO_LONG_NANOS = 20_000_000;

    /** Looks without a handler, then it sleeps. */
    private static final int IDLE_LOOKS = 50;

    private record Held(CarriedWork work, long since) {}

    private final List<LoopCarrier> carriers = new CopyOnWriteArrayList<>();
    private final ThreadPoolExecutor spares;
    private final Thread thread;

    /** Set by carriers: a handler has run since the last look. */
    private volatile boolean needed;

    private volatile boolean sleeps;
    private volatile boolean closed;

    /** Work that holds a thread which the loop has left; from the spare threads to the guard. */
    private final ArrayDeque<Held> held = new ArrayDeque<>();

    private long noSpareTold;

    CarrierGuard(String name) {
        spares =
                new ThreadPoolExecutor(
                        0,
                        SPARES,
                        10,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        Thread.ofPlatform().daemon().name(name + "-spare-", 0).factory());
        thread = Thread.ofPlatform().daemon().name(name + "-guard").unstarted(this::look);
        thread.start();
    }

    /** For {@link LoopCarrier}. */
    Executor spares() {
        return spares;
    }

    void watch(LoopCarrier carrier) {
        carriers.add(carrier);
    }

    /** A handler begins; by carriers. */
    void mayBeNeeded() {
        if (!needed) {
            needed = true;
            if (sleeps) {
                LockSupport.unpark(thread);
            }
        }
    }

    /** A handler could not begin. */
    void failed(Throwable error) {
        LOG.error("A handler could not begin", error);
    }

    private void look() {
        int idle = 0;
        while (!closed) {
            idle = needed ? 0 : idle + 1;
            needed = false;
            long now = System.nanoTime();
            for (LoopCarrier carrier : carriers) {
                long began = carrier.heldSince(now);
                if (began != 0 && !carrier.takeOver(began, work -> left(work, began))) {
                    noSpare(now);
                }
            }
            boolean someHeld = tellHeld(now);
            if (idle > IDLE_LOOKS && !someHeld && nobodyRuns()) {
                sleeps = true;
                if (!needed) {
                    LockSupport.park(this);
                }
                sleeps = false;
                idle = 0;
            }
            LockSupport.parkNanos(this, LOOK_EVERY_NANOS);
        }
    }

    private boolean nobodyRuns() {
        for (LoopCarrier carrier : carriers) {
            if (carrier.runsHandler()) {
                return false;
            }
        }
        return true;
    }

    /** The loop has left a thread which that work holds. */
    private void left(CarriedWork work, long since) {
        synchronized (held) {
            held.add(new Held(work, since));
        }
    }

    /** The thread that the loop has left is free again: the work has ended, or waits. */
    void returned(CarriedWork work) {
        synchronized (held) {
            held.removeIf(one -> one.work == work);
        }
    }

    /** Tells of what has held its thread for too long; false when none is left. */
    private boolean tellHeld(long now) {
        synchronized (held) {
            held.removeIf(one -> {
                if (now - one.since < TOO_LONG_NANOS) {
                    return false;
                }
                one.work.heldTheShard(now - one.since);
                return true;
            });
            return !held.isEmpty();
        }
    }

    private void noSpare(long now) {
        if (now - noSpareTold > TimeUnit.SECONDS.toNanos(1)) {
            noSpareTold = now;
            LOG.error(
                    "Handlers compute on all {} spare threads, and one holds a loop: calls wait",
                    SPARES);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        spares.shutdown();
    }
}
