package io.carillon.cluster.link;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Messages for connections that a router has not yet said to have taken: nobody repeats what goes
 * over TCP, so they are sent again here. Each is let go when it was taken, when its router is dead,
 * or after a second; all together are bounded in bytes, and what is more is sent once.
 *
 * <p>Owner: one thread.
 */
final class Unacknowledged {
    static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(1500);
    static final long MOST_BYTES = 4L << 20;
    private static final int OVERHEAD_BYTES = 300;
    private static final int STREAMS = 256;

    private final Map<Long, Sent> all = new LinkedHashMap<>();
    private final LinkCounts counts;

    private long last;
    private long bytes;

    private static final class Sent {
        final LinkMessage message;
        final long sinceNanos;
        long nextNanos;
        long afterNanos = FIRST_NANOS;

        Sent(LinkMessage message, long nowNanos) {
            this.message = message;
            sinceNanos = nowNanos;
            nextNanos = nowNanos + afterNanos;
        }

        long bytes() {
            return (long) OVERHEAD_BYTES + message.length();
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

    /** Sends a message again. */
    interface Again {
        /**
         * @return false when there is nobody to send it to
         */
        boolean send(LinkMessage message);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** Numbers a message that is about to be sent, and keeps a copy. */
    void keep(LinkMessage message, long nowNanos) {
        if (bytes + OVERHEAD_BYTES + message.length() > MOST_BYTES) {
            counts.count(LinkCounter.UNKEPT);
            return;
        }
        last += STREAMS;
        message.numbered(last);
        Sent sent = new Sent(message.kept(), nowNanos);
        all.put(last, sent);
        bytes += sent.bytes();
    }

    /** The router has it. */
    void taken(long number) {
        Sent sent = all.remove(number);
        if (sent != null) {
            bytes -= sent.bytes();
        }
    }

    /** Sends those again whose time has come. */
    void advance(long nowNanos, Again again) {
        Iterator<Sent> each = all.values().iterator();
        while (each.hasNext()) {
            Sent sent = each.next();
            if (nowNanos - sent.nextNanos < 0) {
                continue;
            }
            boolean late = nowNanos - sent.sinceNanos > MOST_NANOS;
            if (late || !again.send(sent.message)) {
                counts.count(LinkCounter.UNTAKEN);
                each.remove();
                bytes -= sent.bytes();
            } else {
                counts.count(LinkCounter.SENT_AGAIN);
                sent.afterNanos *= 2;
                sent.nextNanos = nowNanos + sent.afterNanos;
            }
        }
    }
}
