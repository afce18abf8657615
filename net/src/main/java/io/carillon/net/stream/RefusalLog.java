package io.carillon.net.stream;

import io.carillon.sip.guard.LimitedLog;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One line at most in a second about handshakes that failed: strangers cause them, so they must not
 * fill a disk. Any thread.
 */
final class RefusalLog {

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LimitedLog limited = new LimitedLog(PAUSE_NANOS);

    void failed(Object peer, String why) {
        long others = limited.admit(System.nanoTime());
        if (others >= 0) {
            LOG.warn(
                    "connection with {} failed: {} ({} earlier ones not logged)",
                    peer,
                    printable(why),
                    others);
        }
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
