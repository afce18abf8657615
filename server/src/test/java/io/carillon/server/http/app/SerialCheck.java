package io.carillon.server.http.app;

import java.util.concurrent.atomic.AtomicInteger;

/** Notices when two threads are in one application session. */
public final class SerialCheck {
    static final AtomicInteger INSIDE = new AtomicInteger();
    static final AtomicInteger RUNS = new AtomicInteger();
    static final AtomicInteger BROKEN = new AtomicInteger();

    private SerialCheck() {}

    static void run() {
        if (INSIDE.incrementAndGet() != 1) {
            BROKEN.incrementAndGet();
        }
        for (int i = 0; i < 50; i++) {
            Thread.yield();
        }
        RUNS.incrementAndGet();
        INSIDE.decrementAndGet();
    }
}
