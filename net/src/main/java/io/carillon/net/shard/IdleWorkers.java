package io.carillon.net.shard;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait for the next handler of their owner, the one used last first. At most {@value
 * #MOST} are kept; one that nobody has used for {@value #KEPT_SECONDS} s ends, and lets its owner
 * go, when the next one is kept.
 *
 * <p>Owner: who carries the loop.
 *
 * @param <W> a thread that is kept
 */
final class IdleWorkers<W extends IdleWorkers.Kept> {
    static final int MOST = 4;
    static final long KEPT_SECONDS = 10;

    /** A thread that can be kept. */
    interface Kept {
        /** Whose handlers it has run. */
        Object owner();

        /** Ends it. */
        void end();
    }

    private record Idle<W>(W worker, long sinceNanos) {}

    private final List<Idle<W>> idle = new ArrayList<>(MOST + 1);

    /** One that has run handlers of that owner alone; null when there is none. */
    @Nullable W take(Object owner) {
        for (int i = 0; i < idle.size(); i++) {
            if (idle.get(i).worker().owner() == owner) {
                return idle.remove(i).worker();
            }
        }
        return null;
    }

    /** Keeps one that is idle. */
    void keep(W worker, long nowNanos) {
        idle.addFirst(new Idle<>(worker, nowNanos));
        Idle<W> last = idle.getLast();
        if (idle.size() > MOST || nowNanos - last.sinceNanos() > KEPT_SECONDS * 1_000_000_000) {
            idle.removeLast().worker().end();
        }
    }

    void endAll() {
        idle.forEach(each -> each.worker().end());
        idle.clear();
    }
}
