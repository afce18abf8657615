package io.carillon.server.cluster;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Do the event loops of this node run? Each is given something to do now and then. Time counts in
 * ticks of the thread that asks: while the whole process stands still none pass.
 *
 * <p>One thread, the cluster's, but for the answers.
 */
final class LoopWatch {
    private static final Logger LOG = LoggerFactory.getLogger(LoopWatch.class);

    /** Ticks of 50 ms: 5 s, some times as long as a loop is ever held by its own work. */
    static final int SILENT_TICKS = 100;

    private static final int BETWEEN_TICKS = 10;

    private final List<? extends Executor> loops;
    private final AtomicInteger open = new AtomicInteger();
    private int ticks;

    LoopWatch(List<? extends Executor> loops) {
        this.loops = List.copyOf(loops);
    }

    /** Has one of them done nothing for {@link #SILENT_TICKS}? Asked with each tick. */
    boolean hangs() {
        ticks++;
        if (open.get() > 0) {
            if (ticks == SILENT_TICKS) {
                LOG.error(
                        "An event loop has done nothing for 5 s: this member sends no beats, so that"
                                + " others go on with its calls");
            }
            return ticks >= SILENT_TICKS;
        }
        if (ticks >= BETWEEN_TICKS) {
            ticks = 0;
            open.set(loops.size());
            loops.forEach(loop -> loop.execute(open::decrementAndGet));
        }
        return false;
    }
}
