package io.carillon.protection.http;

import java.util.concurrent.TimeUnit;

/**
 * How long the other side kept one request waiting, for bytes of a body or for room for those of a
 * response. Bytes that move pay for waiting, at the least rate; none are paid in advance.
 *
 * <p>The request's threads tell it, one of the server's looks: each call holds its lock.
 */
final class DataPace {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long bytesPerSecond;
    private final long graceNanos;
    private long owedNanos;
    private boolean waiting;
    private long sinceNanos;
    private long expected;

    /**
     * @param bytesPerSecond at least
     * @param graceNanos that may be owed
     */
    DataPace(long bytesPerSecond, long graceNanos) {
        this.bytesPerSecond = bytesPerSecond;
        this.graceNanos = graceNanos;
    }

    /**
     * From now on the other side is waited for.
     *
     * @param bytes that are to move together; 0 where one is enough
     */
    synchronized void await(long bytes, long now) {
        waiting = true;
        sinceNanos = now;
        expected = bytes;
    }

    /** It is waited for no longer. */
    synchronized void proceed(long now) {
        if (waiting) {
            waiting = false;
            owedNanos += now - sinceNanos;
        }
    }

    /** Is the other side waited for? */
    synchronized boolean isWaiting() {
        return waiting;
    }

    /** Bytes that came or went. */
    synchronized void moved(long bytes) {
        owedNanos = Math.max(0, owedNanos - nanos(bytes));
    }

    /** Does the other side move less than it has to? */
    synchronized boolean isLate(long now) {
        return waiting && owedNanos + (now - sinceNanos) > graceNanos + nanos(expected);
    }

    private long nanos(long bytes) {
        return bytes >= Long.MAX_VALUE / SECOND
                ? Long.MAX_VALUE / 4
                : bytes * SECOND / bytesPerSecond;
    }
}
