package io.carillon.server.log;

import java.util.concurrent.atomic.LongAdder;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.async.AsyncQueueFullPolicy;
import org.apache.logging.log4j.core.async.EventRoute;

/**
 * What becomes of a line for which the queue of the log has no room: it is left out and counted,
 * whatever its level. An event loop that waits for a terminal nobody reads would stop every call.
 * Any thread.
 */
public final class LogQueueFull implements AsyncQueueFullPolicy {
    private static final LongAdder LEFT_OUT = new LongAdder();

    /** Log4j makes it. */
    public LogQueueFull() {}

    @Override
    public EventRoute getRoute(long backgroundThreadId, Level level) {
        LEFT_OUT.increment();
        return EventRoute.DISCARD;
    }

    /** Lines left out since the start. */
    public static long leftOut() {
        return LEFT_OUT.sum();
    }
}
