package io.carillon.sip.overload;

/**
 * Requests that were refused: a repeat of one that comes later is refused as well, else its sender
 * has given up what is served (RFC 3261 17.1.1.2: a client goes on for 64*T1, 32 s).
 *
 * <p>A table of fixed size, 4 MiB, made with the first refusal. Of each request it holds 24 bits of
 * a hash that nobody can foresee, and the time in quarters of a second; a stranger is taken for one
 * that was refused in one case of a million. It holds 1,048,576, in sets of 16; where a set is full
 * the oldest gives way.
 *
 * <p>Owner: the shard's thread.
 */
final class RefusedRequests {
    private static final int WAYS = 16;
    private static final int SETS = 1 << 16;
    private static final int TIME_BITS = 8;
    private static final int TIME_MASK = (1 << TIME_BITS) - 1;
    private static final long TICK_NANOS = 250_000_000;

    /** How long a request stays refused. */
    static final long KEPT_NANOS = 32_000_000_000L;

    private static final int KEPT_TICKS = (int) (KEPT_NANOS / TICK_NANOS);
    private static final int[] NONE = {};

    private int[] table = NONE;

    /** Is it one that was refused? */
    boolean contains(long hash, long nowNanos) {
        if (table.length == 0) {
            return false;
        }
        int first = first(hash);
        int wanted = mark(hash);
        int now = ticks(nowNanos);
        for (int i = first; i < first + WAYS; i++) {
            if (table[i] >>> TIME_BITS == wanted) {
                return age(table[i], now) <= KEPT_TICKS;
            }
        }
        return false;
    }

    /** It is refused. */
    void add(long hash, long nowNanos) {
        if (table.length == 0) {
            table = new int[SETS * WAYS];
        }
        int first = first(hash);
        int wanted = mark(hash);
        int now = ticks(nowNanos);
        int place = first;
        int oldest = -1;
        for (int i = first; i < first + WAYS; i++) {
            int entry = table[i];
            if (entry == 0 || entry >>> TIME_BITS == wanted) {
                place = i;
                break;
            }
            if (age(entry, now) > oldest) {
                oldest = age(entry, now);
                place = i;
            }
        }
        table[place] = wanted << TIME_BITS | now;
    }

    private static int first(long hash) {
        return (int) (hash >>> 48) * WAYS;
    }

    /** Never 0, which is an empty place. */
    private static int mark(long hash) {
        return Math.max(1, (int) hash & 0xFF_FFFF);
    }

    private static int ticks(long nowNanos) {
        return (int) (nowNanos / TICK_NANOS) & TIME_MASK;
    }

    private static int age(int entry, int now) {
        return now - entry & TIME_MASK;
    }
}
