package io.carillon.sip.header;

import io.carillon.sip.bytes.Ascii;
import java.util.Arrays;
import java.util.List;

/**
 * The numbers of the known header names by their bytes. A name of up to sixteen bytes is two longs,
 * letters in lower case, which stand beside each other: finding one costs a look at one place in
 * memory, where a walk over the names' own objects would cost several. Immutable; any thread.
 */
final class NameTable {
    private static final int MOST_BYTES = 16;

    /** A power of two, and large enough that few names meet. */
    private static final int PLACES = 512;

    /** First and second half of the name at each place; 0 and 0 where there is none. */
    private final long[] halves = new long[2 * PLACES];

    private final byte[] ids = new byte[PLACES];
    private final byte[] byLetter = new byte[32];

    NameTable(List<HeaderName> names) {
        Arrays.fill(byLetter, (byte) HeaderName.GENERIC);
        for (HeaderName name : names) {
            String compact = name.compact();
            if (compact != null) {
                byLetter[compact.charAt(0) & 31] = (byte) name.id();
            }
            byte[] b = name.linePrefix(false);
            int length = b.length - 2;
            if (length <= MOST_BYTES) {
                byte[] padded = Arrays.copyOf(b, MOST_BYTES);
                put(half(padded, 0, length), half(padded, 8, length - 8), name.id());
            }
        }
    }

    private void put(long first, long second, int id) {
        int at = place(first, second);
        while (halves[2 * at] != 0) {
            at = at + 1 & PLACES - 1;
        }
        halves[2 * at] = first;
        halves[2 * at + 1] = second;
        ids[at] = (byte) id;
    }

    /** Can {@link #find} tell whether a name of that length is known? */
    static boolean holds(byte[] b, int from, int to) {
        return to - from <= MOST_BYTES && from + MOST_BYTES <= b.length;
    }

    /**
     * The number of the name.
     *
     * @param from where a token begins, with sixteen bytes from there in the array
     * @param to where it ends, at least one and at most sixteen bytes behind
     * @return {@link HeaderName#GENERIC} when it is none of ours
     */
    int find(byte[] b, int from, int to) {
        int length = to - from;
        if (length == 1) {
            return Ascii.isAlpha(b[from]) ? byLetter[b[from] & 31] : HeaderName.GENERIC;
        }
        long first = half(b, from, length);
        long second = half(b, from + 8, length - 8);
        for (int at = place(first, second); halves[2 * at] != 0; at = at + 1 & PLACES - 1) {
            if (halves[2 * at] == first && halves[2 * at + 1] == second) {
                return ids[at];
            }
        }
        return HeaderName.GENERIC;
    }

    // The bit of lower case is set in hyphens and digits too, and no other character of a token
    // becomes one of them or a letter by it.
    private static long half(byte[] b, int from, int length) {
        if (length <= 0) {
            return 0;
        }
        long eight = Ascii.eightBytes(b, from) | 0x2020_2020_2020_2020L;
        return length >= 8 ? eight : eight & ((1L << (8 * length)) - 1);
    }

    private static int place(long first, long second) {
        long h = (first ^ second * 31) * 0x9E3779B97F4A7C15L;
        return (int) (h >>> 55) & PLACES - 1;
    }
}
