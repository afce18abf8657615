package io.carillon.net.resolve;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * A warning that strangers can cause, at most once in ten seconds. Any thread; the counters have
 * all of them.
 */
final class LimitedLog {
    private static final long PAUSE_NANOS = 10_000_000_000L;

    private final Logger log;
    private final AtomicLong quietUntil;
    private final AtomicLong unlogged = new AtomicLong();

    LimitedLog(Logger log) {
        this.log = log;
        this.quietUntil = new AtomicLong(System.nanoTime());
    }

    void warn(String sentence, Object about) {
        long now = System.nanoTime();
        long until = quietUntil.get();
        if (now - until < 0 || !quietUntil.compareAndSet(until, now + PAUSE_NANOS)) {
            unlogged.incrementAndGet();
            return;
        }
        long others = unlogged.getAndSet(0);
        log.warn("{}: {} ({} more since the last of these lines)", sentence, about, others);
    }
}
