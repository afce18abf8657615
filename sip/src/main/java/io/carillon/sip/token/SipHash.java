package io.carillon.sip.token;

/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012) over words of 64 bits; four characters are one. Made
 * for one sum, lives in registers.
 */
final class SipHash {
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    SipHash(long key0, long key1) {
        v0 = key0 ^ 0x736f6d6570736575L;
        v1 = key1 ^ 0x646f72616e646f6dL;
        v2 = key0 ^ 0x6c7967656e657261L;
        v3 = key1 ^ 0x7465646279746573L;
    }

    /** With its length, so that two texts are never taken for two others. */
    void add(String text) {
        int length = text.length();
        add(length);
        long word = 0;
        for (int i = 0; i < length; i++) {
            word = word << 16 | text.charAt(i);
            if ((i & 3) == 3) {
                add(word);
                word = 0;
            }
        }
        if ((length & 3) != 0) {
            add(word);
        }
    }

    void add(long word) {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }

    long end() {
        v2 ^= 0xFF;
        round();
        round();
        round();
        round();
        return v0 ^ v1 ^ v2 ^ v3;
    }

    private void round() {
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
}
