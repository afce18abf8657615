package io.carillon.net.stream;

import io.carillon.net.count.NetworkCounter;
import io.carillon.net.guard.Guard;
import io.carillon.net.guard.SourceRefusal;
import io.carillon.net.shard.ShardLoop;
import io.carillon.sip.guard.SourceKey;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Who is at the far end of a connection, and what he may send on it. A banned source loses the
 * connection, whoever opened it. One that sends more than it may loses the connection that it has
 * opened; one of ours is not read until the time of what came too fast is over, since all calls
 * with a carrier may be on it.
 *
 * <p>Owner: the connection's loop; what never changes may be asked by any thread.
 */
final class SourceGate {
    /** Below the time of a message: who is not read cannot end one. */
    static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long LEAST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ShardLoop loop;
    private final @Nullable Guard guard;
    private final boolean accepted;
    private final long source;
    private final boolean spared;

    private boolean paused;
    private long pausedNanos;

    /** Messages over the rate since it is not read. */
    private int over;

    /**
     * @param guard who is listened to; null: everybody
     * @param accepted whether the far end opened the connection
     */
    SourceGate(ShardLoop loop, @Nullable Guard guard, InetAddress from, boolean accepted) {
        this.loop = loop;
        this.guard = guard;
        this.accepted = accepted;
        this.source = SourceKey.of(from);
        this.spared = guard != null && guard.trusts(source);
    }

    /** By {@link SourceKey}. */
    long source() {
        return source;
    }

    /** Is it a trusted source? */
    boolean spared() {
        return spared;
    }

    /** Did the far end open the connection? */
    boolean accepted() {
        return accepted;
    }

    /**
     * A message came, or what counts as one.
     *
     * @param proved whether the connection has shown that it belongs here
     * @return why the connection has to be closed; null where it may go on
     */
    @Nullable CloseCause refusal(Channel from, boolean proved, long nowNanos) {
        SourceRefusal refused =
                guard == null ? null : guard.refusal(source, proved, nowNanos, loop.sheds());
        if (refused == null) {
            return null;
        }
        if (accepted || refused == SourceRefusal.BANNED) {
            return CloseCause.of(refused);
        }
        over++;
        if (!paused) {
            paused = true;
            pausedNanos = nowNanos;
            loop.tally().count(NetworkCounter.STREAM_READS_PAUSED);
            from.config().setAutoRead(false);
            readOnAfter(from, LEAST_PAUSE_NANOS);
        }
        return null;
    }

    private void readOnAfter(Channel from, long nanos) {
        loop.watch(
                "reading on after a pause",
                loop.eventLoop().schedule(() -> readOn(from), nanos, TimeUnit.NANOSECONDS));
    }

    /** What had been read when the pause began has been taken by now, and tells how long it is. */
    private void readOn(Channel from) {
        loop.begin();
        long left = pausedNanos + pauseNanos() - loop.nowNanos();
        if (left > 0 && from.isOpen()) {
            readOnAfter(from, left);
            return;
        }
        paused = false;
        over = 0;
        if (from.isOpen()) {
            from.config().setAutoRead(true);
        }
    }

    /** The time in which so many may come. */
    private long pauseNanos() {
        int perSecond = guard == null ? 0 : guard.config().streamRate().perSecond();
        return perSecond == 0
                ? LEAST_PAUSE_NANOS
                : Math.min(LONGEST_PAUSE_NANOS, over * SECOND_NANOS / perSecond);
    }
}
