package io.carillon.server.http;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Threads that requests of many sources share. A source may hold as many threads as it leaves free,
 * so that one that holds them does not keep others from being served; what it asks for beyond waits
 * for them. A free thread is for the source that holds fewest, each in its turn. Where too many
 * wait, one of the source that has most waiting gives way.
 *
 * <p>Sources that are exempt may hold all threads, and give way last.
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
    }

    /** Those who have one address, as long as they hold something. */
    private static final class Source {
        final long key;
        final boolean exempt;
        int working;
        final ArrayDeque<Work> waiting = new ArrayDeque<>();

        Source(long key, boolean exempt) {
            this.key = key;
            this.exempt = exempt;
        }

        int counted() {
            return exempt ? 0 : working;
        }
    }

    private final Executor pool;
    private final int threads;
    private final int mostWaiting;
    private final LongPredicate exempt;

    // Guarded by this. In the order in which they were served last.
    private final LinkedHashMap<Long, Source> sources = new LinkedHashMap<>();

    private int working;
    private int waiting;

    /**
     * @param pool has so many threads
     * @param mostWaiting of all sources together
     * @param exempt sources by their {@link io.carillon.sip.guard.SourceKey}
     */
    SharedThreads(Executor pool, int threads, int mostWaiting, LongPredicate exempt) {
        this.pool = pool;
        this.threads = threads;
        this.mostWaiting = mostWaiting;
        this.exempt = exempt;
    }

    /** Has something done on a thread, at once or later, or refuses it or another. */
    void execute(long key, Work work) {
        Source begins = null;
        Work refused = null;
        synchronized (this) {
            Source source = sources.computeIfAbsent(key, k -> new Source(key, exempt.test(key)));
            if (mayBegin(source)) {
                begin(source);
                begins = source;
            } else {
                refused = await(source, work);
            }
        }
        if (begins != null) {
            start(begins, work);
        }
        if (refused != null) {
            refused.refuse();
        }
    }

    private boolean mayBegin(Source source) {
        return source.counted() < threads - working;
    }

    private void begin(Source source) {
        source.working++;
        working++;
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
        if (source.working == 0 && source.waiting.isEmpty()) {
            sources.remove(source.key);
        }
    }

    private void start(Source source, Work work) {
        try {
            pool.execute(() -> {
                try {
                    work.run();
                } finally {
                    ended(source);
                }
            });
        } catch (RejectedExecutionException stopping) {
            ended(source);
            work.refuse();
        }
    }

    private void ended(Source source) {
        Source next;
        Work work;
        synchronized (this) {
            source.working--;
            working--;
            drop(source);
            // One thread has become free, so one at most may begin.
            next = next();
            if (next == null) {
                return;
            }
            work = next.waiting.remove();
            waiting--;
            begin(next);
            sources.remove(next.key);
            sources.put(next.key, next);
        }
        start(next, work);
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
