package io.carillon.sip.stack;

import io.carillon.sip.time.WheelTimer;

/**
 * A declared deviation from Timer B and F, off by default: a server that has answered nothing for
 * the configured time is left for the next one. RFC 3263 4.3 knows only their time-out, which comes
 * later than callers wait.
 *
 * <p>Owner: the shard's thread.
 */
final class Patience extends WheelTimer {
    private final RequestAttempt attempt;

    private Patience(RequestAttempt attempt) {
        this.attempt = attempt;
    }

    /** Begins anew for the hop at work. */
    static void with(RequestAttempt attempt, OutgoingRequest out, Shard shard) {
        Patience patience = out.patience;
        if (patience == null) {
            patience = new Patience(attempt);
            out.patience = patience;
        }
        long limit = shard.config().failover().tryNextNanos();
        shard.timers().schedule(patience, shard.now() + limit);
    }

    void end(Shard shard) {
        if (scheduled()) {
            shard.timers().cancel(this);
        }
    }

    @Override
    protected void fire(long nowNanos) {
        attempt.lostPatience();
    }
}
