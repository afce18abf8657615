package io.carillon.net.resolve;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.shard.ShardLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one question, and who waits for it. Any thread; the monitor is held for a few
 * instructions only.
 */
final class CachedAnswer {
    /**
     * Who waits.
     *
     * @param place where whoever made us ask is counted
     */
    record Waiter(int place, ShardLoop loop, Consumer<DnsAnswer> result) {
        void tell(DnsAnswer answer) {
            loop.execute(() -> result.accept(answer));
        }
    }

    /**
     * Who has to give way to others.
     *
     * @param serves an answer that had its time, or that there is none
     */
    record Shed(Waiter waiter, DnsAnswer serves) {
        void tell() {
            ShardLoop loop = waiter.loop();
            NetworkCounter counter =
                    serves instanceof DnsAnswer.Found
                            ? NetworkCounter.LOOKUPS_STALE
                            : NetworkCounter.LOOKUPS_TOO_MANY_WAITING;
            loop.execute(() -> loop.tally().count(counter));
            waiter.tell(serves);
        }
    }

    private @Nullable DnsAnswer answer;
    private long untilNanos;

    /** An answer that had its time, for when no new one is to be had. */
    private DnsAnswer.@Nullable Found last;

    private long lastUntilNanos;
    private boolean asking;

    /** Records that it counts for in the table; it counts for none any more once it was dropped. */
    private int weight;

    private boolean dropped;
    private List<Waiter> waiters = new ArrayList<>();

    /** The answer, if it has not had its time. */
    synchronized @Nullable DnsAnswer known(long nowNanos) {
        return answer != null && nowNanos - untilNanos < 0 ? answer : null;
    }

    synchronized boolean idle() {
        return !asking;
    }

    /**
     * An answer that had its time and may still serve, or null. RFC 8767: data that had its time is
     * better than none.
     */
    synchronized DnsAnswer.@Nullable Found stale(long nowNanos) {
        return last != null && nowNanos - lastUntilNanos < 0 ? last : null;
    }

    /** Does it hold nothing, and nobody asks? */
    synchronized boolean blank() {
        return answer == null && last == null && !asking;
    }

    /** When its answer has had its time. */
    synchronized long untilNanos() {
        return untilNanos;
    }

    /** Adds one who waits; true when he is the first, and the question has to be asked. */
    synchronized boolean join(Waiter waiter) {
        waiters.add(waiter);
        boolean first = !asking;
        asking = true;
        return first;
    }

    /** The youngest of that place who waits gives way; null when none does. */
    synchronized @Nullable Shed shed(int place, long nowNanos) {
        for (int i = waiters.size() - 1; i >= 0; i--) {
            if (waiters.get(i).place() == place) {
                DnsAnswer.Found old = stale(nowNanos);
                return new Shed(waiters.remove(i), old == null ? DnsAnswer.failed() : old);
            }
        }
        return null;
    }

    /** Does one of that place wait? */
    synchronized boolean awaitedBy(int place) {
        for (Waiter waiter : waiters) {
            if (waiter.place() == place) {
                return true;
            }
        }
        return false;
    }

    /** Who has waited longest; null when nobody waits. */
    synchronized @Nullable Waiter first() {
        return waiters.isEmpty() ? null : waiters.getFirst();
    }

    /** Its question is not asked after all. */
    synchronized void notAsked() {
        asking = false;
    }

    /** What its records add to those of the table since it was weighed last. */
    synchronized int weigh() {
        DnsAnswer.Found old = last;
        int now = dropped || old == null ? 0 : old.records().size();
        int change = now - weight;
        weight = now;
        return change;
    }

    /** The table has forgotten it: what its records add from now on. */
    synchronized int dropped() {
        dropped = true;
        return weigh();
    }

    /** The answer has come; who was told. */
    List<Waiter> answer(DnsAnswer given, long seconds, DnsConfig.Cache cache, LongSupplier clock) {
        long now = clock.getAsLong();
        DnsAnswer serves = given;
        boolean stale = false;
        List<Waiter> told;
        synchronized (this) {
            DnsAnswer.Found old = stale(now);
            if (given instanceof DnsAnswer.Failed && old != null) {
                serves = old;
                stale = true;
            }
            answer = serves;
            untilNanos = now + TimeUnit.SECONDS.toNanos(seconds);
            if (given instanceof DnsAnswer.Found found) {
                last = found;
                lastUntilNanos = untilNanos + TimeUnit.SECONDS.toNanos(cache.staleSeconds());
            }
            asking = false;
            told = waiters;
            waiters = new ArrayList<>();
        }
        if (given instanceof DnsAnswer.Failed && !told.isEmpty()) {
            ShardLoop loop = told.getFirst().loop();
            NetworkCounter counter =
                    stale ? NetworkCounter.LOOKUPS_STALE : NetworkCounter.LOOKUPS_FAILED;
            loop.execute(() -> loop.tally().count(counter));
        }
        for (Waiter waiter : told) {
            waiter.tell(serves);
        }
        return told;
    }
}
