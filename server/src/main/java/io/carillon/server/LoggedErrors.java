package io.carillon.server;

import io.carillon.sip.bytes.LogText;
import io.carillon.sip.guard.LimitedLog;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.observe.ErrorSink;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures of the layers above the stack, and requests that cannot be sent, at most one of
 * each a second; the stack counts all. Any thread.
 */
final class LoggedErrors implements ErrorSink {
    private static final Logger LOG = LoggerFactory.getLogger("io.carillon.sip");
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LimitedLog errors = new LimitedLog(QUIET_NANOS);
    private final LimitedLog unsent = new LimitedLog(QUIET_NANOS);

    @Override
    public void error(String during, Throwable error) {
        long others = errors.admit(System.nanoTime());
        if (others >= 0) {
            LOG.error("{} failed ({} more since the last such line)", during, others, error);
        }
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
