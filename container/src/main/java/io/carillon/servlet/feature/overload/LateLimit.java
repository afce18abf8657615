package io.carillon.servlet.feature.overload;

import java.util.concurrent.TimeUnit;

/**
 * How many new calls of one application may be in hand at once: as many as there are while it keeps
 * up. When it is late, as many as it does in the time that its handlers took before, and a little
 * more (Little's law), so that it has always enough to do and what it takes is done in time.
 *
 * <p>A handler may take longer for another reason: the database that it asks has become slower, and
 * all calls are done all the same. So fewer calls in hand are a trial: where they are not done
 * faster, nothing had waited for anything, the longer time is the usual one from then on, and all
 * calls are let in again.
 *
 * <p>For one thread at a time: the owner has a lock. Memory is fixed.
 */
final class LateLimit {
    /** Without a limit. */
    static final int NONE = Integer.MAX_VALUE;

    private static final int LEAST = 4;

    /** With so few in hand it is not late: one that takes long tells nothing of the others. */
    private static final int FEW = 2 * LEAST;

    /** Of the usual time. */
    private static final int LATE = 3;

    private static final double AIM = 1.5;

    /** Of the time at which it was late: above it nothing has become faster. */
    private static final double NOT_FASTER = 0.75;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final long SETTLES_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOVES_EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long DOUBT_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** So long it may take nothing at all, where nobody knows how long it takes. */
    private static final long UNKNOWN_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** Looks in a row with work that waited too long to begin. */
    private static final int LOOKS = 3;

    private enum State {
        /** It keeps up. */
        KEEPS_UP,
        /** It is late; more is in hand than may be. */
        DRAINS,
        /** What is in hand came under the limit; is it done faster? */
        SETTLES,
        /** It is: the limit holds, rises while it is done in time, and falls while it is not. */
        HOLDS
    }

    /**
     * What was seen at one moment.
     *
     * @param ageNanos of what is in hand, see {@link HandlerAge}
     * @param waitNanos how long work waited to begin at least, of late; 0 where it is not this
     *     application's alone
     * @param inHand new calls handed over and not ended
     * @param perSecond that ended of late
     * @param refused so far
     */
    record Look(long ageNanos, long waitNanos, long inHand, double perSecond, long refused) {}

    private State state = State.KEEPS_UP;
    private int most = NONE;

    /** What handlers take when nothing waits; 0: nobody knows. */
    private double usualNanos;

    /** How old what is in hand may get while it is limited. */
    private double aimNanos;

    /** When it was last no older. */
    private long inTimeNanos;

    private boolean byAge;
    private int lateLooks;
    private long lateNanos;
    private long settlesNanos;
    private long oldestNanos;
    private long sinceNanos;
    private long nextNanos;
    private long refusedBefore;
    private long refusedNanos;

    /** How many may be in hand. */
    int most() {
        return most;
    }

    boolean sheds() {
        return state != State.KEEPS_UP;
    }

    /** Is more in hand than may be, from before the limit? */
    boolean drains() {
        return state == State.DRAINS;
    }

    /** When it began to be late. */
    long sinceNanos() {
        return sinceNanos;
    }

    /**
     * What handlers took, as a mean: the usual time follows what is shorter at once, and what is
     * longer so slowly that nothing which waits for something becomes usual.
     */
    void took(double meanNanos) {
        if (usualNanos == 0) {
            usualNanos = meanNanos;
        } else if (meanNanos < usualNanos) {
            usualNanos -= (usualNanos - meanNanos) / 4;
        } else if (!sheds()) {
            usualNanos = Math.min(meanNanos, usualNanos * 1.002);
        }
    }

    /**
     * Looks, some times each second.
     *
     * @param delayNanos that work may wait to begin
     * @param handlerNanos that it may take until it has ended, at least
     */
    void look(Look now, long delayNanos, long handlerNanos, long nowNanos) {
        boolean old = now.ageNanos > lateAge(handlerNanos);
        lateLooks = now.waitNanos > delayNanos ? lateLooks + 1 : 0;
        boolean late = now.inHand > FEW && (old || lateLooks >= LOOKS);
        switch (state) {
            case KEEPS_UP -> {
                if (late) {
                    sinceNanos = nowNanos;
                    drain(now, old, delayNanos, handlerNanos);
                }
            }
            case DRAINS -> {
                if (now.inHand <= most) {
                    state = State.SETTLES;
                    settlesNanos = Math.max(SETTLES_NANOS, 2 * lateNanos);
                    nextNanos = nowNanos + settlesNanos;
                    oldestNanos = 0;
                }
            }
            case SETTLES -> {
                // What came before the limit is done in the first half.
                if (nextNanos - nowNanos < settlesNanos / 2) {
                    oldestNanos = Math.max(oldestNanos, now.ageNanos);
                }
                if (nowNanos - nextNanos >= 0) {
                    settled(now, lateAge(handlerNanos), nowNanos);
                }
            }
            case HOLDS -> {
                if (late) {
                    drain(now, old, delayNanos, handlerNanos);
                } else {
                    hold(now, nowNanos);
                }
            }
        }
    }

    private long lateAge(long handlerNanos) {
        return usualNanos == 0
                ? Math.max(UNKNOWN_NANOS, handlerNanos)
                : Math.max(handlerNanos, (long) (LATE * usualNanos));
    }

    private void drain(Look now, boolean old, long delayNanos, long handlerNanos) {
        aimNanos = old ? Math.max(handlerNanos / 4.0, AIM * usualNanos) : usualNanos + delayNanos;
        byAge = old;
        lateNanos = now.ageNanos;
        lateLooks = 0;
        int done = (int) Math.min(NONE, now.perSecond * aimNanos / NANOS_PER_SECOND);
        most = Math.max(LEAST, most == NONE ? done : Math.min(done, most - most / 5));
        state = State.DRAINS;
    }

    /** By the oldest that was seen: calls of one moment end in another, and few are in hand. */
    private void settled(Look now, long lateAge, long nowNanos) {
        if (byAge && oldestNanos > lateAge && oldestNanos > NOT_FASTER * lateNanos) {
            usualNanos = oldestNanos;
            keepsUp();
            return;
        }
        state = State.HOLDS;
        nextNanos = nowNanos;
        inTimeNanos = nowNanos;
        refusedBefore = now.refused;
        refusedNanos = nowNanos;
    }

    private void hold(Look now, long nowNanos) {
        if (now.refused != refusedBefore) {
            refusedBefore = now.refused;
            refusedNanos = nowNanos;
        } else if (nowNanos - refusedNanos >= QUIET_NANOS) {
            keepsUp();
            return;
        }
        if (nowNanos - nextNanos >= MOVES_EVERY_NANOS) {
            nextNanos = nowNanos;
            int step = Math.max(1, most / 50);
            if (now.ageNanos <= aimNanos) {
                inTimeNanos = nowNanos;
                most += step;
            } else if (nowNanos - inTimeNanos > DOUBT_NANOS) {
                most += step; // it may take longer whatever is let in: another trial will tell
            } else if (most > FEW) {
                most -= step;
            }
        }
    }

    private void keepsUp() {
        state = State.KEEPS_UP;
        most = NONE;
        lateLooks = 0;
    }
}
