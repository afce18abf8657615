package io.carillon.net.shard;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The loops that one thread carries: its own, and others that share it. Any thread; {@link #ready}
 * and {@link #taken} by who carries.
 */
final class LoopTurns {
    private static final CarriedLoop[] NONE = {};

    private final ReentrantLock changes = new ReentrantLock();

    /** Copied where one comes or goes. */
    private volatile CarriedLoop[] loops = NONE;

    /** The one whose turn is next. */
    private int turn;

    CarriedLoop[] all() {
        return loops;
    }

    /** Are there several? */
    boolean shared() {
        return loops.length > 1;
    }

    boolean none() {
        return loops.length == 0;
    }

    /** A loop comes; on its thread. */
    void takes(CarriedLoop loop) {
        CarriedLoop[] before;
        changes.lock();
        try {
            before = loops;
            CarriedLoop[] more = Arrays.copyOf(before, before.length + 1);
            more[before.length] = loop;
            loops = more;
        } finally {
            changes.unlock();
        }
        if (before.length == 1) {
            before[0].lookAround(); // it may wait in the kernel, and is not to any more
        }
    }

    /** A loop goes, or has ended; on its thread. */
    void leaves(CarriedLoop loop) {
        CarriedLoop[] left;
        changes.lock();
        try {
            left = Arrays.stream(loops).filter(one -> one != loop).toArray(CarriedLoop[]::new);
            loops = left;
        } finally {
            changes.unlock();
        }
        if (left.length == 1) {
            left[0].lookAround(); // it may wait by itself from now on
        }
    }

    /** The next one that can run; null for none. */
    @Nullable CarriedLoop ready() {
        CarriedLoop[] all = loops;
        for (int i = 0; i < all.length; i++) {
            CarriedLoop next = all[(turn + i) % all.length];
            if (next.ready()) {
                return next;
            }
        }
        return null;
    }

    /** That one has its turn now: the next one is another. */
    void taken(CarriedLoop loop) {
        turn = Arrays.asList(loops).indexOf(loop) + 1;
    }
}
