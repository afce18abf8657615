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
    private final int partition;
    private final Runnable silent;

    NextHopTimer(int partition, Runnable silent) {
        this.partition = partition;
        this.silent = silent;
    }

    /** Begins anew for the hop at work. */
    void begin(ShardCore core) {
        core.timers().schedule(this, core.now() + core.config().failover().tryNextNanos());
    }

    void end(ShardCore core) {
        if (scheduled()) {
            core.timers().cancel(this);
        }
    }

    @Override
    protected int partition() {
        return partition;
    }

    @Override
    protected void fire(long nowNanos) {
        silent.run();
    }
}
