package io.carillon.servlet.feature.adopt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The partitions whose records are being looked through, and who waits for the end of that: a
 * message whose call may be in one of them. It waits for all of them, as it does not say for which.
 *
 * <p>Any thread; guarded by its own monitor, under which nothing else is called.
 */
final class LoadingPartitions {
    /** Messages that may wait; their bytes are bounded by who brings them. */
    private static final int MOST_WAITING = 10_000;

    /** The term of each. */
    private final Map<Integer, Long> terms = new HashMap<>();

    private List<Runnable> waiting = new ArrayList<>();
    private volatile boolean empty = true;

    boolean isEmpty() {
        return empty;
    }

    synchronized int size() {
        return terms.size();
    }

    /** Is that under way, and nothing later? */
    synchronized boolean goesOn(int partition, long term) {
        Long now = terms.get(partition);
        return now != null && now == term;
    }

    /** False where that is under way already, or a later term is. */
    synchronized boolean begin(int partition, long term) {
        Long before = terms.get(partition);
        if (before != null && before >= term) {
            return false;
        }
        terms.put(partition, term);
        empty = false;
        return true;
    }

    /**
     * It is over for that partition; who has waited goes on when it is over for all.
     *
     * @param term of {@link #begin}; a later one goes on
     */
    void end(int partition, long term) {
        List<Runnable> all;
        synchronized (this) {
            Long now = terms.get(partition);
            if (now == null || now > term) {
                return;
            }
            terms.remove(partition);
            if (!terms.isEmpty()) {
                return;
            }
            empty = true;
            all = waiting;
            waiting = new ArrayList<>();
        }
        all.forEach(Runnable::run);
    }

    /** False when there is no room; at once when nothing is under way any more. */
    boolean await(Runnable then) {
        synchronized (this) {
            if (!terms.isEmpty()) {
                return waiting.size() < MOST_WAITING && waiting.add(then);
            }
        }
        then.run();
        return true;
    }
}
