package io.carillon.sip.bytes;

import org.jspecify.annotations.Nullable;

/**
 * Short texts that came lately: the hosts that stand in every message of a peer, the tags and the
 * Call-ID that stand in every message of a call and several times in what is kept of it. So they
 * are one String and not one for each place. A direct-mapped table of a fixed size: a stranger
 * takes the place of whoever had it, so it cannot grow.
 *
 * <p>Any thread: entries are immutable and races lose one at most.
 */
public final class RecentTexts {
    private static final int MASK = 4095;
    private static final int MOST_BYTES = 64;

    /** Apart from the texts, so that one which is not there costs no look at another's bytes. */
    private static final int[] HASHES = new int[MASK + 1];

    private static final @Nullable String[] TEXTS = new @Nullable String[MASK + 1];

    private RecentTexts() {}

    /** The slice as text. */
    public static String of(byte[] b, int from, int to) {
        if (to - from > MOST_BYTES) {
            return Ascii.string(b, from, to);
        }
        int hash = Ascii.hash(b, from, to);
        if (HASHES[hash & MASK] == hash) {
            String text = TEXTS[hash & MASK];
            if (text != null && Ascii.equals(b, from, to, text)) {
                return text;
            }
        }
        String text = Ascii.string(b, from, to);
        put(hash, text);
        return text;
    }

    /** From now on this String is given out for its bytes: one that will come back from a peer. */
    public static void remember(String text) {
        if (text.length() <= MOST_BYTES) {
            put(Ascii.hash(text), text);
        }
    }

    private static void put(int hash, String text) {
        TEXTS[hash & MASK] = text;
        HASHES[hash & MASK] = hash;
    }
}
