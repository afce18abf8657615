package io.carillon.cluster.link;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Messages of partitions that have no living owner, in the order in which they came. Bounded in
 * bytes and time; a repeat of one that waits is dropped, as it would only make the same work again.
 * Owner: one thread.
 */
final class Parking {
    /** No message waits longer: its sender has repeated it by then. */
    static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(4);

    /**
     * Nobody repeats what came by a connection: it waits as long as a take-over or a hand-over may
     * take ({@code ClusterTimes}).
     */
    static final long MOST_OF_CONNECTIONS_NANOS = TimeUnit.SECONDS.toNanos(27);

    /** What a message costs beside its bytes. */
    private static final int OVERHEAD_BYTES = 200;

    private final long mostBytes;
    private final LinkCounts counts;

    /** By partition: a message looks at those of its own. */
    private final Map<Integer, Set<Parked>> parked = new HashMap<>();

    private long bytes;

    Parking(long mostBytes, LinkCounts counts) {
        this.mostBytes = mostBytes;
        this.counts = counts;
    }

    /** Of all partitions. */
    static final int ALL = -1;

    /** What is to be done with a parked message now. */
    interface Decision {
        /**
         * @return true when the message has gone, false when it goes on waiting
         */
        boolean settle(LinkMessage message, long nowNanos);
    }

    /** One message; the same as another one from the same address with the same bytes. */
    private static final class Parked {
        final LinkMessage message;
        final int hash;
        final long sinceNanos;

        Parked(LinkMessage from, long nowNanos) {
            message = from.kept();
            if (message.transport().reliable()) {
                // This node answers for it from now on.
                message.numbered(0).passed(0);
            }
            hash = 31 * Arrays.hashCode(message.bytes()) + message.remote().hashCode();
            sinceNanos = nowNanos;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Parked that
                    && hash == that.hash
                    && message.remote().equals(that.message.remote())
                    && Arrays.equals(message.bytes(), that.message.bytes());
        }

        @Override
        public int hashCode() {
            return hash;
        }

        boolean old(long nowNanos) {
            long most = message.transport().reliable() ? MOST_OF_CONNECTIONS_NANOS : MOST_NANOS;
            return nowNanos - sinceNanos > most;
        }

        long bytes() {
            return (long) OVERHEAD_BYTES + message.keptBytes();
        }
    }

    boolean isEmpty() {
        return parked.isEmpty();
    }

    /** Bytes that wait. */
    long bytes() {
        return bytes;
    }

    /**
     * Parks a copy.
     *
     * @return does it wait here now, or did it before?
     */
    boolean park(LinkMessage message, long nowNanos) {
        if (bytes + OVERHEAD_BYTES + message.keptBytes() > mostBytes) {
            counts.count(LinkCounter.PARKED_FULL);
            return false;
        }
        Parked one = new Parked(message, nowNanos);
        if (!parked.computeIfAbsent(message.partition(), of -> new LinkedHashSet<>()).add(one)) {
            counts.count(LinkCounter.PARKED_REPEATS);
            return true;
        }
        bytes += one.bytes();
        counts.count(LinkCounter.PARKED);
        return true;
    }

    /**
     * Asks for each of a partition what is to be done now; drops those that have waited too long.
     *
     * @param partition or {@link #ALL}
     */
    void settle(int partition, long nowNanos, Decision decision) {
        if (partition == ALL) {
            parked.values().removeIf(of -> settle(of, nowNanos, decision));
            return;
        }
        Set<Parked> of = parked.get(partition);
        if (of != null && settle(of, nowNanos, decision)) {
            parked.remove(partition);
        }
    }

    /** True when none is left. */
    private boolean settle(Set<Parked> of, long nowNanos, Decision decision) {
        Iterator<Parked> all = of.iterator();
        while (all.hasNext()) {
            Parked one = all.next();
            boolean gone = decision.settle(one.message, nowNanos);
            if (!gone && one.old(nowNanos)) {
                counts.count(LinkCounter.PARKED_EXPIRED);
                gone = true;
            }
            if (gone) {
                all.remove();
                bytes -= one.bytes();
            }
        }
        return of.isEmpty();
    }
}
