package io.carillon.sip.message;

import io.carillon.sip.bytes.Ascii;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.security.SecureRandom;

/**
 * Header values that were checked lately and found well formed, by their hashes alone. From, To,
 * Contact and routes stand in each message of a call, so most of them are hashed and not scanned
 * again.
 *
 * <p>A value is taken for another one only where all 64 bits of their hashes are equal. Nobody can
 * prepare that, as the hash begins with a secret of the process; and whoever reads such a value
 * finds it malformed then.
 *
 * <p>Any thread; races lose an entry at most. Memory is fixed: a stranger's value takes the place
 * of another one.
 */
final class WellFormedValues {
    /** What {@link #seen} says of a value that is not known. */
    static final int UNKNOWN = -1;

    private static final int MOST_BYTES = 256;
    private static final int MASK = 2047;
    private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long SEED = new SecureRandom().nextLong();
    private static final long FACTOR = new SecureRandom().nextLong() | 1;

    private final long[] hashes = new long[MASK + 1];

    /**
     * The hash of a value in a header.
     *
     * @param id of the header
     * @return 0 for one that is too long to be remembered; the lowest bit is never set
     */
    static long hash(int id, byte[] b, int from, int to) {
        if (to - from > MOST_BYTES) {
            return 0;
        }
        long h = SEED + ((long) (to - from) << 8) + id;
        int p = from;
        for (; p + 8 <= to; p += 8) {
            h = (h ^ Ascii.eightBytes(b, p)) * FACTOR;
            h ^= h >>> 32;
        }
        long rest = 0;
        for (; p < to; p++) {
            rest = rest << 8 | (b[p] & 0xff);
        }
        h = (h ^ rest) * FACTOR;
        return (h ^ h >>> 32) & -2L;
    }

    /**
     * What was remembered with a value: 0 or 1.
     *
     * @param hash of {@link #hash}
     */
    int seen(long hash) {
        long known = (long) CELLS.getOpaque(hashes, place(hash));
        return (known & -2L) == hash && hash != 0 ? (int) (known & 1) : UNKNOWN;
    }

    /** Remembers a value that is well formed, with one bit beside it. */
    void add(long hash, boolean bit) {
        if (hash != 0) {
            CELLS.setOpaque(hashes, place(hash), hash | (bit ? 1 : 0));
        }
    }

    private static int place(long hash) {
        return (int) (hash >>> 40) & MASK;
    }
}
