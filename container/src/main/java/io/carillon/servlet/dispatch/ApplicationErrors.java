package io.carillon.servlet.dispatch;

import io.carillon.sip.bytes.LogText;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one sink for what applications throw, and for what fails inside the container: everything is
 * counted; of each kind one is logged with its stack per {@value #QUIET_MILLIS} ms, the rest as a
 * number. Any thread.
 */
public final class ApplicationErrors {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationErrors.class);
    private static final long QUIET_MILLIS = 10_000;
    static final int MAX_KINDS = 1_000;

    private static final class Kind {
        long loggedAtMillis = Long.MIN_VALUE;
        long silent;
    }

    private final LongSupplier millis;
    private final LongAdder ofApplications = new LongAdder();
    private final LongAdder ofContainer = new LongAdder();
    private final ConcurrentHashMap<String, Kind> kinds = new ConcurrentHashMap<>();
    private volatile @Nullable Throwable lastOfContainer;
    private volatile String lastOfApplications = "";

    public ApplicationErrors(LongSupplier millis) {
        this.millis = millis;
    }

    /** Application code threw. */
    public void applicationFailed(
            String application, String where, String what, String callId, Throwable error) {
        ofApplications.increment();
        long silent =
                admit(application + '|' + where + '|' + what + '|' + error.getClass().getName());
        if (silent >= 0) {
            // As text: an exception would keep the classes of an application that is gone.
            lastOfApplications = text(application, where, what, callId, error);
            LOG.warn(
                    "application {}: {} failed in {} (call {}){}",
                    application,
                    where,
                    LogText.safe(what),
                    LogText.safe(callId),
                    since(silent),
                    error);
        }
    }

    /** Our own code threw: a bug, told loudly. */
    public void containerFailed(String application, Throwable error) {
        ofContainer.increment();
        lastOfContainer = error;
        long silent = admit("|" + error.getClass().getName());
        if (silent >= 0) {
            LOG.error(
                    "the container failed in a session of application {}{}",
                    application,
                    since(silent),
                    error);
        }
    }

    private static String text(
            String application, String where, String what, String callId, Throwable error) {
        StackTraceElement[] stack = error.getStackTrace();
        return "application "
                + application
                + ": "
                + where
                + " failed in "
                + what
                + " (call "
                + callId
                + "): "
                + error
                + (stack.length == 0 ? "" : " at " + stack[0]);
    }

    private static String since(long silent) {
        return silent == 0 ? "" : "; " + silent + " more like this were not logged";
    }

    /**
     * How many of this kind were kept silent since the last one logged, or -1: keep this one silent
     * too.
     */
    private long admit(String name) {
        if (kinds.size() >= MAX_KINDS && !kinds.containsKey(name)) {
            return -1;
        }
        Kind kind = kinds.computeIfAbsent(name, _ -> new Kind());
        long now = millis.getAsLong();
        synchronized (kind) {
            if (kind.loggedAtMillis != Long.MIN_VALUE && now - kind.loggedAtMillis < QUIET_MILLIS) {
                kind.silent++;
                return -1;
            }
            long silent = kind.silent;
            kind.loggedAtMillis = now;
            kind.silent = 0;
            return silent;
        }
    }

    public long ofApplications() {
        return ofApplications.sum();
    }

    public long ofContainer() {
        return ofContainer.sum();
    }

    /** Kinds that are known. */
    int kinds() {
        return kinds.size();
    }

    /** The last failure of an application that was logged, in a line; empty before the first. */
    public String lastOfApplications() {
        return lastOfApplications;
    }

    /** The last failure of our own, for tests that want none. */
    public @Nullable Throwable lastOfContainer() {
        return lastOfContainer;
    }
}
