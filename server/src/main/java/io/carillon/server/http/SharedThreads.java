package io.carillon.server.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that requests of many sources share. A source may hold as many threads as it leaves free,
 * so that one that holds them does not keep others from being served; what it asks for beyond waits
 * for them. A free thread is for the source that holds fewest, each in its turn. Where too many
 * wait, one of the source that has most waiting gives way.
 *
 * <p>A few sources have all threads nevertheless, and work that waits for its own visitor may have
 * no end in sight. So where no thread is free for a source that holds none, such work gives way: of
 * the source that holds most, and of sources with one thread each after a while.
 *
 * <p>Sources that are exempt may hold all threads, and give way last where too many wait.
 *
 * <p>Any thread, one lock for some steps. Bounded by both limits; no work runs under the lock.
 */
final class SharedThreads {
    /** Something to be done, once. */
    interface Work {
        /** On a thread; may wait. */
        void run();

        /** There is neither a thread nor a place to wait. Must not wait. */
        void refuse();

        /** Does it wait now for whom it is done for? While it runs; must not wait. */
        default boolean stalls() {
            return false;
        }

        /** Ends soon, for others. While it runs, at most once; must not wait. */
        default void giveWay() {}
    }

    /** Work on a thread. */
    private static final class Running {
        final Work work;
        final long since;
        boolean leaving;

        Running(Work work, long since) {
            this.work = work;
            this.since = since;
        }
    }

    /** How long a source's only thread is its own, whatever it does. */
    static final long OWN_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Those who have one address, as long as they hold something. */
    private static final class Source {
        final long key;
        final boolean exempt;
        final List<Running> running = new ArrayList<>();
        final ArrayDeque<Work> waiting = new ArrayDeque<>();

        Source(long key, boolean exempt) {
            this.key = key;
            this.exempt = exempt;
        }

        int counted() {
            return exempt ? 0 : running.size();
        }
    }

    private final Executor pool;
    private final int threads;
    private final int mostWaiting;
    private final LongPredicate exempt;
    private final LongSupplier nanos;

    // Guarded by this. In the order in which they were served last.
    private final LinkedHashMap<Long, Source> sources = new LinkedHashMap<>();

    private int working;
    private int waiting;
    private int leaving;

    /**
     * @param pool has so many threads
     * @param mostWaiting of all sources together
     * @param exempt sources by their {@link io.carillon.sip.guard.SourceKey}
     * @param nanos the time
     */
    SharedThreads(
            Executor pool, int threads, int mostWaiting, LongPredicate exempt, LongSupplier nanos) {
        this.pool = pool;
        this.threads = threads;
        this.mostWaiting = mostWaiting;
        this.exempt = exempt;
        this.nanos = nanos;
    }

    /** Has something done on a thread, at once or later, or refuses it or another. */
    void execute(long key, Work work) {
        Source source;
        Running begins = null;
        Work refused = null;
        Work last = null;
        synchronized (this) {
            source = sources.computeIfAbsent(key, k -> new Source(key, exempt.test(key)));
            if (mayBegin(source)) {
                begins = begin(source, work);
            } else {
                refused = await(source, work);
                last = givesWay();
            }
        }
        if (begins != null) {
            start(source, begins);
        }
        if (refused != null) {
            refused.refuse();
        }
        if (last != null) {
            last.giveWay();
        }
    }

    /** To be called from time to time: has somebody kept others waiting for long enough? */
    void look() {
        Work last;
        do {
            synchronized (this) {
                last = givesWay();
            }
            if (last != null) {
                last.giveWay();
            }
        } while (last != null);
    }

    /** What is to make room for sources that wait and hold nothing, or null. */
    private @Nullable Work givesWay() {
        if (working < threads || leaving >= newcomers()) {
            return null;
        }
        Source most = null;
        Running of = null;
        for (Source source : sources.values()) {
            Running one = source.exempt ? null : stalling(source);
            if (one != null
                    && (most == null
                            || of == null
                            || source.running.size() > most.running.size()
                            || (source.running.size() == most.running.size()
                                    && one.since - of.since < 0))) {
                most = source;
                of = one;
            }
        }
        if (most == null
                || of == null
                || (most.running.size() < 2 && nanos.getAsLong() - of.since < OWN_NANOS)) {
            return null;
        }
        of.leaving = true;
        leaving++;
        return of.work;
    }

    private int newcomers() {
        int count = 0;
        for (Source source : sources.values()) {
            count += source.running.isEmpty() && !source.waiting.isEmpty() ? 1 : 0;
        }
        return count;
    }

    /** The one that began first. */
    private static @Nullable Running stalling(Source source) {
        for (Running one : source.running) {
            if (!one.leaving && one.work.stalls()) {
                return one;
            }
        }
        return null;
    }

    private boolean mayBegin(Source source) {
        return source.counted() < threads - working;
    }

    private Running begin(Source source, Work work) {
        Running running = new Running(work, nanos.getAsLong());
        source.running.add(running);
        working++;
        return running;
    }

    /** What has to give way for it, or null. */
    private @Nullable Work await(Source source, Work work) {
        source.waiting.add(work);
        if (waiting < mostWaiting) {
            waiting++;
            return null;
        }
        Source most = source;
        for (Source other : sources.values()) {
            if (places(other) > places(most)) {
                most = other;
            }
        }
        Work last = most.waiting.removeLast();
        drop(most);
        return last;
    }

    private static int places(Source source) {
        return source.exempt ? Math.min(1, source.waiting.size()) : source.waiting.size();
    }

    private void drop(Source source) {
        if (source.running.isEmpty() && source.waiting.isEmpty()) {
            sources.remove(source.key);
        }
    }

    private void start(Source source, Running running) {
        try {
            pool.execute(() -> {
                try {
                    running.work.run();
                } finally {
                    ended(source, running);
                }
            });
        } catch (RejectedExecutionException stopping) {
            ended(source, running);
            running.work.refuse();
        }
    }

    private void ended(Source source, Running ended) {
        Source next;
        Running running;
        synchronized (this) {
            source.running.remove(ended);
            working--;
            leaving -= ended.leaving ? 1 : 0;
            drop(source);
            // One thread has become free, so one at most may begin.
            next = next();
            if (next == null) {
                return;
            }
            running = begin(next, next.waiting.remove());
            waiting--;
            sources.remove(next.key);
            sources.put(next.key, next);
        }
        start(next, running);
    }

    private @Nullable Source next() {
        Source fewest = null;
        for (Map.Entry<Long, Source> one : sources.entrySet()) {
            Source source = one.getValue();
            if (!source.waiting.isEmpty()
                    && mayBegin(source)
                    && (fewest == null || source.counted() < fewest.counted())) {
                fewest = source;
            }
        }
        return fewest;
    }

    /** What waits for a thread. */
    synchronized int waiting() {
        return waiting;
    }

    /** Sources that hold or wait for threads. */
    synchronized int sources() {
        return sources.size();
    }
}
