package io.carillon.net.tls;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Lines that strangers can provoke: at most one in ten seconds, which also says how many were left
 * out. Any thread.
 */
final class LimitedLog {

    private static final long GAP_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Logger log;
    private long nextNanos = System.nanoTime();
    private long leftOut;

    LimitedLog(Logger log) {
        this.log = log;
    }

    void warn(String line) {
        long before = leave(System.nanoTime());
        if (before >= 0) {
            log.warn("{}{}", line, before == 0 ? "" : " (and " + before + " like it before)");
        }
    }

    /** -1: say nothing; else how many were left out since the last line. */
    synchronized long leave(long nowNanos) {
        if (nowNanos - nextNanos < 0) {
            leftOut++;
            return -1;
        }
        nextNanos = nowNanos + GAP_NANOS;
        long before = leftOut;
        leftOut = 0;
        return before;
    }
}
