package io.carillon.servlet.harness;

import io.carillon.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Semaphore;

/**
 * So many application threads and no more: what comes while all are busy waits to begin, and begins
 * in the order in which it came.
 */
public final class FewThreads extends OneAtATime {
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private int free;

    /**
     * @param threads that there are
     */
    public FewThreads(VirtualTime time, int threads) {
        super(time);
        this.free = threads;
    }

    @Override
    public void execute(Runnable task) {
        if (free == 0) {
            waiting.add(task);
            return;
        }
        free--;
        super.execute(() -> {
            task.run();
            free++;
            Runnable next = waiting.poll();
            if (next != null) {
                execute(next);
            }
        });
    }

    /** Called by application code: it computes for so long. */
    public void compute(Duration span) {
        Semaphore own = new Semaphore(0);
        time().after(span.toNanos(), () -> goOn(own));
        stop(own);
    }
}
