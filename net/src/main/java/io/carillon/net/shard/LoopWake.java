package io.carillon.net.shard;

import io.netty.channel.SingleThreadEventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** Makes an event loop look whether handlers wait, and yield to them. Any thread. */
final class LoopWake {
    private final SingleThreadEventLoop loop;
    private final Runnable looks;
    private final LoopDelay delay;
    private final AtomicBoolean asked = new AtomicBoolean();
    private final Runnable woken = this::woken;

    /**
     * @param looks sees to it that the loop yields when it has done what it has to do; on the loop
     * @param delay is told how long its handlers wait
     */
    LoopWake(SingleThreadEventLoop loop, Runnable looks, LoopDelay delay) {
        this.loop = loop;
        this.looks = looks;
        this.delay = delay;
    }

    /** Who is told how long handlers of the loop wait. */
    LoopDelay delay() {
        return delay;
    }

    /** In this iteration, where the loop itself asks. */
    void now() {
        if (loop.inEventLoop()) {
            looks.run();
        } else {
            later();
        }
    }

    /** In an iteration of its own, behind the sockets. */
    void later() {
        if (!asked.get() && asked.compareAndSet(false, true)) {
            try {
                loop.execute(woken);
            } catch (RejectedExecutionException closed) {
                asked.set(false); // the loop ends, and who carries it runs what waits
            }
        }
    }

    private void woken() {
        asked.set(false);
        looks.run();
    }
}
