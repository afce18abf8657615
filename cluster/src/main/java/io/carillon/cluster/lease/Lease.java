package io.carillon.cluster.lease;

import java.util.Arrays;

/**
 * Until when a node may act. It may for as long as a majority of the voters has acknowledged a beat
 * that was <em>sent</em> less than the lease's length ago. When the acknowledgement was heard says
 * nothing: it may have waited somewhere for long.
 *
 * <p>Time is nanoseconds of a clock that goes on while the machine sleeps and never goes back
 * (CLOCK_BOOTTIME). One thread writes; {@link #holds} is for any.
 */
public final class Lease {
    private static final long NEVER = Long.MIN_VALUE;

    private final long length;
    private final int majority;
    private final long[] ackedSentAt;

    /** Its end; read on event loops before a message leaves. */
    private volatile long until = NEVER;

    /**
     * @param voters how many there are
     * @param length nanoseconds
     */
    public Lease(int voters, long length) {
        this.length = length;
        this.majority = voters / 2 + 1;
        this.ackedSentAt = new long[voters];
        Arrays.fill(ackedSentAt, NEVER);
    }

    /** May the node act at this instant? */
    public boolean holds(long now) {
        return now < until;
    }

    /** When it runs out; in the past when it has; {@link Long#MIN_VALUE} when there was none. */
    public long until() {
        return until;
    }

    /**
     * A voter has acknowledged a beat of this life.
     *
     * @param voter its place among the voters
     * @param sentAt when the beat was sent
     */
    public void acked(int voter, long sentAt) {
        if (sentAt <= ackedSentAt[voter]) {
            return;
        }
        ackedSentAt[voter] = sentAt;
        long[] sorted = ackedSentAt.clone();
        Arrays.sort(sorted);
        // So many voters have acknowledged a beat that was sent then or later.
        long sent = sorted[sorted.length - majority];
        if (sent != NEVER && sent + length > until) {
            until = sent + length;
        }
    }

    /** This life is over: nothing that was acknowledged counts any more. */
    public void end() {
        until = NEVER;
        Arrays.fill(ackedSentAt, NEVER);
    }
}
