package io.carillon.sip.guard;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Says when a line may be logged that an attacker, or a bug that each message hits, could cause at
 * will. Any thread.
 */
public final class LimitedLog {
    private final long pauseNanos;
    private final AtomicBoolean logged = new AtomicBoolean();
    private final AtomicLong lastNanos = new AtomicLong();
    private final LongAdder silent = new LongAdder();

    /**
     * @param pauseNanos least time between two lines
     */
    public LimitedLog(long pauseNanos) {
        this.pauseNanos = pauseNanos;
    }

    /** How many lines were kept back since the last one, or -1: keep this one back too. */
    public long admit(long nowNanos) {
        long last = lastNanos.get();
        boolean first = !logged.get();
        if ((first || nowNanos - last >= pauseNanos) && lastNanos.compareAndSet(last, nowNanos)) {
            logged.set(true);
            return silent.sumThenReset();
        }
        silent.increment();
        return -1;
    }
}
