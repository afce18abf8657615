package io.carillon.sip.overload;

import java.util.concurrent.TimeUnit;

/** Tells others how it goes. Owner: the shard's thread; {@link #state} is for any. */
final class LoadReport {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private volatile OverloadState state = OverloadState.IDLE;

    private boolean idle = true;
    private boolean shedding;
    private long sinceNanos;
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
     * @param delayNanos the longest delay
     * @param wantedNanos the one that messages may have
     */
    void look(AdmissionRate rate, long delayNanos, Waiting where, long wantedNanos, long nowNanos) {
        count(nowNanos);
        boolean before = shedding;
        // It sheds from the first refusal on: a limit that nobody meets is nothing to be told.
        shedding = rate.limiting() && (before || shed > 0);
        if (shedding && !before) {
            sinceNanos = nowNanos;
        }
        boolean nothing = delayNanos == 0 && !shedding && shedPerSecond == 0;
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
                                delayNanos,
                                where,
                                shedding
                                        ? 100
                                        : (int) Math.min(100, 100 * delayNanos / wantedNanos),
                                rate.limiting() ? rate.perSecond() : 0,
                                shedPerSecond);
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
