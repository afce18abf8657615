package io.carillon.servlet.threads;

import io.carillon.sip.guard.Sources;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Platform threads for work whose virtual thread does not get to run. A source may hold a quarter
 * of what it leaves free: work that sleeps keeps its thread, and what one source or ten have sent
 * is not to take them from all others. What a source asks for beyond waits, and a free thread is
 * for the sources in their turn. What begins on its virtual thread meanwhile is left out.
 *
 * <p>Any thread, one lock for some steps; no work runs under it. Bounded by the work there is.
 */
final class RescueThreads {
    /** Of what is free a source may hold this part. */
    private static final int PART = 4;

    /** Work that may begin elsewhere too. */
    interface Job extends Runnable {
        /** Where its source is counted; {@link Sources#NOBODY} has no share. */
        int place();

        /** Has it begun? Then it is not wanted here any more. */
        boolean begun();

        /** It begins here, and nowhere else; false when it has begun. */
        boolean claim();

        /** Does the work, by whom it was claimed. */
        void perform();

        /**
         * There is no thread for it: it is left out, as it begins elsewhere.
         *
         * @return true when it was done by this call
         */
        default boolean doneWithoutThread() {
            return false;
        }
    }

    /** What the work of one source holds here, as long as it holds something. */
    private static final class Source {
        final int place;
        final ArrayDeque<Job> waiting = new ArrayDeque<>();
        int working;

        Source(int place) {
            this.place = place;
        }

        int counted() {
            return place == Sources.NOBODY ? 0 : working;
        }
    }

    private final Executor pool;
    private final int threads;
    private final LongAdder ran = new LongAdder();
    private final LongAdder notStarted = new LongAdder();

    // Guarded by this. In the order in which they were served last.
    private final LinkedHashMap<Integer, Source> sources = new LinkedHashMap<>();

    private int working;
    private int waiting;

    /**
     * @param pool has so many threads
     */
    RescueThreads(Executor pool, int threads) {
        this.pool = pool;
        this.threads = threads;
    }

    /** Has it run on a thread, at once or when there is one, unless it begins elsewhere first. */
    void add(Job job) {
        synchronized (this) {
            sources.computeIfAbsent(job.place(), Source::new).waiting.add(job);
            waiting++;
        }
        beginWaiting();
    }

    /** Whatever may begin now: one that ends may leave more than one place. */
    private void beginWaiting() {
        Source source;
        Job job;
        do {
            synchronized (this) {
                source = next();
                if (source == null) {
                    return;
                }
                job = source.waiting.remove();
                waiting--;
                begin(source);
                sources.remove(source.place);
                sources.put(source.place, source);
            }
        } while (start(source, job));
    }

    private boolean mayBegin(Source source) {
        return source.counted() < Math.ceilDiv(threads - working, PART);
    }

    private void begin(Source source) {
        source.working++;
        working++;
    }

    /** False when the pool has no thread for it, and its virtual thread is left to it. */
    private boolean start(Source source, Job job) {
        try {
            pool.execute(() -> {
                try {
                    if (job.claim()) {
                        ran.increment();
                        job.perform();
                    }
                } finally {
                    ended(source);
                }
            });
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError none) {
            // The server stops, or the system gives no thread.
            synchronized (this) {
                end(source);
            }
            notStarted.increment();
            return job.doneWithoutThread();
        }
    }

    private void end(Source source) {
        source.working--;
        working--;
        drop(source);
    }

    private void drop(Source source) {
        if (source.working == 0 && source.waiting.isEmpty()) {
            sources.remove(source.place);
        }
    }

    private void ended(Source source) {
        synchronized (this) {
            end(source);
        }
        beginWaiting();
    }

    /** One with work that has not begun. Those that are passed over hold threads: they are few. */
    private @Nullable Source next() {
        for (Iterator<Source> all = sources.values().iterator(); all.hasNext(); ) {
            Source source = all.next();
            Job first;
            while ((first = source.waiting.peek()) != null && first.begun()) {
                source.waiting.remove();
                waiting--;
            }
            if (first != null && mayBegin(source)) {
                return source;
            }
            if (first == null && source.working == 0) {
                all.remove();
            }
        }
        return null;
    }

    /** Forgets what has begun elsewhere. */
    synchronized void sweep() {
        for (Iterator<Source> all = sources.values().iterator(); all.hasNext(); ) {
            Source source = all.next();
            int before = source.waiting.size();
            source.waiting.removeIf(Job::begun);
            waiting -= before - source.waiting.size();
            if (source.working == 0 && source.waiting.isEmpty()) {
                all.remove();
            }
        }
    }

    /** Jobs that began here. */
    long ran() {
        return ran.sum();
    }

    /** Jobs for which the pool had no thread. */
    long notStarted() {
        return notStarted.sum();
    }

    /** What waits for a thread; some of it may have begun elsewhere. */
    synchronized int waiting() {
        return waiting;
    }

    /** Sources that hold or wait for threads. */
    synchronized int sources() {
        return sources.size();
    }
}
