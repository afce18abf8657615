package io.carillon.grid.store;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Tells those whose writes and reads are refused, as the store has left or too many wait: the
 * caller may be an event loop, and shall not be told while it asks. At most {@value #THREADS}
 * threads for all stores of a process, which end when nothing is left to tell.
 */
final class Aside {
    private static final int THREADS = 4;

    private static final ThreadPoolExecutor TELLERS =
            new ThreadPoolExecutor(
                    THREADS,
                    THREADS,
                    10,
                    TimeUnit.SECONDS,
                    new LinkedBlockingQueue<>(),
                    Thread.ofPlatform().daemon().name("grid-left-", 1).factory());

    static {
        TELLERS.allowCoreThreadTimeOut(true);
    }

    private Aside() {}

    static void tell(Runnable task) {
        TELLERS.execute(task);
    }
}
