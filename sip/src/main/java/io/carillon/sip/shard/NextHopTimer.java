package io.carillon.sip.shard;

import io.carillon.sip.core.ShardCore;
import io.carillon.sip.time.WheelTimer;

/**
 * A declared deviation from Timer B and F, off by default: a server that has answered nothing for
 * the configured time is left for the next one. RFC 3263 4.3 knows only their time-out, which comes
 * later than callers wait.
 *
 * <p>Owner: the shard's thread.
 */
final class NextHopTimer extends WheelTimer {
    private final RequestAttempt attempt;

    private NextHopTimer(RequestAttempt attempt) {
        this.attempt = attempt;
    }

    /** Begins anew for the hop at work. */
    static void with(RequestAttempt attempt, OutgoingRequest out, ShardCore core) {
        NextHopTimer timer = out.nextHopTimer;
        if (timer == null) {
            timer = new NextHopTimer(attempt);
            out.nextHopTimer = timer;
        }
        long limit = core.config().failover().tryNextNanos();
        core.timers().schedule(timer, core.now() + limit);
    }

    void end(ShardCore core) {
        if (scheduled()) {
            core.timers().cancel(this);
        }
    }

    @Override
    protected void fire(long nowNanos) {
        AttemptHops.silent(attempt);
    }
}
