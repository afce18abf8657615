package io.carillon.net.stream;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line at most in a second about handshakes that failed: strangers cause them, so they must not
 * fill a disk. Any thread.
 */
final class RefusalLog {

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong quietUntilNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong unlogged = new AtomicLong();

    void failed(Object peer, String why) {
        long now = System.nanoTime();
        long until = quietUntilNanos.get();
        if (now - until < 0 || !quietUntilNanos.compareAndSet(until, now + PAUSE_NANOS)) {
            unlogged.incrementAndGet();
            return;
        }
        LOG.warn(
                "connection with {} failed: {} ({} earlier ones not logged)",
                peer,
                printable(why),
                unlogged.getAndSet(0));
    }

    /** What a stranger sent makes no lines of its own. */
    static String printable(String text) {
        StringBuilder clean = new StringBuilder(Math.min(text.length(), 200));
        for (int i = 0; i < text.length() && i < 200; i++) {
            char c = text.charAt(i);
            clean.append(c < ' ' || (c >= 0x7F && c < 0xA0) ? '?' : c);
        }
        return clean.toString();
    }
}
