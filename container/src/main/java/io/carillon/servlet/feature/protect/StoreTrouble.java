package io.carillon.servlet.feature.protect;

import java.util.concurrent.TimeUnit;

/**
 * Whether the store has lately not taken what it was given. A node that cannot write may be about
 * to lose its partitions: the timer that it fires now the next owner fires again, as it reads
 * nothing of it. So timers of applications wait for a while until the store takes records again, or
 * the partition is gone. Calls do not wait.
 *
 * <p>Owner: the shard's thread.
 */
final class StoreTrouble {
    /** A failure counts for so long: by then the store was asked again. */
    static final long LINGERS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** It is over when nothing was seen of it for so long. */
    static final long OVER_NANOS = TimeUnit.SECONDS.toNanos(2);

    /**
     * Of one trouble: timers wait no longer. A node that the others do not see is not the owner any
     * more by then (decision 24); another one just has a bad store, and its timers fire.
     */
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(8);

    private static final long NEVER = Long.MIN_VALUE / 4;

    private long sinceNanos = NEVER;
    private long seenNanos = NEVER;
    private long failedNanos = NEVER;

    /** The store has failed. */
    void failed(long nowNanos) {
        seen(nowNanos);
        failedNanos = nowNanos;
    }

    /**
     * Should a timer wait?
     *
     * @param late does a batch wait for its answer for too long now?
     */
    boolean holdsTimers(boolean late, long nowNanos) {
        if (late) {
            seen(nowNanos);
        }
        return (late || nowNanos - failedNanos < LINGERS_NANOS)
                && nowNanos - sinceNanos < LONGEST_NANOS;
    }

    private void seen(long nowNanos) {
        if (nowNanos - seenNanos >= OVER_NANOS) {
            sinceNanos = nowNanos;
        }
        seenNanos = nowNanos;
    }
}
