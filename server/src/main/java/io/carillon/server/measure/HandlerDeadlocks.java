package io.carillon.server.measure;

import io.carillon.servlet.threads.RunningHandler;
import java.lang.Thread.State;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds handlers that wait for locks of each other, so that none of them ever goes on. Who waits
 * for a monitor is seen in a dump of all threads, as virtual ones show it nowhere else; who waits
 * for a {@code java.util.concurrent} lock, by the lock itself ({@link ThreadLocks}).
 *
 * <p>A dump is made only while a handler is blocked on a monitor, not twice for the same ones
 * within {@value #SAME_SECONDS} s, and no more than a twentieth of the time.
 *
 * <p>Any thread; guarded by its own monitor. It holds numbers of the handlers that wait now.
 */
public final class HandlerDeadlocks {
    static final long SAME_SECONDS = 30;

    private static final long SAME_NANOS = TimeUnit.SECONDS.toNanos(SAME_SECONDS);
    private static final long LEAST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int PART = 20;

    /** A dump of so many is large, and what is known of those who came first holds. */
    private static final int MANY = 1_000;

    private static final long MANY_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Supplier<ThreadLocks> dump;
    private Set<Long> seen = Set.of();
    private long seenNanos;
    private boolean looked;
    private long nextNanos;

    /** Who waits for whom by monitors, as the last dump had it. */
    private ThreadLocks monitors = ThreadLocks.NONE;

    /** Of this JVM. */
    public HandlerDeadlocks() {
        this(ThreadLocks::dump);
    }

    HandlerDeadlocks(Supplier<ThreadLocks> dump) {
        this.dump = dump;
    }

    /**
     * Which of these are in a deadlock.
     *
     * @param running handlers that run for long
     * @return by the number of its thread, for whom each waits, in words
     */
    public synchronized Map<Long, String> among(List<RunningHandler> running, long nowNanos) {
        Map<Long, RunningHandler> waiting = new HashMap<>();
        Set<Long> blocked = new HashSet<>();
        Map<Long, Long> waitsFor = new HashMap<>();
        for (RunningHandler one : running) {
            State state = one.thread().getState();
            if (state == State.BLOCKED) {
                blocked.add(one.thread().threadId());
            } else if (state == State.WAITING) {
                ThreadLocks.follow(one.thread(), waitsFor);
            } else {
                continue;
            }
            waiting.put(one.thread().threadId(), one);
        }
        look(blocked, nowNanos);
        blocked.forEach(thread -> monitors.follow(thread, waitsFor));
        Map<Long, String> found = new HashMap<>();
        for (Long thread : circles(waitsFor)) {
            Long next = waitsFor.get(thread);
            if (next != null && waiting.containsKey(thread)) {
                found.put(thread, words(next, waiting.get(next)));
            }
        }
        return found;
    }

    private void look(Set<Long> blocked, long nowNanos) {
        if (blocked.isEmpty()) {
            monitors = ThreadLocks.NONE;
            seen = Set.of();
        } else if ((!looked || nowNanos - nextNanos >= 0)
                && !(blocked.equals(seen) && nowNanos - seenNanos < SAME_NANOS)) {
            long began = System.nanoTime();
            monitors = dump.get();
            long least = blocked.size() > MANY ? MANY_PAUSE_NANOS : LEAST_PAUSE_NANOS;
            long pause = Math.max(least, PART * (System.nanoTime() - began));
            looked = true;
            seen = blocked;
            seenNanos = nowNanos;
            nextNanos = nowNanos + pause;
        }
    }

    /** Who waits for himself by way of others; each thread is looked at once. */
    private static Set<Long> circles(Map<Long, Long> waitsFor) {
        Map<Long, Integer> walks = new HashMap<>();
        Set<Long> found = new HashSet<>();
        int walk = 0;
        for (Long start : waitsFor.keySet()) {
            walk++;
            Long at = start;
            while (at != null && walks.putIfAbsent(at, walk) == null) {
                at = waitsFor.get(at);
            }
            boolean met = at != null && walks.getOrDefault(at, 0) == walk;
            while (met && at != null && found.add(at)) {
                at = waitsFor.get(at);
            }
        }
        return found;
    }

    private String words(long thread, @Nullable RunningHandler handler) {
        return handler == null
                ? "thread " + monitors.name(thread)
                : handler.application()
                        + ", "
                        + handler.servlet()
                        + ", "
                        + handler.method()
                        + " of call "
                        + handler.callId();
    }
}
