package io.carillon.servlet.app;

import io.carillon.sip.bytes.LogText;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What an application writes with {@code ServletContext.log}: so many lines in a second, the rest
 * is counted and told once. An application that logs each call must not be what a flood of calls
 * takes the server down by. Any thread.
 */
final class ApplicationLog {
    private final Logger log;
    private final LongSupplier nanos;
    private volatile LongAdder leftOutInAll = new LongAdder();
    private volatile int perSecond = 1000;

    // Guarded by this.
    private long secondBegan;
    private int lines;
    private long leftOut;

    ApplicationLog(Logger log, LongSupplier nanos) {
        this.log = log;
        this.nanos = nanos;
        this.secondBegan = nanos.getAsLong();
    }

    /**
     * How much is written.
     *
     * @param linesPerSecond 0 for no limit
     * @param counter counts the lines that were left out, of this and other applications
     */
    void limit(int linesPerSecond, LongAdder counter) {
        leftOutInAll = counter;
        perSecond = linesPerSecond;
    }

    void info(@Nullable String message) {
        if (admits()) {
            log.info(LogText.safe(message));
        }
    }

    void warn(@Nullable String message, @Nullable Throwable thrown) {
        if (admits()) {
            log.warn(LogText.safe(message), thrown);
        }
    }

    private boolean admits() {
        int limit = perSecond;
        if (limit == 0) {
            return true;
        }
        long silent;
        synchronized (this) {
            long now = nanos.getAsLong();
            if (now - secondBegan >= TimeUnit.SECONDS.toNanos(1)) {
                secondBegan = now;
                lines = 0;
            }
            if (lines == limit) {
                leftOut++;
                leftOutInAll.increment();
                return false;
            }
            silent = lines == 0 ? leftOut : 0;
            leftOut = lines == 0 ? 0 : leftOut;
            lines++;
        }
        if (silent > 0) {
            log.warn("{} lines of this application were left out", silent);
        }
        return true;
    }
}
