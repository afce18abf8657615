package io.carillon.sip.token;

import java.nio.charset.StandardCharsets;

/**
 * The one codec of what carries a shard through the network: tags, branches, Call-IDs and a
 * Record-Route parameter of ours begin with a token of {@value #LENGTH} characters {@code
 * [0-9a-v]}. Behind {@link #MARK} it looks random, holds the shard under a mask, and a check of 10
 * bits tells it from what others made. It is a hint for speed: a token that is lost or wrong costs
 * a hop between shards, nothing else.
 *
 * <p>A token must be cheap to find and to read in the kernel too, which chooses the socket of a
 * datagram by it: hence the mark, and a mask that 32-bit arithmetic on the token's own characters
 * gives ({@link #seed}, {@link #mixed}, {@link #masked}).
 *
 * <p>Stateless; any thread.
 */
public final class ShardToken {
    /** What every token begins with. */
    public static final String MARK = "crln0";

    /** Where the characters of chance begin, behind the mark and one that tells the kind. */
    public static final int CHANCE = MARK.length() + 1;

    /** Characters of chance, a multiple of four. */
    public static final int CHANCE_LENGTH = 12;

    /** Where the shard and the check begin, two characters each. */
    public static final int TAIL = CHANCE + CHANCE_LENGTH;

    /** Characters of a token. */
    public static final int LENGTH = TAIL + 4;

    /** What the shard is multiplied with in the check. */
    public static final int CHECK_FACTOR = 37;

    /** See {@link #mixed}. */
    public static final int MIX = 0x85EBCA6B;

    /** See {@link #mixed}. */
    public static final int MIX_SHIFT = 15;

    /** See {@link #masked}. */
    public static final int MASK_SHIFT = 12;

    /** Highest number of shards. */
    public static final int MAX_SHARDS = 1024;

    /**
     * Name of the parameter of a Record-Route that carries a token, and of a Path without a
     * cluster.
     */
    public static final String ROUTE_PARAM = "crl";

    /** RFC 3261 section 8.1.1.7. */
    public static final String MAGIC_COOKIE = "z9hG4bK";

    /** The character behind the mark is one of sixteen from here on, by the top bits. */
    private static final char PLAIN = 'a';

    /** Marks To tags that were given without a transaction: an ACK with one ends here. */
    private static final char STATELESS = 'q';

    private static boolean begins(int first) {
        return first >= PLAIN && first <= STATELESS;
    }

    static final byte[] DIGITS =
            "0123456789abcdefghijklmnopqrstuv".getBytes(StandardCharsets.US_ASCII);

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
     * @param node number of the node, see {@code StackConfig.nodeId}
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
    static String branch(int node, int shard, long random, long loopHash, byte[] text) {
        write(text, MAGIC_COOKIE.length(), PLAIN, node, shard, random);
        return branch(text, LENGTH, loopHash);
    }

    /**
     * A branch around a token that stands behind the room for the magic cookie.
     *
     * @param length of the token
     */
    @SuppressWarnings("deprecation") // the text is ASCII
    static String branch(byte[] text, int length, long loopHash) {
        int cookie = MAGIC_COOKIE.length();
        MAGIC_COOKIE.getBytes(0, cookie, text, 0);
        int end = cookie + length;
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

    /** The 64 bits of chance in a token, or in a branch that begins with one; 0 without one. */
    static long chance(String text) {
        return chance(text, MARK, LENGTH);
    }

    /**
     * As {@link #chance(String)}, of tokens like these.
     *
     * @param mark what they begin with
     * @param length of one
     */
    static long chance(String text, String mark, int length) {
        int start = text.startsWith(MAGIC_COOKIE) ? MAGIC_COOKIE.length() : 0;
        if (!text.startsWith(mark, start) || text.length() < start + length) {
            return 0;
        }
        long chance = first(text.charAt(start + MARK.length()));
        if (chance < 0) {
            return 0;
        }
        for (int i = CHANCE_LENGTH - 1; i >= 0; i--) {
            int digit = digit(text.charAt(start + CHANCE + i));
            if (digit < 0) {
                return 0;
            }
            chance = chance << 5 | digit;
        }
        return chance;
    }

    /** The top four bits of chance, by the character behind the mark; -1 when it tells none. */
    static int first(int character) {
        return character >= PLAIN && character < STATELESS ? character - PLAIN : -1;
    }

    /** A To tag for a response without a transaction. */
    public static String encodeStateless(int node, int shard, long hash) {
        return encode(STATELESS, node, shard, hash, new byte[LENGTH]);
    }

    /**
     * As {@link #encodeStateless}, into bytes: {@link #LENGTH} of them.
     *
     * @param at where it begins
     */
    public static void writeStateless(byte[] text, int at, int node, int shard, long hash) {
        write(text, at, STATELESS, node, shard, hash);
    }

    /**
     * As {@link #encode(int, int, long)}, into bytes: {@link #LENGTH} of them.
     *
     * @param at where it begins
     */
    public static void write(byte[] text, int at, int node, int shard, long random) {
        write(text, at, PLAIN, node, shard, random);
    }

    /** As {@link #isStateless(int, String)}, of bytes. */
    public static boolean isStateless(int node, byte[] text, int from, int to) {
        return to - from == LENGTH
                && text[from + MARK.length()] == STATELESS
                && decode(node, text, from, to) >= 0;
    }

    private static String encode(char marker, int node, int shard, long random, byte[] text) {
        write(text, 0, marker, node, shard, random);
        return new String(text, 0, LENGTH, StandardCharsets.ISO_8859_1);
    }

    @SuppressWarnings("deprecation") // the mark is ASCII
    private static void write(byte[] text, int at, char marker, int node, int shard, long random) {
        if (shard < 0 || shard >= MAX_SHARDS) {
            throw new IllegalArgumentException("shard " + shard);
        }
        MARK.getBytes(0, MARK.length(), text, at);
        text[at + MARK.length()] = (byte) (marker == PLAIN ? PLAIN + (random >>> 60) : marker);
        int hash = seed(node);
        int word = 0;
        for (int i = 0; i < CHANCE_LENGTH; i++) {
            byte digit = DIGITS[(int) (random >>> (5 * i)) & 31];
            text[at + CHANCE + i] = digit;
            word = word << 8 | digit;
            if ((i & 3) == 3) {
                hash = mixed(hash, word);
            }
        }
        int mask = masked(hash);
        int hidden = shard ^ (mask & 1023);
        int check = ((mask >>> 10) ^ shard * CHECK_FACTOR) & 1023;
        text[at + TAIL] = DIGITS[hidden >>> 5];
        text[at + TAIL + 1] = DIGITS[hidden & 31];
        text[at + TAIL + 2] = DIGITS[check >>> 5];
        text[at + TAIL + 3] = DIGITS[check & 31];
    }

    /** The shard in a tag, branch, Call-ID or parameter of node 0, or -1. */
    public static int decode(String text) {
        return decode(0, text);
    }

    /** The shard in a tag, branch, Call-ID or parameter that was made by this node, or -1. */
    public static int decode(int node, String text) {
        int start = text.startsWith(MAGIC_COOKIE) ? MAGIC_COOKIE.length() : 0;
        if (!text.startsWith(MARK, start)
                || text.length() < start + LENGTH
                || !begins(text.charAt(start + MARK.length()))) {
            return -1;
        }
        int hash = seed(node);
        for (int i = CHANCE; i < TAIL; i += 4) {
            int word = word(text, start + i);
            if (digits(word) < 0) {
                return -1;
            }
            hash = mixed(hash, word);
        }
        return shard(masked(hash), digits(word(text, start + TAIL)));
    }

    /** As {@link #decode(int, String)} on bytes [from, to). */
    public static int decode(int node, byte[] text, int from, int to) {
        int start = from;
        if (to - from >= MAGIC_COOKIE.length() && text[from] == 'z') {
            if (!holds(text, from, MAGIC_COOKIE)) {
                return -1;
            }
            start += MAGIC_COOKIE.length();
        }
        if (to - start < LENGTH
                || !holds(text, start, MARK)
                || !begins(text[start + MARK.length()])) {
            return -1;
        }
        int hash = seed(node);
        for (int i = CHANCE; i < TAIL; i += 4) {
            int word = word(text, start + i);
            if (digits(word) < 0) {
                return -1;
            }
            hash = mixed(hash, word);
        }
        return shard(masked(hash), digits(word(text, start + TAIL)));
    }

    /** Four characters, the first one in the highest byte; of others than ASCII, no digits. */
    private static int word(String text, int at) {
        int word = 0;
        for (int i = 0; i < 4; i++) {
            word = word << 8 | Math.min(text.charAt(at + i), 0xFF);
        }
        return word;
    }

    static int word(byte[] text, int at) {
        int word = 0;
        for (int i = 0; i < 4; i++) {
            word = word << 8 | (text[at + i] & 0xFF);
        }
        return word;
    }

    /** The number of 20 bits that four digits are; -1 when one of them is none. */
    static int digits(int word) {
        int number = 0;
        for (int shift = 24; shift >= 0; shift -= 8) {
            int digit = digit((char) ((word >>> shift) & 0xFF));
            if (digit < 0) {
                return -1;
            }
            number = number << 5 | digit;
        }
        return number;
    }

    private static boolean holds(byte[] text, int at, String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            if (text[at + i] != ascii.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * @param tail digits of shard and check; -1 for none
     */
    static int shard(int mask, int tail) {
        if (tail < 0) {
            return -1;
        }
        int shard = (tail >>> 10) ^ (mask & 1023);
        return (tail & 1023) == (((mask >>> 10) ^ shard * CHECK_FACTOR) & 1023) ? shard : -1;
    }

    /**
     * Is the whole text a token of this node? What only begins with one leads to its shard, but is
     * none that we gave.
     */
    public static boolean isWhole(int node, String text) {
        return text.length() == LENGTH && decode(node, text) >= 0;
    }

    /** Whether a To tag was given by {@link #encodeStateless} on this node. */
    public static boolean isStateless(int node, String tag) {
        return isWhole(node, tag) && tag.charAt(MARK.length()) == STATELESS;
    }

    static int digit(char c) {
        if (c >= '0' && c <= '9') {
            return c - '0';
        }
        return c >= 'a' && c <= 'v' ? c - 'a' + 10 : -1;
    }

    /** The hash that a token of this node begins with. */
    public static int seed(int node) {
        int h = node * 0x9E3779B1;
        return (h ^ (h >>> 16)) * MIX;
    }

    /** The hash with four more characters of chance, the first one in the highest byte. */
    public static int mixed(int hash, int word) {
        int h = (hash ^ word) * MIX;
        return h ^ (h >>> MIX_SHIFT);
    }

    /** The mask of a token of that node and chance. */
    static int mask(int node, long chance) {
        int hash = seed(node);
        for (int i = 0; i < CHANCE_LENGTH; i += 4) {
            int word = 0;
            for (int k = i; k < i + 4; k++) {
                word = word << 8 | DIGITS[(int) (chance >>> (5 * k)) & 31];
            }
            hash = mixed(hash, word);
        }
        return masked(hash);
    }

    /** The mask of 20 bits: ten over the shard, ten over the check. */
    public static int masked(int hash) {
        return (hash * MIX) >>> MASK_SHIFT;
    }
}
