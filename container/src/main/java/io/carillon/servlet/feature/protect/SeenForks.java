package io.carillon.servlet.feature.protect;

import java.util.Arrays;

/**
 * Which responses to its first INVITE have waited for the record of a call: the first 18x of each
 * fork, each reliable one, each 2xx. What comes again does not wait again. Owner: the turn.
 */
final class SeenForks {
    /** Further ones do not wait: who invents forks does not fill our memory. */
    private static final int MOST = 32;

    /** For {@link #first}: a provisional response that is not reliable. */
    static final long PLAIN = 0;

    /** For {@link #first}: a 2xx. */
    static final long SUCCESS = -1;

    private long[] seen = new long[2];
    private int count;

    /**
     * Is it the first of its kind? It is remembered.
     *
     * @param tag To tag of the response
     * @param kind {@link #PLAIN}, {@link #SUCCESS}, or the number of a reliable one
     */
    boolean first(String tag, long kind) {
        long key = (long) tag.hashCode() << 32 | (kind & 0xFFFF_FFFFL);
        for (int i = 0; i < count; i++) {
            if (seen[i] == key) {
                return false;
            }
        }
        if (count == MOST) {
            return false;
        }
        if (count == seen.length) {
            seen = Arrays.copyOf(seen, 2 * count);
        }
        seen[count++] = key;
        return true;
    }
}
