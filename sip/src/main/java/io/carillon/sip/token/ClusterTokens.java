package io.carillon.sip.token;

import java.nio.charset.StandardCharsets;

/**
 * The tokens of a cluster: a {@link ShardToken} with the cluster's number for the node and the
 * partition for the shard, behind it one character for its kind and a seal of 40 bits under the
 * cluster's key. The front tells whoever reads it where, the kernel's socket program included; the
 * seal tells that this cluster wrote it. Without the right seal a token is none.
 *
 * <p>It begins with another mark than a token without a seal: neither is taken for the other.
 *
 * <p>Immutable; any thread.
 */
final class ClusterTokens {
    /** In a tag, a branch, a Call-ID: of the call that it stands in. */
    static final char CALL = 'c';

    /** In a Record-Route: of the dialog whose requests come by that route. */
    static final char ROUTE = 'r';

    /** In a URI that stands for an application session. */
    static final char URI = 'u';

    /** In a Path: it names a way to a phone or a trunk, whose calls are in all partitions. */
    static final char PATH = 'p';

    /** In a To tag that was given without a transaction. */
    static final char STATELESS = 's';

    /** The parameter of a Path that carries a token. */
    static final String PATH_PARAM = "crp";

    /** What every one begins with. */
    static final String MARK = "crln1";

    /** Where the kind stands. */
    private static final int KIND = ShardToken.LENGTH;

    private static final int SEAL = KIND + 1;
    private static final int SEAL_LENGTH = 8;

    /** Characters of a token. */
    static final int LENGTH = SEAL + SEAL_LENGTH;

    private static final long SEAL_BITS = (1L << (5 * SEAL_LENGTH)) - 1;

    /** Begins the sum: no seal is a mark of {@link OwnMarks}. */
    private static final long OF_TOKEN = 3;

    private final int number;
    private final ClusterKeys keys;

    /**
     * @param number of the cluster
     */
    ClusterTokens(int number, ClusterKeys keys) {
        this.number = number;
        this.keys = keys;
    }

    /** Writes one of {@link #LENGTH} characters. */
    @SuppressWarnings("deprecation") // the mark is ASCII
    void write(byte[] text, int at, char kind, int partition, long chance) {
        ShardToken.write(text, at, number, partition, chance);
        MARK.getBytes(0, MARK.length(), text, at);
        text[at + KIND] = (byte) kind;
        long seal = seal(keys.sum(), kind, partition, chance);
        for (int i = 0; i < SEAL_LENGTH; i++) {
            text[at + SEAL + i] = ShardToken.DIGITS[(int) (seal >>> (5 * i)) & 31];
        }
    }

    /**
     * Kind and partition of a token of this cluster that begins there, or -1. What stands behind it
     * does not count.
     *
     * @param to where the text ends
     * @return for {@link #kind} and {@link #partition}
     */
    int read(byte[] text, int at, int to) {
        if (to - at < LENGTH || !marked(text, at)) {
            return -1;
        }
        long lower = number(text, at + ShardToken.CHANCE, ShardToken.CHANCE_LENGTH);
        long seal = number(text, at + SEAL, SEAL_LENGTH);
        int tail = ShardToken.digits(ShardToken.word(text, at + ShardToken.TAIL));
        if (lower < 0 || seal < 0 || tail < 0) {
            return -1;
        }
        long chance = (long) ShardToken.first(text[at + MARK.length()]) << 60 | lower;
        int partition = ShardToken.shard(ShardToken.mask(number, chance), tail);
        char kind = (char) (text[at + KIND] & 0x7F);
        return partition >= 0 && sealed(seal, kind, partition, chance)
                ? kind << 10 | partition
                : -1;
    }

    /** As {@link #read(byte[], int, int)}. */
    int read(String text, int at) {
        if (text.length() - at < LENGTH || !text.startsWith(MARK, at)) {
            return -1;
        }
        byte[] token = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            char c = text.charAt(at + i);
            token[i] = c > 0x7F ? 0 : (byte) c; // of others than ASCII, no digits
        }
        return read(token, 0, LENGTH);
    }

    /** The kind of what was read. */
    static char kind(int read) {
        return (char) (read >>> 10);
    }

    /** The partition in what was read; -1 when that was nothing. */
    static int partition(int read) {
        return read < 0 ? -1 : read & (Ownership.PARTITIONS - 1);
    }

    private boolean sealed(long seal, char kind, int partition, long chance) {
        return seal == seal(keys.sum(), kind, partition, chance)
                || (keys.readsOther() && seal == seal(keys.otherSum(), kind, partition, chance));
    }

    private long seal(SipHash sum, char kind, int partition, long chance) {
        sum.add(OF_TOKEN);
        sum.add(chance);
        sum.add((long) number << 32 | kind << 16 | partition);
        return sum.end() & SEAL_BITS;
    }

    private static boolean marked(byte[] text, int at) {
        for (int i = 0; i < MARK.length(); i++) {
            if (text[at + i] != MARK.charAt(i)) {
                return false;
            }
        }
        return ShardToken.first(text[at + MARK.length()]) >= 0;
    }

    /** Digits, the lowest first; -1 when one of them is none. */
    private static long number(byte[] text, int at, int digits) {
        long number = 0;
        for (int i = digits - 1; i >= 0; i--) {
            int digit = ShardToken.digit((char) (text[at + i] & 0xFF));
            if (digit < 0) {
                return -1;
            }
            number = number << 5 | digit;
        }
        return number;
    }

    /** A token as a text. */
    String text(char kind, int partition, long chance, byte[] room) {
        write(room, 0, kind, partition, chance);
        return new String(room, 0, LENGTH, StandardCharsets.ISO_8859_1);
    }
}
