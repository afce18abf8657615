package io.carillon.sip.observe;

import io.carillon.sip.message.SipMessage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counters of one shard. Written by the shard's thread only, read by any: a read may be a moment
 * old, it is never torn.
 */
@SuppressWarnings("EnumOrdinal") // an array by counter is the point of it
public final class StackCounters {
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final Counter[] ALL = Counter.values();

    /** Messages up to here are part of what a transaction weighs: the table's cap bounds them. */
    private static final int USUAL_BYTES = 512;

    /**
     * Requests of ours from here on count for whoever made us send them, and are refused where
     * there is no room: up to here the table bounds them.
     */
    private static final int LARGE_BYTES = 1536;

    /**
     * From here on a message is a large one, and has but a part of the room. Offers of browsers,
     * the largest that calls of people need, are smaller.
     */
    private static final int SMALL_BYTES = 8 << 10;

    // Behind the counters: what goes up and down.
    private static final int LINGERING = ALL.length;
    private static final int HELD_BYTES = ALL.length + 1;
    private static final int HELD_LARGE = ALL.length + 2;

    private final long[] cells = new long[ALL.length + 3];

    public StackCounters() {}

    public void add(Counter counter) {
        int i = counter.ordinal();
        CELLS.setOpaque(cells, i, cells[i] + 1);
    }

    public void responseIn(int status) {
        addClass(Counter.RESPONSES_IN_1XX, status);
    }

    public void responseOut(int status) {
        addClass(Counter.RESPONSES_OUT_1XX, status);
    }

    private void addClass(Counter first, int status) {
        int i = first.ordinal() + Math.clamp(status / 100, 1, 6) - 1;
        CELLS.setOpaque(cells, i, cells[i] + 1);
    }

    /** So many more transactions that had their final response. */
    public void lingers(int change) {
        CELLS.setOpaque(cells, LINGERING, cells[LINGERING] + change);
    }

    public int lingering() {
        return (int) (long) CELLS.getOpaque(cells, LINGERING);
    }

    /** One thing that is kept for an open request has so many bytes now. */
    public void holds(int before, int now) {
        CELLS.setOpaque(cells, HELD_BYTES, cells[HELD_BYTES] + now - before);
        int large = (isLarge(now) ? now : 0) - (isLarge(before) ? before : 0);
        if (large != 0) {
            CELLS.setOpaque(cells, HELD_LARGE, cells[HELD_LARGE] + large);
        }
    }

    /** Does a message, or what it is counted with, of so many bytes belong to the large ones? */
    public static boolean isLarge(int size) {
        return size > SMALL_BYTES;
    }

    /**
     * Bytes of a SipMessage or array beyond those of a usual message. What lingers is counted with
     * them: else a flood of the largest messages would fill the heap long before the table.
     */
    public static int surplus(@Nullable Object message) {
        return switch (message) {
            case SipMessage whole -> surplus(whole.length());
            case byte[] bytes -> surplus(bytes.length);
            case null, default -> 0;
        };
    }

    /** Bytes of a message of that length beyond those of a usual one. */
    public static int surplus(int length) {
        return Math.max(0, length - USUAL_BYTES);
    }

    /**
     * As {@link #surplus(Object)}, where it is worth to be counted for a source too: up to there
     * the share of transactions bounds it.
     */
    public static boolean countsForSource(int surplus) {
        return surplus > LARGE_BYTES - USUAL_BYTES;
    }

    public long heldBytes() {
        return (long) CELLS.getOpaque(cells, HELD_BYTES);
    }

    /** Bytes of large ones among them. */
    public long heldLarge() {
        return (long) CELLS.getOpaque(cells, HELD_LARGE);
    }

    /** The value now. */
    public long get(Counter counter) {
        return (long) CELLS.getOpaque(cells, counter.ordinal());
    }

    /** All values. */
    public Map<Counter, Long> snapshot() {
        Map<Counter, Long> all = new EnumMap<>(Counter.class);
        for (Counter c : ALL) {
            all.put(c, get(c));
        }
        return all;
    }
}
