package io.carillon.sip.overload;

import java.util.concurrent.TimeUnit;

/** Tells others how it goes. Owner: the shard's thread; {@link #state} is for any. */
final class LoadReport {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private volatile OverloadState state = OverloadState.IDLE;

    private boolean idle = true;
    private boolean shedding;
    private long sinceNanos;
    private long longestNanos;
    private long longestSinceNanos;
    private Waiting longestWhere = Waiting.SOCKET;
    private int shed;
    private double shedPerSecond;
    private long secondNanos;

    /** New work was refused. */
    void shed() {
        shed++;
    }

    /** What was seen last. */
    OverloadState state() {
        return state;
    }

    /**
     * At each look.
     *
     * @param delayNanos the delay, of which the longest of about a second is told
     */
    void look(AdmissionRate rate, long delayNanos, Waiting where, long nowNanos) {
        count(nowNanos);
        keepLongest(delayNanos, where, nowNanos);
        boolean before = shedding;
        // It sheds from the first refusal on: a limit that nobody meets is nothing to be told.
        shedding = rate.limiting() && (before || shed > 0);
        if (shedding && !before) {
            sinceNanos = nowNanos;
        }
        boolean nothing = longestNanos == 0 && !shedding && shedPerSecond == 0;
        if (nothing && idle) {
            return;
        }
        idle = nothing;
        state =
                nothing
                        ? OverloadState.IDLE
                        : new OverloadState(
                                shedding,
                                shedding ? sinceNanos : 0,
                                longestNanos,
                                longestWhere,
                                shedding ? 100 : load(rate),
                                rate.limiting() ? rate.perSecond() : 0,
                                shedPerSecond);
    }

    private int load(AdmissionRate rate) {
        return (int) Math.min(100, 100 * longestNanos / rate.wantedNanos());
    }

    /** A look is over before anybody has seen it. */
    private void keepLongest(long delayNanos, Waiting where, long nowNanos) {
        if (delayNanos >= longestNanos || nowNanos - longestSinceNanos > SECOND_NANOS) {
            longestNanos = delayNanos;
            longestWhere = where;
            longestSinceNanos = nowNanos;
        }
    }

    private void count(long nowNanos) {
        long passed = nowNanos - secondNanos;
        if (passed >= SECOND_NANOS) {
            shedPerSecond = passed < 2 * SECOND_NANOS ? shed * 1e9 / passed : 0;
            shed = 0;
            secondNanos = nowNanos;
        }
    }
}
