package io.carillon.net.stream;

import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.time.WheelTimer;
import io.carillon.sip.transaction.TransactionTimers;
import java.util.concurrent.TimeUnit;

/**
 * How long a connection may take for what it is at: a handshake, its first message, the rest of a
 * message, or nothing at all. One timer for all of them, set to whichever is next. Owner: the loop
 * of the connection.
 */
final class ConnectionDeadline extends WheelTimer {
    /** Time for a peer to read our last answer before the connection is closed under it. */
    private static final long LINGER_NANOS = 2_000_000_000L;

    /** The connection whose time it is. Asked and told on its loop. */
    interface Timed {
        ShardLoop loop();

        StreamConfig limits();

        /** Do TLS and WebSocket begin? */
        boolean handshaking();

        /** For TLS and WebSocket to begin; 0 without them. */
        long handshakeMillis();

        /** They took too long. */
        void handshakeTimedOut();

        /** Is our last answer on its way? */
        boolean lingering();

        void close(CloseCause why);
    }

    private final Timed connection;
    private final boolean accepted;
    private boolean waitsForFirst = true;
    private boolean midMessage;

    /** When it was opened; of one of ours that waits for an answer, when something last left. */
    private long startedNanos;

    private long messageSinceNanos;
    private long activeNanos;

    /**
     * @param accepted whether the peer opened it, and so has to begin
     */
    ConnectionDeadline(Timed connection, boolean accepted, long nowNanos) {
        this.connection = connection;
        this.accepted = accepted;
        this.startedNanos = nowNanos;
        this.activeNanos = nowNanos;
    }

    /** When something last came or left. */
    long activeNanos() {
        return activeNanos;
    }

    void active(long nowNanos) {
        activeNanos = nowNanos;
    }

    /**
     * Something leaves. One of ours on which nobody has answered may wait as long as a transaction
     * from now on.
     */
    void sent(long nowNanos) {
        activeNanos = nowNanos;
        if (!accepted && waitsForFirst) {
            startedNanos = nowNanos;
        }
    }

    void handshakeBegins() {
        startedNanos = connection.loop().nowNanos();
        arm();
    }

    /** SIP may pass from now on. */
    void opened() {
        startedNanos = connection.loop().nowNanos();
        activeNanos = startedNanos;
        arm();
    }

    /** Has a message begun that is not whole yet? */
    boolean midMessage() {
        return midMessage;
    }

    /**
     * Bytes came, which are looked at now.
     *
     * @return whether a message had begun before them; for {@link #bytesTaken}
     */
    boolean bytesCame(long nowNanos) {
        activeNanos = nowNanos;
        boolean inside = midMessage;
        midMessage = false;
        return inside;
    }

    /**
     * A message ended in these bytes.
     *
     * @return whether it is the first one
     */
    boolean messageEnded() {
        boolean first = waitsForFirst;
        waitsForFirst = false;
        midMessage = true;
        return first;
    }

    /**
     * @param insideNow whether they end within a message
     */
    void bytesTaken(boolean inside, boolean insideNow) {
        // A message that ended in these bytes has set the mark to this moment: what is left began
        // now.
        if (insideNow && (!inside || midMessage)) {
            messageSinceNanos = activeNanos;
        }
        midMessage = insideNow;
        arm();
    }

    /** Our last answer is on its way. */
    void linger() {
        ShardLoop loop = connection.loop();
        loop.shard().timers().schedule(this, loop.nowNanos() + LINGER_NANOS);
    }

    /**
     * Sees to it that the timer fires no later than the next limit; a limit that moved away is
     * found when it fires.
     */
    private void arm() {
        long next = next();
        if (!scheduled() || next - deadlineNanos() < 0) {
            connection.loop().shard().timers().schedule(this, next);
        }
    }

    private long next() {
        if (connection.handshaking()) {
            return handshakeLimit();
        }
        StreamConfig limits = connection.limits();
        long next = activeNanos + nanos(limits.idleTimeoutMillis());
        if (waitsForFirst) {
            next = Math.min(next, firstLimit(limits));
        }
        if (midMessage) {
            next = Math.min(next, messageLimit(limits));
        }
        return next;
    }

    private long handshakeLimit() {
        return startedNanos + nanos(connection.handshakeMillis());
    }

    /**
     * RFC 3261 18 lets a connection stay open as long as an element would need to send a
     * transaction: 64*T1 without an answer. One T1 more, so that the transaction ends first.
     */
    private long firstLimit(StreamConfig limits) {
        if (accepted) {
            return startedNanos + nanos(limits.firstMessageWithinMillis());
        }
        TransactionTimers timers = connection.loop().shard().config().timers();
        return startedNanos + timers.timeoutNanos() + timers.t1Nanos();
    }

    private long messageLimit(StreamConfig limits) {
        return messageSinceNanos + nanos(limits.messageWithinMillis());
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Override
    protected void fire(long nowNanos) {
        StreamConfig limits = connection.limits();
        if (connection.lingering()) {
            connection.close(CloseCause.MALFORMED);
        } else if (connection.handshaking()) {
            if (handshakeLimit() - nowNanos <= 0) {
                connection.handshakeTimedOut();
            } else {
                connection.loop().shard().timers().schedule(this, next());
            }
        } else if (midMessage && messageLimit(limits) - nowNanos <= 0) {
            connection.close(CloseCause.SLOW_MESSAGE);
        } else if (waitsForFirst && firstLimit(limits) - nowNanos <= 0) {
            connection.close(accepted ? CloseCause.SILENT : CloseCause.UNANSWERED);
        } else if (next() - nowNanos <= 0) {
            connection.close(CloseCause.IDLE);
        } else {
            connection.loop().shard().timers().schedule(this, next());
        }
    }
}
