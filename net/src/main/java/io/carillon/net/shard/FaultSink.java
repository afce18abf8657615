package io.carillon.net.shard;

import io.carillon.net.count.LoopCounts;
import io.carillon.net.count.NetworkCounter;
import io.carillon.sip.guard.LimitedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where exceptions end that should not exist: each is counted, and at most one a second is logged,
 * so that a bug which every message hits does not drown the machine in log lines. Owner: one event
 * loop.
 */
final class FaultSink {

    private static final Logger LOG = LoggerFactory.getLogger(FaultSink.class);
    private static final long PAUSE_NANOS = 1_000_000_000L;

    private final LoopCounts tally;
    private final LimitedLog limited = new LimitedLog(PAUSE_NANOS);

    FaultSink(LoopCounts tally) {
        this.tally = tally;
    }

    /** Where they are counted. */
    LoopCounts tally() {
        return tally;
    }

    void report(String during, Throwable fault, long nowNanos) {
        tally.count(NetworkCounter.FAULTS);
        long others = limited.admit(nowNanos);
        if (others >= 0) {
            LOG.error("{} ({} earlier ones not logged)", during, others, fault);
        }
    }
}
