package io.carillon.servlet.app;

import io.carillon.servlet.port.Slot;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the handlers of an application have used the event loops ({@link ExecutionMode#ADAPTIVE}).
 * One that computes costs the calls of its shard some milliseconds before it is left behind. So the
 * application has threads of its own from its first offence on: for {@value #FIRST_AWAY_SECONDS} s,
 * and for twice as long each time when the next offence follows soon, up to {@value
 * #MOST_AWAY_SECONDS} s. Any thread.
 */
public final class LoopUse {
    /** Of an application. */
    public static final Slot<LoopUse> SLOT = Slot.of(LoopUse.class);

    static final long FIRST_AWAY_SECONDS = 10;
    static final long MOST_AWAY_SECONDS = 640;

    private static final Logger LOG = LoggerFactory.getLogger(LoopUse.class);

    private final String application;

    /** Its handlers lose the loop for what they compute. */
    private final boolean judged;

    /** Until when it is away, by the clock of the shards; 0 while it is not. */
    private volatile long awayUntilNanos;

    // Guarded by this.
    private long awaySeconds;
    private long lastEndNanos;
    private long offences;

    LoopUse(String application) {
        this(application, true);
    }

    private LoopUse(String application, boolean judged) {
        this.application = application;
        this.judged = judged;
    }

    /**
     * Of an application of the server's own, whose handlers stay on the loops: its offences are
     * counted only.
     */
    public static LoopUse ofServer(String application) {
        return new LoopUse(application, false);
    }

    /** Has it offended, so that {@link #may} is to be asked? */
    public boolean offended() {
        return awayUntilNanos != 0;
    }

    /**
     * May its handlers run on the loops?
     *
     * @param nowNanos by the clock of a shard
     */
    public boolean may(long nowNanos) {
        long until = awayUntilNanos;
        if (until == 0) {
            return true;
        }
        if (nowNanos - until < 0) {
            return false;
        }
        synchronized (this) {
            if (awayUntilNanos == until) {
                awayUntilNanos = 0;
            }
        }
        return true;
    }

    /**
     * A handler has held a loop.
     *
     * @param nowNanos by the clock of a shard
     * @param heldNanos for how long until now
     * @param call whose handler it is
     */
    public void offence(long nowNanos, long heldNanos, String call) {
        long seconds = sentAway(nowNanos);
        if (seconds > 0) {
            // Not in the lock: carriers of loops ask for it, and the log may have to wait for them.
            LOG.warn(
                    "A handler of {} has held the thread of an event loop for {} ms (call {}): its"
                            + " handlers run on threads of their own for {} s ({} = blocking: always)",
                    application,
                    TimeUnit.NANOSECONDS.toMillis(heldNanos),
                    call,
                    seconds,
                    ExecutionMode.CONTEXT_PARAM);
        }
    }

    /** For how many seconds; 0 when it was away, or is not sent away. */
    private synchronized long sentAway(long nowNanos) {
        offences++;
        if (!judged) {
            return 0;
        }
        if (awayUntilNanos != 0 && nowNanos - awayUntilNanos < 0) {
            return 0; // several were on their way
        }
        boolean soon =
                awaySeconds > 0
                        && nowNanos - lastEndNanos < TimeUnit.SECONDS.toNanos(MOST_AWAY_SECONDS);
        awaySeconds = soon ? Math.min(2 * awaySeconds, MOST_AWAY_SECONDS) : FIRST_AWAY_SECONDS;
        long until = nowNanos + TimeUnit.SECONDS.toNanos(awaySeconds);
        awayUntilNanos = until == 0 ? 1 : until;
        lastEndNanos = until;
        return awaySeconds;
    }

    /** Handlers that have held a loop. */
    public synchronized long offences() {
        return offences;
    }
}
