package io.carillon.lab.load;

import io.carillon.sip.bytes.Ascii;
import io.carillon.sip.bytes.ByteWriter;

/**
 * The names that the load writes into branches, tags and Call-IDs: they say which leg a message
 * belongs to, so that no table is searched, and which use of the leg, so that a message of an
 * earlier call is known as such. Owner: the engine's thread.
 */
final class LegTokens {
    /** Nothing of ours. */
    static final long NONE = -1;

    /** RFC 3261 8.1.1.7: "The branch ID [...] MUST always begin with the characters z9hG4bK". */
    static final String COOKIE = "z9hG4bK";

    private static final int RUN_DIGITS = 5;
    private static final int INDEX_DIGITS = 6;
    private static final int GENERATION_DIGITS = 5;

    /** Characters of a token: the run, the side's letter, index, generation. */
    static final int LENGTH = RUN_DIGITS + 1 + INDEX_DIGITS + GENERATION_DIGITS;

    private static final int GENERATION_MASK = (1 << (4 * GENERATION_DIGITS)) - 1;
    private static final int INDEX_MASK = (1 << (4 * INDEX_DIGITS)) - 1;
    private static final String DIGITS = "0123456789abcdef";

    private final byte[] run = new byte[RUN_DIGITS];

    /**
     * @param seed tells one run from another: a server may still hold calls of the last one
     */
    LegTokens(long seed) {
        run[0] = 'L';
        for (int i = 1; i < RUN_DIGITS; i++) {
            run[i] = (byte) DIGITS.charAt((int) (seed >>> (4 * i)) & 15);
        }
    }

    /** Writes the token of a leg's present use. */
    void put(ByteWriter out, Leg leg) {
        out.put(run).put(leg.side());
        hex(out, leg.index(), INDEX_DIGITS);
        hex(out, leg.generation() & GENERATION_MASK, GENERATION_DIGITS);
    }

    private static void hex(ByteWriter out, int number, int digits) {
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
            out.put(DIGITS.charAt(number >>> shift & 15));
        }
    }

    /**
     * Reads a token at an offset.
     *
     * @return {@link #NONE}, or what {@link #side}, {@link #index} and {@link #isOf} take apart
     */
    long read(byte[] b, int from, int to) {
        if (to - from < LENGTH) {
            return NONE;
        }
        for (int i = 0; i < RUN_DIGITS; i++) {
            if (b[from + i] != run[i]) {
                return NONE;
            }
        }
        long number = 0;
        for (int p = from + RUN_DIGITS + 1; p < from + LENGTH; p++) {
            int digit = Ascii.hexValue(b[p]);
            if (digit < 0) {
                return NONE;
            }
            number = number << 4 | digit;
        }
        return (long) b[from + RUN_DIGITS] << 56 | number;
    }

    static int side(long token) {
        return (int) (token >>> 56);
    }

    static int index(long token) {
        return (int) (token >>> (4 * GENERATION_DIGITS)) & INDEX_MASK;
    }

    static boolean isOf(long token, Leg leg) {
        return (token & GENERATION_MASK) == (leg.generation() & GENERATION_MASK);
    }

    /** Offset after {@code ;branch=z9hG4bK} in a Via value, -1 when there is none. */
    static int branch(byte[] b, int from, int to) {
        return after(b, from, to, ";branch=" + COOKIE);
    }

    /** Offset after {@code ;tag=} in a From or To value, -1 when there is none. */
    static int tag(byte[] b, int from, int to) {
        return after(b, from, to, ";tag=");
    }

    private static int after(byte[] b, int from, int to, String text) {
        int length = text.length();
        for (int p = from; p <= to - length; p++) {
            if (b[p] == ';' && Ascii.equalsIgnoreCase(b, p, p + length, text)) {
                return p + length;
            }
        }
        return -1;
    }
}
