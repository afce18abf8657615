package io.carillon.sip.overload;

import io.carillon.sip.guard.SourceKey;
import java.util.Arrays;

/**
 * Who asks for no more than a fair share of what can be let in. The share is one number, a rate
 * that is the same for all sources of weight 1: it rises while those who ask for more than it get
 * something, and falls when one who asks for less gets nothing. So it comes to rest where those who
 * want little have all that they want, and the others have alike (max-min fairness).
 *
 * <p>Memory is fixed: two rows of counts, in which each source is hashed twice under a seed. It is
 * over its share where both say so.
 *
 * <p>Owner: the shard's thread, or whoever has a lock.
 */
public final class SourceRate {
    private static final int ROW_BITS = 12;

    /** Of its rate, what a source may ask for at once. */
    private static final double BURST_SECONDS = 0.1;

    private static final double LEAST_BURST = 2;
    private static final double RISE = 1.02;
    private static final double LEAST = 1;
    private static final double NANOS = 1e-9;

    /** Where each source stands, in requests of weight 1: ahead of the {@link #clock} or behind. */
    private final double[] stands;

    private final int row;
    private final long seed;
    private double clock;
    private double share;
    private long nanos;
    private int fairTaken;
    private int fairRefused;
    private int otherTaken;

    /**
     * @param seed unpredictable
     */
    public SourceRate(long seed) {
        this(seed, ROW_BITS);
    }

    /**
     * As {@link #SourceRate(long)}.
     *
     * @param rowBits of the length of a row
     */
    SourceRate(long seed, int rowBits) {
        this.seed = seed;
        this.row = 1 << rowBits;
        this.stands = new double[2 * row];
    }

    /**
     * Begins anew.
     *
     * @param perSecond what is let in of all
     */
    public void begin(double perSecond, long nowNanos) {
        Arrays.fill(stands, 0);
        clock = 0;
        share = Math.max(LEAST, perSecond);
        nanos = nowNanos;
        fairTaken = 0;
        fairRefused = 0;
        otherTaken = 0;
    }

    /**
     * Does a source with one more request ask for no more than its share? It is counted when so.
     *
     * @param source of {@link SourceKey}
     * @param weight how many it counts as
     */
    public boolean fair(long source, int weight, long nowNanos) {
        clock += Math.max(0, nowNanos - nanos) * NANOS * share;
        nanos = nowNanos;
        long hash = SourceKey.mix(source ^ seed);
        int first = (int) hash & row - 1;
        int second = row + ((int) (hash >>> 32) & row - 1);
        double stand = Math.max(Math.min(stands[first], stands[second]), clock);
        if (stand - clock > Math.max(LEAST_BURST, share * BURST_SECONDS) - 1) {
            return false;
        }
        double next = stand + 1.0 / weight;
        stands[first] = Math.max(stands[first], next);
        stands[second] = Math.max(stands[second], next);
        return true;
    }

    /** One was let in, or not. */
    public void decided(boolean fair, boolean taken) {
        if (taken) {
            fairTaken += fair ? 1 : 0;
            otherTaken += fair ? 0 : 1;
        } else if (fair) {
            fairRefused++;
        }
    }

    /**
     * Looks whether the share is right.
     *
     * @param most that is let in of all, for each second
     */
    public void look(double most) {
        if (fairRefused > 0) {
            double refused = (double) fairRefused / (fairRefused + fairTaken);
            share *= Math.max(0.5, 1 - refused);
        } else if (otherTaken > 0) {
            share *= RISE;
        }
        share = Math.clamp(share, LEAST, Math.max(LEAST, most));
        fairTaken = 0;
        fairRefused = 0;
        otherTaken = 0;
    }

    /** The share of a source of weight 1, in requests for each second. */
    double share() {
        return share;
    }
}
