package io.carillon.net.shard;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Says which thread carries which loop of a network: those that have little to do share one ({@link
 * ThreadCount}). Two loops that each sleep half of the time wake up twice as often as one that does
 * their work, and meet the same code on two processors with cold caches.
 *
 * <p>Loops look themselves, ten times a second at most, and only while they have something to do:
 * an idle server is not woken for it. Any thread.
 */
final class LoopSharing {
    static final long LOOK_NANOS = 100_000_000;

    private final ThreadCount count;
    private final AtomicLong lookAtNanos;
    private final ReentrantLock looks = new ReentrantLock();
    private final long[] idleNanos;
    private long lookedNanos;
    private volatile List<CarriedLoop> loops = List.of();

    LoopSharing(int loops, long nowNanos) {
        count = new ThreadCount(loops, nowNanos);
        idleNanos = new long[loops];
        lookedNanos = nowNanos;
        lookAtNanos = new AtomicLong(nowNanos + LOOK_NANOS);
    }

    /** Those of the network, in order; until then nothing is done. */
    void of(List<CarriedLoop> all) {
        loops = List.copyOf(all);
    }

    /** Once a while: moves loops where they belong. By a loop that has something to do. */
    void look(long nowNanos) {
        long due = lookAtNanos.get();
        if (nowNanos - due < 0 || !lookAtNanos.compareAndSet(due, nowNanos + LOOK_NANOS)) {
            return;
        }
        List<CarriedLoop> all = loops;
        if (all.isEmpty() || !looks.tryLock()) {
            return;
        }
        try {
            lookAt(all, nowNanos);
        } finally {
            looks.unlock();
        }
    }

    private void lookAt(List<CarriedLoop> all, long nowNanos) {
        double elapsed = Math.max(1, nowNanos - lookedNanos);
        lookedNanos = nowNanos;
        int threads = count.threads();
        double total = 0;
        double most = 0;
        for (int i = 0; i < all.size(); i++) {
            long idle = all.get(i).ownCarrier().idleTime().untilNanos(nowNanos);
            if (i < threads) {
                double worked = Math.clamp(1 - (idle - idleNanos[i]) / elapsed, 0, 1);
                total += worked;
                most = Math.max(most, worked);
            }
            idleNanos[i] = idle;
        }
        int next = count.next(total, most, nowNanos);
        if (next == threads) {
            return;
        }
        for (int i = 0; i < all.size(); i++) {
            all.get(i).goTo(all.get(i % next).ownCarrier());
        }
    }
}
