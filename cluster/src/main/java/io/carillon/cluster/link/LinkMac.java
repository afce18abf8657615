package io.carillon.cluster.link;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, 2012) over a frame, under a key of
 * 128 bits: the mark of genuineness of each frame. It costs less than half of HMAC-SHA-256 ({@code
 * docs/decisions/0027-the-link-of-the-router.md}); the keys themselves come from HMAC-SHA-256.
 *
 * <p>The key does not change; what is computed holds until the next call. Owner: one thread.
 */
final class LinkMac {
    /** Bytes of a MAC. */
    static final int BYTES = 16;

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long key0;
    private final long key1;
    private long low;
    private long high;

    /**
     * @param key 16 bytes
     */
    LinkMac(byte[] key) {
        if (key.length != BYTES) {
            throw new IllegalArgumentException("a key has 16 bytes, not " + key.length);
        }
        key0 = (long) LONGS.get(key, 0);
        key1 = (long) LONGS.get(key, 8);
    }

    private LinkMac(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    /** The same key for another thread. */
    LinkMac copy() {
        return new LinkMac(key0, key1);
    }

    /** Writes the MAC of bytes [from, to) to {@code at}. */
    void write(byte[] b, int from, int to, byte[] out, int at) {
        compute(b, from, to);
        LONGS.set(out, at, low);
        LONGS.set(out, at + 8, high);
    }

    /** Is what stands at {@code at} the MAC of bytes [from, to)? Takes as long for any answer. */
    boolean matches(byte[] b, int from, int to, int at) {
        compute(b, from, to);
        return ((low ^ (long) LONGS.get(b, at)) | (high ^ (long) LONGS.get(b, at + 8))) == 0;
    }

    /** The first half of what {@link #write} writes. */
    long hash(byte[] b, int from, int to) {
        compute(b, from, to);
        return low;
    }

    private void compute(byte[] b, int from, int to) {
        long v0 = key0 ^ 0x736f6d6570736575L;
        long v1 = key1 ^ 0x646f72616e646f6dL ^ 0xee;
        long v2 = key0 ^ 0x6c7967656e657261L;
        long v3 = key1 ^ 0x7465646279746573L;
        int words = from + ((to - from) & ~7);
        for (int at = from; at <= words; at += 8) {
            long m = at < words ? (long) LONGS.get(b, at) : last(b, words, to, to - from);
            v3 ^= m;
            for (int i = 0; i < 2; i++) {
                v0 += v1;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v0 = Long.rotateLeft(v0, 32);
                v2 += v3;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 += v3;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 += v1;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v2 = Long.rotateLeft(v2, 32);
            }
            v0 ^= m;
        }
        v2 ^= 0xee;
        for (int half = 0; half < 2; half++) {
            for (int i = 0; i < 4; i++) {
                v0 += v1;
                v1 = Long.rotateLeft(v1, 13) ^ v0;
                v0 = Long.rotateLeft(v0, 32);
                v2 += v3;
                v3 = Long.rotateLeft(v3, 16) ^ v2;
                v0 += v3;
                v3 = Long.rotateLeft(v3, 21) ^ v0;
                v2 += v1;
                v1 = Long.rotateLeft(v1, 17) ^ v2;
                v2 = Long.rotateLeft(v2, 32);
            }
            if (half == 0) {
                low = v0 ^ v1 ^ v2 ^ v3;
                v1 ^= 0xdd;
            } else {
                high = v0 ^ v1 ^ v2 ^ v3;
            }
        }
    }

    /** The bytes that fill no word, and the length in the highest byte. */
    private static long last(byte[] b, int from, int to, int length) {
        long word = (long) length << 56;
        for (int i = from; i < to; i++) {
            word |= (b[i] & 0xFFL) << (8 * (i - from));
        }
        return word;
    }
}
