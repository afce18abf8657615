package io.carillon.server.guard;

import io.carillon.server.measure.ServerStatus.SlowHandler;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the log of handlers that run for too long: the longest by name, the others as a number, one
 * line in ten seconds at most.
 *
 * <p>Owner: the thread that looks.
 */
public final class SlowHandlerWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SlowHandlerWatch.class);
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final Consumer<String> log;
    private boolean told;
    private long toldNanos;

    /** Of a server that begins. */
    public SlowHandlerWatch() {
        this(LOG::warn);
    }

    SlowHandlerWatch(Consumer<String> log) {
        this.log = log;
    }

    /**
     * Writes what is due.
     *
     * @param slow handlers that run longer than {@code sessions.slow-handler} now
     */
    public void look(List<SlowHandler> slow, long nowNanos) {
        if (slow.isEmpty() || (told && nowNanos - toldNanos < PAUSE_NANOS)) {
            return;
        }
        told = true;
        toldNanos = nowNanos;
        SlowHandler longest =
                slow.stream()
                        .max(
                                Comparator.comparing((SlowHandler one) -> !one.deadlock().isEmpty())
                                        .thenComparingDouble(SlowHandler::seconds))
                        .orElseThrow();
        log.accept(
                String.format(
                        Locale.ROOT,
                        "Application %s: %s has worked on %s of call %s for %.1f s%s%s%s"
                                + " (sessions.slow-handler)",
                        longest.application(),
                        longest.servlet(),
                        longest.method(),
                        longest.callId(),
                        longest.seconds(),
                        longest.holdsThread() ? " and holds its thread" : "",
                        longest.deadlock().isEmpty()
                                ? ""
                                : ", in a DEADLOCK with " + longest.deadlock(),
                        slow.size() == 1 ? "" : "; " + (slow.size() - 1) + " more handlers"));
    }
}
