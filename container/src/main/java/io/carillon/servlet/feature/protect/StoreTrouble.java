package io.carillon.servlet.feature.protect;

import java.util.concurrent.TimeUnit;

/**
 * Whether the store does not take what it is given now. A node that cannot write may be about to
 * lose its partitions: the timer that it fires now the next owner fires again, as it reads nothing
 * of it. So timers of applications wait for a while until the store takes records again, or the
 * partition is gone. Calls do not wait.
 *
 * <p>A trouble begins with the batch that had no answer in time, or failed. It ends when a batch
 * lands well and nothing is late or has just failed.
 *
 * <p>Owner: the shard's thread.
 */
final class StoreTrouble {
    /** A batch that has had no answer for longer is late, as for messages. */
    static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A failure counts for so long: by then the store was asked again. */
    static final long LINGERS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /**
     * Of one trouble: timers wait no longer. A node that the others do not see is not the owner any
     * more by then (decision 24); another one just has a bad store, and its timers fire.
     */
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(8);

    /** Longer than a write takes to fail: without another sign by then it is over. */
    private static final long OVER_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long NEVER = Long.MIN_VALUE / 4;

    private long sinceNanos = NEVER;
    private long signNanos = NEVER;
    private long failedNanos = NEVER;

    /**
     * A batch has failed.
     *
     * @param startedNanos when the store was given it
     */
    void failed(long startedNanos, long nowNanos) {
        sign(startedNanos, nowNanos);
        failedNanos = nowNanos;
    }

    /**
     * A batch has landed well.
     *
     * @param oldestNanos when the oldest one that is under way began; Long.MAX_VALUE for none
     */
    void landed(long oldestNanos, long nowNanos) {
        if (!isLate(oldestNanos, nowNanos) && !lingers(nowNanos)) {
            sinceNanos = NEVER;
        }
    }

    /**
     * Should a timer wait?
     *
     * @param oldestNanos when the oldest batch that is under way began; Long.MAX_VALUE for none
     */
    boolean holdsTimers(long oldestNanos, long nowNanos) {
        boolean late = isLate(oldestNanos, nowNanos);
        if (late) {
            sign(oldestNanos, nowNanos);
        }
        return (late || lingers(nowNanos)) && nowNanos - sinceNanos < LONGEST_NANOS;
    }

    private void sign(long beganNanos, long nowNanos) {
        if (sinceNanos == NEVER || nowNanos - signNanos > OVER_NANOS) {
            sinceNanos = beganNanos;
        }
        signNanos = nowNanos;
    }

    private static boolean isLate(long oldestNanos, long nowNanos) {
        return oldestNanos != Long.MAX_VALUE && nowNanos - oldestNanos > LATE_NANOS;
    }

    private boolean lingers(long nowNanos) {
        return nowNanos - failedNanos < LINGERS_NANOS;
    }
}
