package io.carillon.sip.stack;

import java.nio.charset.StandardCharsets;

/**
 * The one codec of what carries a shard through the network: tags, branches, Call-IDs and a
 * Record-Route parameter of ours begin with a token of {@value #LENGTH} characters {@code
 * [0-9a-v]}. It looks random, holds the shard under a mask, and a check of 10 bits tells it from
 * what others made. It is a hint for speed: a token that is lost or wrong costs a hop between
 * shards, nothing else.
 *
 * <p>Stateless; any thread.
 */
public final class ShardToken {
    /** Characters of a token. */
    public static final int LENGTH = 17;

    /** Highest number of shards. */
    public static final int MAX_SHARDS = 1024;

    /** Name of the Record-Route and Path parameter that carries a token. */
    public static final String ROUTE_PARAM = "crl";

    /** RFC 3261 section 8.1.1.7. */
    public static final String MAGIC_COOKIE = "z9hG4bK";

    /** The first character of a token is one of sixteen from here on, by the top bits. */
    private static final char PLAIN = 'a';

    /** Marks To tags that were given without a transaction: an ACK with one ends here. */
    private static final char STATELESS = 'q';

    private static boolean begins(int first) {
        return first >= PLAIN && first <= STATELESS;
    }

    private static final byte[] DIGITS =
            "0123456789abcdefghijklmnopqrstuv".getBytes(StandardCharsets.US_ASCII);
    private static final int RANDOM_DIGITS = 12;

    /** Stands before the hash of loop detection, which is the last thing in a branch. */
    private static final String LOOP_MARK = ".-l";

    private static final int LOOP_DIGITS = 13;

    /** Room for the longest text that is made here. */
    static final int MOST_BYTES = MAGIC_COOKIE.length() + LENGTH + LOOP_MARK.length() + LOOP_DIGITS;

    private ShardToken() {}

    /** A token of node 0. */
    public static String encode(int shard, long random) {
        return encode(0, shard, random);
    }

    /**
     * A token.
     *
     * @param node number of the node, see {@link StackConfig#nodeId}
     * @param shard 0 to {@link #MAX_SHARDS} - 1
     * @param random all bits of it are used
     */
    public static String encode(int node, int shard, long random) {
        return encode(PLAIN, node, shard, random, new byte[LENGTH]);
    }

    /**
     * As {@link #encode(int, int, long)}.
     *
     * @param text room of {@link #MOST_BYTES}, to write in
     */
    static String encode(int node, int shard, long random, byte[] text) {
        return encode(PLAIN, node, shard, random, text);
    }

    /**
     * A branch: the magic cookie and a token, and behind them a hash of loop detection when there
     * is one.
     *
     * @param loopHash 0 for none
     * @param text room of {@link #MOST_BYTES}, to write in
     */
    @SuppressWarnings("deprecation") // the text is ASCII
    static String branch(int node, int shard, long random, long loopHash, byte[] text) {
        int cookie = MAGIC_COOKIE.length();
        MAGIC_COOKIE.getBytes(0, cookie, text, 0);
        write(text, cookie, PLAIN, node, shard, random);
        int end = cookie + LENGTH;
        if (loopHash != 0) {
            LOOP_MARK.getBytes(0, LOOP_MARK.length(), text, end);
            end += LOOP_MARK.length();
            for (int i = 0; i < LOOP_DIGITS; i++) {
                text[end++] = DIGITS[(int) (loopHash >>> (5 * i)) & 31];
            }
        }
        return new String(text, 0, end, StandardCharsets.ISO_8859_1);
    }

    /** The hash of loop detection in a branch of ours; 0 when it has none. */
    public static long loopHash(String branch) {
        int at = branch.length() - LOOP_DIGITS - LOOP_MARK.length();
        if (at <= 0 || !branch.startsWith(LOOP_MARK, at)) {
            return 0;
        }
        long hash = 0;
        for (int i = LOOP_DIGITS - 1; i >= 0; i--) {
            int digit = digit(branch.charAt(at + LOOP_MARK.length() + i));
            if (digit < 0) {
                return 0;
            }
            hash = hash << 5 | digit;
        }
        return hash;
    }

    /** A To tag for a response without a transaction. */
    static String encodeStateless(int node, int shard, long hash) {
        return encode(STATELESS, node, shard, hash, new byte[LENGTH]);
    }

    private static String encode(char marker, int node, int shard, long random, byte[] text) {
        write(text, 0, marker, node, shard, random);
        return new String(text, 0, LENGTH, StandardCharsets.ISO_8859_1);
    }

    private static void write(byte[] text, int at, char marker, int node, int shard, long random) {
        if (shard < 0 || shard >= MAX_SHARDS) {
            throw new IllegalArgumentException("shard " + shard);
        }
        text[at] = (byte) (marker == PLAIN ? PLAIN + (random >>> 60) : marker);
        for (int i = 0; i < RANDOM_DIGITS; i++) {
            text[at + 1 + i] = DIGITS[(int) (random >>> (5 * i)) & 31];
        }
        int mask = mask(node, random & ((1L << (5 * RANDOM_DIGITS)) - 1));
        int hidden = shard ^ (mask & 1023);
        int check = ((mask >>> 10) ^ shard * 37) & 1023;
        text[at + 13] = DIGITS[hidden >>> 5];
        text[at + 14] = DIGITS[hidden & 31];
        text[at + 15] = DIGITS[check >>> 5];
        text[at + 16] = DIGITS[check & 31];
    }

    /** The shard in a tag, branch, Call-ID or parameter of node 0, or -1. */
    public static int decode(String text) {
        return decode(0, text);
    }

    /** The shard in a tag, branch, Call-ID or parameter that was made by this node, or -1. */
    public static int decode(int node, String text) {
        int start = text.startsWith(MAGIC_COOKIE) ? MAGIC_COOKIE.length() : 0;
        if (text.length() < start + LENGTH) {
            return -1;
        }
        long random = 0;
        int tail = 0;
        char marker = text.charAt(start);
        if (!begins(marker)) {
            return -1;
        }
        for (int i = LENGTH - 1; i >= 1; i--) {
            int digit = digit(text.charAt(start + i));
            if (digit < 0) {
                return -1;
            }
            if (i <= RANDOM_DIGITS) {
                random = random << 5 | digit;
            } else {
                tail |= digit << (5 * (LENGTH - 1 - i));
            }
        }
        return shard(node, random, tail);
    }

    /** As {@link #decode(int, String)} on bytes [from, to). */
    static int decode(int node, byte[] text, int from, int to) {
        int start = from;
        if (to - from >= MAGIC_COOKIE.length() && text[from] == 'z') {
            for (int i = 0; i < MAGIC_COOKIE.length(); i++) {
                if (text[from + i] != MAGIC_COOKIE.charAt(i)) {
                    return -1;
                }
            }
            start += MAGIC_COOKIE.length();
        }
        if (to - start < LENGTH || !begins(text[start])) {
            return -1;
        }
        long random = 0;
        int tail = 0;
        for (int i = LENGTH - 1; i >= 1; i--) {
            int digit = digit((char) text[start + i]);
            if (digit < 0) {
                return -1;
            }
            if (i <= RANDOM_DIGITS) {
                random = random << 5 | digit;
            } else {
                tail |= digit << (5 * (LENGTH - 1 - i));
            }
        }
        return shard(node, random, tail);
    }

    private static int shard(int node, long random, int tail) {
        int mask = mask(node, random);
        int shard = (tail >>> 10) ^ (mask & 1023);
        return (tail & 1023) == (((mask >>> 10) ^ shard * 37) & 1023) ? shard : -1;
    }

    /** Whether a To tag was given by {@link #encodeStateless} on this node. */
    static boolean isStateless(int node, String tag) {
        return tag.length() == LENGTH && tag.charAt(0) == STATELESS && decode(node, tag) >= 0;
    }

    private static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        return c >= 'a' && c <= 'v' ? c - 'a' + 10 : -1;
    }

    private static int mask(int node, long random) {
        long h = (random ^ node * 0x9E3779B97F4A7C15L) * 0xBF58476D1CE4E5B9L;
        h ^= h >>> 29;
        h *= 0x94D049BB133111EBL;
        return (int) (h >>> 32) & 0xFFFFF;
    }
}
