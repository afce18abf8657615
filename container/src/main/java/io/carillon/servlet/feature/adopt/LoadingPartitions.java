package io.carillon.servlet.feature.adopt;

import io.carillon.sip.guard.Shares;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The partitions whose records are being looked through, and who waits for the end of that: a
 * message for its own partition, and who does not know his for all of them. One source has its
 * share of who may wait: else what it sends keeps the calls of others out.
 *
 * <p>Any thread; guarded by its own monitor, under which nothing else is called.
 */
final class LoadingPartitions {
    /** Who does not know his partition. */
    static final int UNKNOWN = -1;

    /** Messages that may wait; their bytes are bounded by who brings them. */
    static final int MOST_WAITING = 10_000;

    /** Of nobody: an application, or a page. */
    static final int NOBODY = Shares.NONE;

    /** Who waits, and where it is counted. */
    private record Waiting(Runnable then, int place) {}

    private static final class Loading {
        private final long term;
        private final long sinceMillis;
        private List<Waiting> waiting = List.of();

        Loading(long term, long sinceMillis) {
            this.term = term;
            this.sinceMillis = sinceMillis;
        }
    }

    private final Map<Integer, Loading> partitions = new HashMap<>();
    private final Supplier<Shares> makesShares;

    /** Made when somebody waits for the first time. */
    private @Nullable Shares shares;

    /** For all. */
    private List<Waiting> waiting = new ArrayList<>();

    private int count;
    private volatile boolean empty = true;

    /**
     * @param shares of {@link #MOST_WAITING}
     */
    LoadingPartitions(Supplier<Shares> shares) {
        makesShares = shares;
    }

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

    /**
     * Has one of these begun less than so long ago?
     *
     * @param partition {@link #UNKNOWN}: any
     */
    boolean isYounger(int partition, long millis, long nowMillis) {
        if (empty) {
            return false;
        }
        synchronized (this) {
            Loading one = partitions.get(partition);
            return partition < 0
                    ? partitions.values().stream()
                            .anyMatch(each -> nowMillis - each.sinceMillis < millis)
                    : one != null && nowMillis - one.sinceMillis < millis;
        }
    }

    /** False where that is under way already, or a later term is. */
    synchronized boolean begin(int partition, long term, long nowMillis) {
        Loading before = partitions.get(partition);
        if (before != null && before.term >= term) {
            return false;
        }
        Loading now = new Loading(term, nowMillis);
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
        List<Waiting> all = new ArrayList<>();
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
            all.forEach(this::waitsNoMore);
        }
        Waiters.goOn(all.stream().map(Waiting::then).toList());
    }

    private void waitsNoMore(Waiting one) {
        Shares counted = shares;
        if (counted != null) {
            counted.giveBack(one.place, 1);
        }
    }

    /**
     * Waits for that partition; at once when it is not under way any more.
     *
     * @param partition {@link #UNKNOWN}: for all
     * @param place where it is counted
     * @return false when there is no room
     */
    boolean await(int partition, Runnable then, int place) {
        synchronized (this) {
            Loading one = partitions.get(partition);
            if (partition < 0 ? !partitions.isEmpty() : one != null) {
                return counts(place) && waits(one, new Waiting(then, place));
            }
        }
        then.run();
        return true;
    }

    /** Has it room? Then it is counted. */
    private boolean counts(int place) {
        Shares counted = shares;
        if (counted == null) {
            counted = makesShares.get();
            shares = counted;
        }
        if (count >= MOST_WAITING || (counted.bind(count) && counted.full(place, count))) {
            return false;
        }
        counted.take(place, 1);
        count++;
        return true;
    }

    /**
     * @param partition null: for all
     */
    private boolean waits(@Nullable Loading partition, Waiting one) {
        if (partition == null) {
            return waiting.add(one);
        }
        if (partition.waiting.isEmpty()) {
            partition.waiting = new ArrayList<>(2);
        }
        return partition.waiting.add(one);
    }
}
