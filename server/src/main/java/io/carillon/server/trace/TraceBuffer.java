package io.carillon.server.trace;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * What was recorded, oldest first, in a bounded number of bytes: segments that are filled one after
 * the other, the oldest of which is let go when there are too many. Writers wait for each other,
 * readers for nobody: what lies before a segment's end is never written again.
 *
 * <p>Any thread. One ring for each shard, so that its writers are nearly always one.
 */
final class TraceBuffer {
    /** The largest record; a message that is longer is cut. */
    static final int MOST_BYTES = 80 << 10;

    private static final int SEGMENT_BYTES = 256 << 10;

    private static final class Segment {
        final ByteBuffer bytes = ByteBuffer.allocate(SEGMENT_BYTES);

        /** Number of its first record. */
        final long first;

        /** Everything before it is whole. */
        volatile int end;

        Segment(long first) {
            this.first = first;
        }
    }

    /** Writes one record. */
    interface Writer {
        void write(ByteBuffer out, long sequence);
    }

    private final int mostSegments;
    private final ArrayDeque<Segment> segments = new ArrayDeque<>();

    private final AtomicLong sequences;
    private boolean letGo;
    private long letGoBytes;

    /**
     * @param capacity in bytes; at least two segments are kept
     * @param sequences numbers the records of all rings
     */
    TraceBuffer(long capacity, AtomicLong sequences) {
        this.sequences = sequences;
        mostSegments = (int) Math.max(2, Math.min(capacity / SEGMENT_BYTES, Integer.MAX_VALUE));
    }

    /** Adds a record. */
    synchronized void add(Writer writer) {
        long sequence = sequences.incrementAndGet();
        Segment last = segments.peekLast();
        if (last == null || last.bytes.remaining() < MOST_BYTES) {
            if (segments.size() >= mostSegments) {
                letGoBytes += segments.removeFirst().end;
                letGo = true;
            }
            last = new Segment(sequence);
            segments.addLast(last);
        }
        ByteBuffer out = last.bytes;
        int start = out.position();
        out.position(start + Integer.BYTES);
        writer.write(out, sequence);
        out.putInt(start, out.position() - start);
        last.end = out.position();
    }

    /**
     * Gives records to the reader, each as a buffer of its own; what is added meanwhile may miss.
     *
     * @param after a segment with no record behind that number is not looked at; 0: all are
     */
    void read(long after, Consumer<ByteBuffer> reader) {
        List<Segment> all = snapshot();
        for (int i = 0; i < all.size(); i++) {
            if (i + 1 == all.size() || all.get(i + 1).first > after + 1) {
                read(all.get(i), reader);
            }
        }
    }

    private static void read(Segment segment, Consumer<ByteBuffer> reader) {
        ByteBuffer all = segment.bytes.duplicate();
        int end = segment.end;
        int at = 0;
        while (at < end) {
            int length = all.getInt(at);
            reader.accept(all.slice(at + Integer.BYTES, length - Integer.BYTES));
            at += length;
        }
    }

    /** Number of the oldest record that is kept; {@link Long#MAX_VALUE} when there is none. */
    synchronized long oldest() {
        Segment first = segments.peekFirst();
        return first == null ? Long.MAX_VALUE : first.first;
    }

    /** Was there ever more than is kept? */
    synchronized boolean letGo() {
        return letGo;
    }

    /** Bytes that gave way to others, since the start. */
    synchronized long letGoBytes() {
        return letGoBytes;
    }

    /** Bytes in use. */
    synchronized long bytes() {
        long sum = 0;
        for (Segment segment : segments) {
            sum += segment.end;
        }
        return sum;
    }

    synchronized void clear() {
        segments.clear();
        letGo = false;
    }

    private synchronized List<Segment> snapshot() {
        return new ArrayList<>(segments);
    }
}
