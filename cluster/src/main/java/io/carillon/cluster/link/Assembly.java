package io.carillon.cluster.link;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages together that came in parts: those near the most that a datagram can hold. Holds a
 * few at a time, for a second; the oldest makes room. Owner: one thread.
 */
final class Assembly {
    static final int MOST = 8;
    static final long WITHIN_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final @Nullable Unfinished[] all = new @Nullable Unfinished[MOST];
    private final LinkCounts counts;

    Assembly(LinkCounts counts) {
        this.counts = counts;
    }

    /** Of one message: which parts have come. */
    private static final class Unfinished {
        final int sender;
        final int stream;
        final long first;
        final long sinceNanos;
        final byte[][] parts;

        Unfinished(FrameReader frame, long first, long nowNanos) {
            sender = frame.sender();
            stream = frame.stream();
            this.first = first;
            sinceNanos = nowNanos;
            parts = new byte[frame.partCount()][];
        }

        boolean is(FrameReader frame, long number) {
            return first == number
                    && sender == frame.sender()
                    && stream == frame.stream()
                    && parts.length == frame.partCount();
        }
    }

    /**
     * Takes a part; the message is whole when this says so.
     *
     * @param message what the part says, which becomes the whole
     */
    boolean take(FrameReader frame, LinkMessage message, long nowNanos) {
        int count = frame.partCount();
        int index = frame.partIndex();
        if (index >= count || count > FrameFormat.MOST_PARTS) {
            counts.count(LinkCounter.DROPPED_UNREADABLE);
            return false;
        }
        int slot = slot(frame, frame.sequence() - index, nowNanos);
        Unfinished one = all[slot];
        if (one == null) {
            return false;
        }
        one.parts[index] = message.copy();
        int length = 0;
        for (byte[] part : one.parts) {
            if (part == null) {
                return false;
            }
            length += part.length;
        }
        all[slot] = null;
        byte[] whole = new byte[length];
        int at = 0;
        for (byte[] part : one.parts) {
            System.arraycopy(part, 0, whole, at, part.length);
            at += part.length;
        }
        message.message(whole, 0, length);
        return true;
    }

    private int slot(FrameReader frame, long first, long nowNanos) {
        int free = -1;
        int oldest = 0;
        for (int i = 0; i < MOST; i++) {
            Unfinished one = all[i];
            if (one != null && nowNanos - one.sinceNanos > WITHIN_NANOS) {
                counts.count(LinkCounter.PARTS_LOST);
                all[i] = null;
                one = null;
            }
            if (one == null) {
                free = i;
            } else if (one.is(frame, first)) {
                return i;
            } else {
                Unfinished eldest = all[oldest];
                if (eldest == null || one.sinceNanos - eldest.sinceNanos < 0) {
                    oldest = i;
                }
            }
        }
        int slot = free >= 0 ? free : oldest;
        if (free < 0) {
            counts.count(LinkCounter.PARTS_LOST);
        }
        all[slot] = new Unfinished(frame, first, nowNanos);
        return slot;
    }
}
