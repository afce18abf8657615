package io.carillon.cluster.link;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Messages for connections that a router has not yet said to have taken: nobody repeats what goes
 * over TCP, so they are sent again here. Each is let go when it was taken, when its router is dead,
 * or after some seconds; all together are bounded in bytes, and what is more is sent once. What
 * goes to one connection for one partition goes one after the other, so that a repeat is not
 * overtaken.
 *
 * <p>Owner: one thread.
 */
final class Unacknowledged {
    static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Longer than a router may stand still and keep its connections. */
    static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(4);

    private static final long SELDOM_NANOS = TimeUnit.MILLISECONDS.toNanos(800);
    static final long MOST_BYTES = 4L << 20;
    private static final int OVERHEAD_BYTES = 300;
    private static final int STREAMS = 256;

    private final Map<Long, Sent> all = new LinkedHashMap<>();

    /** The same by connection and partition, in order: the first of each is under way. */
    private final Map<Way, ArrayDeque<Sent>> ways = new HashMap<>();

    private final LinkCounts counts;

    private long last;
    private long bytes;

    /**
     * What goes one after the other.
     *
     * @param server where no connection is named
     */
    private record Way(
            int router, long connection, @Nullable InetSocketAddress server, int partition) {
        static Way of(LinkMessage message) {
            return new Way(
                    message.router(),
                    message.connection(),
                    message.connection() == 0 ? message.remote() : null,
                    message.partition());
        }
    }

    private static final class Sent {
        final LinkMessage message;
        final long number;
        final Way way;
        long sinceNanos;
        long nextNanos;
        long afterNanos = FIRST_NANOS;

        /** Another one of its way goes first. */
        boolean behind;

        Sent(LinkMessage message, long number, long nowNanos) {
            this.message = message;
            this.number = number;
            this.way = Way.of(message);
            goes(nowNanos);
        }

        void goes(long nowNanos) {
            behind = false;
            sinceNanos = nowNanos;
            nextNanos = nowNanos + afterNanos;
        }

        long bytes() {
            return (long) OVERHEAD_BYTES + message.keptBytes();
        }
    }

    /**
     * @param boot of this process: no number of an earlier one counts
     * @param stream of this thread: nor does one of another thread
     */
    Unacknowledged(LinkCounts counts, long boot, int stream) {
        this.counts = counts;
        last = boot * STREAMS + stream;
    }

    /** What became of a message that was to be sent again. */
    enum Fate {
        SENT,
        /** There is nobody to send it to. */
        NOBODY,
        /** It need not be sent any more. */
        OVER
    }

    /** Sends a message again. It calls nothing here meanwhile. */
    interface Again {
        Fate send(LinkMessage message);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** The message of that number, which is not taken yet; null for none. */
    @Nullable LinkMessage untaken(long number) {
        Sent sent = all.get(number);
        return sent == null ? null : sent.message;
    }

    /**
     * Numbers a message that is about to be sent, and keeps a copy.
     *
     * @return false where it goes later, as one of its connection and partition goes first
     */
    boolean keep(LinkMessage message, long nowNanos) {
        if (bytes + OVERHEAD_BYTES + message.keptBytes() > MOST_BYTES) {
            counts.count(LinkCounter.UNKEPT);
            message.numbered(0);
            return true;
        }
        last += STREAMS;
        message.numbered(last);
        Sent sent = new Sent(message.kept(), last, nowNanos);
        all.put(last, sent);
        bytes += sent.bytes();
        ArrayDeque<Sent> way = ways.computeIfAbsent(sent.way, key -> new ArrayDeque<>());
        sent.behind = !way.isEmpty();
        way.add(sent);
        return !sent.behind;
    }

    /** The router has it, or nobody will: the next one of its way goes. */
    void taken(long number, long nowNanos, Again again) {
        Sent done = all.remove(number);
        Sent next = done == null ? null : after(done);
        while (next != null) {
            next.goes(nowNanos);
            Fate fate = again.send(next.message);
            if (fate == Fate.SENT) {
                return;
            }
            untaken(fate);
            all.remove(next.number);
            next = after(next);
        }
    }

    private void untaken(Fate fate) {
        if (fate == Fate.NOBODY) {
            counts.count(LinkCounter.UNTAKEN);
        }
    }

    /** It is no more; what goes next on its way, or null. */
    private @Nullable Sent after(Sent done) {
        bytes -= done.bytes();
        ArrayDeque<Sent> way = ways.get(done.way);
        if (way == null) {
            return null;
        }
        way.remove(done);
        if (way.isEmpty()) {
            ways.remove(done.way);
        }
        Sent first = way.peekFirst();
        return first != null && first.behind ? first : null;
    }

    /** Sends those again whose time has come. */
    void advance(long nowNanos, Again again) {
        List<Sent> due = new ArrayList<>();
        for (Sent sent : all.values()) {
            if (!sent.behind && nowNanos - sent.nextNanos >= 0) {
                due.add(sent);
            }
        }
        for (Sent sent : due) {
            if (all.get(sent.number) != sent) {
                continue; // it went with the one before
            }
            boolean late = nowNanos - sent.sinceNanos > MOST_NANOS;
            Fate fate = late ? Fate.NOBODY : again.send(sent.message);
            if (fate != Fate.SENT) {
                untaken(fate);
                taken(sent.number, nowNanos, again);
            } else {
                counts.count(LinkCounter.SENT_AGAIN);
                sent.afterNanos = Math.min(2 * sent.afterNanos, SELDOM_NANOS);
                sent.nextNanos = nowNanos + sent.afterNanos;
            }
        }
    }
}
