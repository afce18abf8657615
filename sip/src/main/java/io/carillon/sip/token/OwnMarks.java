package io.carillon.sip.token;

import java.util.concurrent.TimeUnit;

/**
 * Keyed marks in what we give to the network and get back: they prove that a branch or a route is
 * of our making, and belongs to that very call. A {@link ShardToken} alone proves nothing, anybody
 * can write one.
 *
 * <p>A mark is the upper half of the 64 bits of chance in a token, the lower half stays a random
 * number: so it adds nothing to a message, and for whoever does not have the key the whole is as
 * random as before. A guess is right once in 2^32. The mark is SipHash-2-4 (Aumasson and Bernstein,
 * 2012) under a key of 128 bits.
 *
 * <p>Immutable; any thread.
 */
public final class OwnMarks {
    /** A mark in a branch is good for two to three of these after the INVITE was sent. */
    public static final long PERIOD_NANOS = TimeUnit.MINUTES.toNanos(5);

    private static final int PERIODS = 3;

    private static final long LOWER = 0xFFFF_FFFFL;

    /** Of the lower half of a route's: the period, hidden by bits of the mark. */
    private static final long PERIOD = 0xFF;

    private static final long OF_INVITE = 1;
    private static final long OF_ROUTE = 2;

    private final long key0;
    private final long key1;

    /**
     * With a key that is drawn here, as a server has when it starts.
     *
     * @param random secure, unless nobody attacks
     */
    public OwnMarks(RandomSource random) {
        this(random.nextLong(), random.nextLong());
    }

    /**
     * With a given key: where several must know each other's marks.
     *
     * @param key0 half of the key
     * @param key1 the other half
     */
    public OwnMarks(long key0, long key1) {
        this.key0 = key0;
        this.key1 = key1;
    }

    /** 64 bits for the branch of an INVITE that we send as a user agent. */
    long ofInvite(long random, String callId, String fromTag, long cseq, long nowNanos) {
        long period = Math.floorDiv(nowNanos, PERIOD_NANOS);
        return marked(random, invite(random & LOWER, callId, fromTag, cseq, period));
    }

    /** Are these 64 bits of the branch of such an INVITE, sent not too long ago? */
    boolean isOfInvite(long chance, String callId, String fromTag, long cseq, long nowNanos) {
        long period = Math.floorDiv(nowNanos, PERIOD_NANOS);
        for (int ago = 0; ago < PERIODS; ago++) {
            if (has(chance, invite(chance & LOWER, callId, fromTag, cseq, period - ago))) {
                return true;
            }
        }
        return false;
    }

    private long invite(long random, String callId, String fromTag, long cseq, long period) {
        Sum sum = new Sum(key0, key1);
        sum.add(OF_INVITE);
        sum.add(random);
        sum.add(cseq);
        sum.add(period);
        sum.add(callId);
        sum.add(fromTag);
        return sum.end();
    }

    /** 64 bits for the token of a Record-Route of ours in a dialog of that Call-ID. */
    long ofRoute(long random, String callId, long nowNanos) {
        long lower = (random & LOWER & ~PERIOD) | (Math.floorDiv(nowNanos, PERIOD_NANOS) & PERIOD);
        long mark = route(lower, callId) & LOWER;
        return marked(lower ^ (mark & PERIOD), mark);
    }

    /** Are these 64 bits of a Record-Route of ours in that call? */
    boolean isOfRoute(long chance, String callId) {
        long mark = chance >>> 32;
        return mark == (route((chance & LOWER) ^ (mark & PERIOD), callId) & LOWER);
    }

    /** Was such a Record-Route recorded 10 to 15 minutes ago at most? */
    boolean isOfRecentRoute(long chance, String callId, long nowNanos) {
        long period = (chance ^ chance >>> 32) & PERIOD;
        long ago = (Math.floorDiv(nowNanos, PERIOD_NANOS) - period) & PERIOD;
        return ago < PERIODS && isOfRoute(chance, callId);
    }

    private long route(long random, String callId) {
        Sum sum = new Sum(key0, key1);
        sum.add(OF_ROUTE);
        sum.add(random);
        sum.add(callId);
        return sum.end();
    }

    private static long marked(long random, long mark) {
        return mark << 32 | (random & LOWER);
    }

    private static boolean has(long chance, long mark) {
        return chance >>> 32 == (mark & LOWER);
    }

    /** SipHash-2-4 over words of 64 bits; four characters are one. Lives in registers. */
    private static final class Sum {
        private long v0;
        private long v1;
        private long v2;
        private long v3;

        Sum(long key0, long key1) {
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
}
