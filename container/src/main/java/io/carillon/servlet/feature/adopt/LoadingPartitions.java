package io.carillon.servlet.feature.adopt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The partitions whose records are being looked through, and who waits for the end of that: a
 * message for its own partition, and who does not know his for all of them.
 *
 * <p>Any thread; guarded by its own monitor, under which nothing else is called.
 */
final class LoadingPartitions {
    /** Who does not know his partition. */
    static final int UNKNOWN = -1;

    /** Messages that may wait; their bytes are bounded by who brings them. */
    private static final int MOST_WAITING = 10_000;

    private static final class Loading {
        private final long term;
        private List<Runnable> waiting = List.of();

        Loading(long term) {
            this.term = term;
        }
    }

    private final Map<Integer, Loading> partitions = new HashMap<>();

    /** For all. */
    private List<Runnable> waiting = new ArrayList<>();

    private int count;
    private volatile boolean empty = true;

    boolean isEmpty() {
        return empty;
    }

    /**
     * Is that partition under way?
     *
     * @param partition {@link #UNKNOWN}: is any?
     */
    boolean has(int partition) {
        if (empty) {
            return false;
        }
        synchronized (this) {
            return partition < 0 ? !partitions.isEmpty() : partitions.containsKey(partition);
        }
    }

    synchronized int size() {
        return partitions.size();
    }

    /** Is that under way, and nothing later? */
    synchronized boolean goesOn(int partition, long term) {
        Loading now = partitions.get(partition);
        return now != null && now.term == term;
    }

    /** False where that is under way already, or a later term is. */
    synchronized boolean begin(int partition, long term) {
        Loading before = partitions.get(partition);
        if (before != null && before.term >= term) {
            return false;
        }
        Loading now = new Loading(term);
        now.waiting = before == null ? List.of() : before.waiting;
        partitions.put(partition, now);
        empty = false;
        return true;
    }

    /**
     * It is over for that partition: who has waited for it goes on, and when it is over for all who
     * has waited for all.
     *
     * @param term of {@link #begin}; a later one goes on
     */
    void end(int partition, long term) {
        List<Runnable> all = new ArrayList<>();
        synchronized (this) {
            Loading now = partitions.get(partition);
            if (now == null || now.term > term) {
                return;
            }
            partitions.remove(partition);
            all.addAll(now.waiting);
            if (partitions.isEmpty()) {
                empty = true;
                all.addAll(waiting);
                waiting = new ArrayList<>();
            }
            count -= all.size();
        }
        all.forEach(Runnable::run);
    }

    /**
     * Waits for that partition; at once when it is not under way any more.
     *
     * @param partition {@link #UNKNOWN}: for all
     * @return false when there is no room
     */
    boolean await(int partition, Runnable then) {
        synchronized (this) {
            Loading one = partitions.get(partition);
            if (partition < 0 ? !partitions.isEmpty() : one != null) {
                if (count >= MOST_WAITING) {
                    return false;
                }
                count++;
                if (one == null) {
                    waiting.add(then);
                } else {
                    if (one.waiting.isEmpty()) {
                        one.waiting = new ArrayList<>(2);
                    }
                    one.waiting.add(then);
                }
                return true;
            }
        }
        then.run();
        return true;
    }
}
