package io.carillon.cluster.link;

import org.jspecify.annotations.Nullable;

/**
 * Numbers of messages that were taken lately, so that one which is sent again because its
 * acknowledgement was lost is not taken twice. A direct-mapped table: a new number takes the place
 * of an older one, so it cannot grow; one that is forgotten is taken again, as a repeat over UDP
 * is.
 *
 * <p>Owner: one thread.
 */
public final class TakenNumbers {
    private static final int SLOTS = 8_192;

    /** Made with the first number: most links carry datagrams alone. */
    private long @Nullable [] taken;

    /** Was the message of that sender and number taken? */
    public boolean has(int sender, long number) {
        long[] known = taken;
        long key = key(sender, number);
        return known != null && known[slot(key)] == key;
    }

    private static long key(int sender, long number) {
        return number * 0x9E3779B97F4A7C15L + sender * 0xD1B54A32D192ED03L;
    }

    /** It is taken. */
    public void add(int sender, long number) {
        long key = key(sender, number);
        long[] known = taken;
        if (known == null) {
            known = new long[SLOTS];
            taken = known;
        }
        known[slot(key)] = key;
    }

    private static int slot(long key) {
        return (int) (key >>> 40) & (SLOTS - 1);
    }
}
