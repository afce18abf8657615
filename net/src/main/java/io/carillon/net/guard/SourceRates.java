package io.carillon.net.guard;

import io.carillon.sip.guard.SourceKey;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * How much each source may send: a token bucket per source, hashed into two rows of a table of
 * fixed size. A source is over its rate only where both of its buckets say so, so that one that
 * floods takes a stranger's tokens in one case of billions; the hash has a seed of this process, so
 * that nobody can choose whom he meets.
 *
 * <p>A bucket is one number: the time at which it will be full again (the virtual scheduling form
 * of the generic cell rate algorithm). Any thread, without a lock: when two loops take of one
 * bucket at the same moment, one message may go uncounted.
 */
public final class SourceRates {
    private static final int ROW_BITS = 15;
    private static final int ROW = 1 << ROW_BITS;
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] fullAt = new long[2 * ROW];
    private final long seed;
    private final long startNanos;
    private final long intervalNanos;
    private final long depthNanos;

    /**
     * @param perSecond lasting rate
     * @param burst messages that may come at once; at least 1
     * @param seed unpredictable
     * @param startNanos the time now; no later time is before it
     */
    public SourceRates(int perSecond, int burst, long seed, long startNanos) {
        if (perSecond < 1 || burst < 1) {
            throw new IllegalArgumentException("rate and burst are at least 1");
        }
        this.seed = seed;
        this.startNanos = startNanos;
        intervalNanos = 1_000_000_000L / perSecond;
        depthNanos = intervalNanos * (burst - 1L);
    }

    /** Takes one message of a source; false when it is over its rate. */
    public boolean take(long key, long nowNanos) {
        return takePart(key, nowNanos, 1);
    }

    /**
     * As {@link #take}, where so many messages count as one.
     *
     * @param parts 1 or more
     */
    public boolean takePart(long key, long nowNanos, int parts) {
        return take(key, nowNanos, intervalNanos / parts, depthNanos);
    }

    /**
     * Takes what is left of a message that was taken as one of so many: it counts as a whole.
     *
     * @param parts as {@link #takePart} had it
     */
    public void takeRest(long key, long nowNanos, int parts) {
        take(key, nowNanos, intervalNanos - intervalNanos / parts, Long.MAX_VALUE);
    }

    private boolean take(long key, long nowNanos, long nanos, long mostNanos) {
        long hash = SourceKey.mix(key ^ seed);
        int first = (int) hash & ROW - 1;
        int second = ROW + ((int) (hash >>> 32) & ROW - 1);
        long now = nowNanos - startNanos;
        long one = (long) SLOT.getOpaque(fullAt, first);
        long other = (long) SLOT.getOpaque(fullAt, second);
        long full = Math.max(Math.min(one, other), now);
        if (full - now > mostNanos) {
            return false;
        }
        long next = full + nanos;
        if (one < next) {
            SLOT.setOpaque(fullAt, first, next);
        }
        if (other < next) {
            SLOT.setOpaque(fullAt, second, next);
        }
        return true;
    }
}
