package io.carillon.cluster.link;

import org.jspecify.annotations.Nullable;

/**
 * Numbers of messages that were taken lately, so that one which is sent again because its
 * acknowledgement was lost is not taken twice. A table of rows with the last four numbers that
 * belong there, so it cannot grow; one that is forgotten is taken again, as a repeat over UDP is.
 * Of one sender whose numbers rise by the same step the last {@value #LEAST} are known.
 *
 * <p>Owner: one thread.
 */
public final class TakenNumbers {
    private static final int ROW_BITS = 13;
    private static final int ROW = 4;

    /** Those of 100 ms, the time to the first repeat, at 160,000 messages a second. */
    static final int LEAST = 16_384;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** Made with the first number: most links carry datagrams alone. */
    private long @Nullable [] taken;

    /** Was the message of that sender and number taken? */
    public boolean has(int sender, long number) {
        long[] known = taken;
        long key = key(sender, number);
        if (known == null) {
            return false;
        }
        int row = row(key);
        for (int i = row; i < row + ROW; i++) {
            if (known[i] == key) {
                return true;
            }
        }
        return false;
    }

    private static long key(int sender, long number) {
        return number * GOLDEN + sender * 0xD1B54A32D192ED03L;
    }

    /** It is taken. */
    public void add(int sender, long number) {
        long key = key(sender, number);
        long[] known = taken;
        if (known == null) {
            known = new long[ROW << ROW_BITS];
            taken = known;
        }
        int row = row(key);
        System.arraycopy(known, row, known, row + 1, ROW - 1);
        known[row] = key;
    }

    /** By the golden section: numbers that follow each other lie far from each other. */
    private static int row(long key) {
        return (int) (key >>> (Long.SIZE - ROW_BITS)) * ROW;
    }
}
