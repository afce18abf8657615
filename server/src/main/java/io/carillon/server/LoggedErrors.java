package io.carillon.server;

import io.carillon.net.guard.LimitedLog;
import io.carillon.sip.bytes.LogText;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.observe.ErrorSink;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures of the layers above the stack, and requests that cannot be sent, at most one of
 * each a second; the stack counts all. Any thread.
 */
final class LoggedErrors implements ErrorSink {
    private static final Logger LOG = LoggerFactory.getLogger("io.carillon.sip");
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong lastNanos = new AtomicLong(System.nanoTime() - QUIET_NANOS);
    private final AtomicLong left = new AtomicLong();
    private final LimitedLog unsent = new LimitedLog(QUIET_NANOS);

    @Override
    public void error(String during, Throwable error) {
        long now = System.nanoTime();
        long last = lastNanos.get();
        if (now - last < QUIET_NANOS || !lastNanos.compareAndSet(last, now)) {
            left.incrementAndGet();
            return;
        }
        LOG.error("{} failed ({} more since the last such line)", during, left.getAndSet(0), error);
    }

    @Override
    public void unsent(MessageDraft request, String why) {
        long others = unsent.admit(System.nanoTime());
        if (others >= 0) {
            LOG.warn(
                    "{} to {} was not sent: {} (call {}; {} more since the last such line)",
                    LogText.safe(request.method()),
                    LogText.safe(request.requestUri().toString()),
                    why,
                    LogText.safe(String.valueOf(request.callId())),
                    others);
        }
    }
}
