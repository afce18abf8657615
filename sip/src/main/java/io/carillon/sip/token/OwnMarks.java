package io.carillon.sip.token;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

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

    private final ClusterKeys keys;

    /** The time of all nodes of a cluster; null: that of this process is good enough. */
    private final @Nullable LongSupplier epochNanos;

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
        this(ClusterKeys.of(key0, key1), null);
    }

    /** Those of a cluster, which each of its nodes knows, whenever it was started. */
    public static OwnMarks ofCluster(ClusterPlace place) {
        return new OwnMarks(place.keys(), place.epochNanos());
    }

    private OwnMarks(ClusterKeys keys, @Nullable LongSupplier epochNanos) {
        this.keys = keys;
        this.epochNanos = epochNanos;
    }

    private long period(long nowNanos) {
        return Math.floorDiv(epochNanos == null ? nowNanos : epochNanos.getAsLong(), PERIOD_NANOS);
    }

    /** The clock of the node that made a mark may be a little ahead of ours. */
    private int soonest() {
        return epochNanos == null ? 0 : -1;
    }

    /** 64 bits for the branch of an INVITE that we send as a user agent. */
    long ofInvite(long random, String callId, String fromTag, long cseq, long nowNanos) {
        SipHash sum = keys.sum();
        return marked(random, invite(sum, random & LOWER, callId, fromTag, cseq, period(nowNanos)));
    }

    /** Are these 64 bits of the branch of such an INVITE, sent not too long ago? */
    boolean isOfInvite(long chance, String callId, String fromTag, long cseq, long nowNanos) {
        long period = period(nowNanos);
        for (int ago = soonest(); ago < PERIODS; ago++) {
            long then = period - ago;
            if (has(chance, invite(keys.sum(), chance & LOWER, callId, fromTag, cseq, then))
                    || (keys.readsOther()
                            && has(
                                    chance,
                                    invite(
                                            keys.otherSum(),
                                            chance & LOWER,
                                            callId,
                                            fromTag,
                                            cseq,
                                            then)))) {
                return true;
            }
        }
        return false;
    }

    private static long invite(
            SipHash sum, long random, String callId, String fromTag, long cseq, long period) {
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
        long lower = (random & LOWER & ~PERIOD) | (period(nowNanos) & PERIOD);
        long mark = route(keys.sum(), lower, callId) & LOWER;
        return marked(lower ^ (mark & PERIOD), mark);
    }

    /** Are these 64 bits of a Record-Route of ours in that call? */
    boolean isOfRoute(long chance, String callId) {
        long mark = chance >>> 32;
        long lower = (chance & LOWER) ^ (mark & PERIOD);
        return has(chance, route(keys.sum(), lower, callId))
                || (keys.readsOther() && has(chance, route(keys.otherSum(), lower, callId)));
    }

    /** Was such a Record-Route recorded 10 to 15 minutes ago at most? */
    boolean isOfRecentRoute(long chance, String callId, long nowNanos) {
        long then = (chance ^ chance >>> 32) & PERIOD;
        long ago = (period(nowNanos) - then - soonest()) & PERIOD;
        return ago < PERIODS - soonest() && isOfRoute(chance, callId);
    }

    private static long route(SipHash sum, long random, String callId) {
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
}
