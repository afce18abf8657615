package io.carillon.telemetry.spans;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A request of a page, which may begin a call. The thread that serves it {@link #enter enters} and
 * {@link #leave leaves}; who knows of its end says so once.
 */
public final class Page {
    private final CallTable table;
    private final TraceIds ids;
    private final LongSupplier nanos;
    private final @Nullable TraceParent remote;
    private final String method;
    private final String path;
    private final TraceParent self;
    private final long beganNanos;

    // With this object's monitor held, under which that of a call may be taken.

    private @Nullable TracedCall call;
    private @Nullable CallSpan answered;

    Page(
            CallTable table,
            TraceIds ids,
            LongSupplier nanos,
            @Nullable TraceParent remote,
            String method,
            String path) {
        this.table = table;
        this.ids = ids;
        this.nanos = nanos;
        this.remote = remote;
        this.method = method;
        this.path = path;
        this.self = ids.trace(remote);
        this.beganNanos = nanos.getAsLong();
    }

    /** This thread serves it from now on, or does what it wants done. */
    public void enter() {
        Current.enter(self.span(), call(), this);
    }

    /** This thread no longer does. */
    public void leave() {
        Current.leave();
    }

    /** That work, done for it by whatever thread. */
    Runnable during(Runnable work) {
        return () -> {
            enter();
            try {
                work.run();
            } finally {
                leave();
            }
        };
    }

    /**
     * It begins a call with that Call-ID, maybe when it is answered already; null where there is no
     * room.
     */
    synchronized @Nullable TracedCall begins(String callId, long clockNanos) {
        TraceParent first = new TraceParent(self.high(), self.low(), ids.span(), self.sampled());
        TracedCall made =
                table.enter(
                        new TracedCall(first, self.span(), beganNanos, clockNanos), callId, false);
        if (made == null) {
            return null;
        }
        call = made;
        synchronized (made) {
            CallSpan span = answered;
            if (span == null) {
                made.opens();
            } else {
                add(made, span);
                table.check(made, nanos.getAsLong());
            }
        }
        return made;
    }

    /** The call that it began; null: none yet. */
    synchronized @Nullable TracedCall call() {
        return call;
    }

    /**
     * It is answered.
     *
     * @param status of HTTP
     * @param failure what went wrong; null: nothing
     */
    public synchronized void ended(int status, @Nullable String failure) {
        if (answered != null) {
            return;
        }
        long now = nanos.getAsLong();
        CallSpan span =
                new CallSpan(
                                CallSpan.Kind.PAGE,
                                method,
                                self.span(),
                                remote == null ? 0 : remote.span(),
                                beganNanos)
                        .about(path, null)
                        .failed(failure == null && status >= 500 ? "status " + status : failure)
                        .ended(now, status);
        answered = span;
        TracedCall known = call;
        if (known != null) {
            synchronized (known) {
                known.closed();
                add(known, span);
                table.check(known, now);
            }
        }
    }

    /** With the call's monitor held. */
    private void add(TracedCall known, CallSpan span) {
        if (!known.gone()) {
            table.add(known, span);
            String error = span.error();
            if (error != null) {
                known.failed(method + " " + path + ": " + error);
            }
        }
    }
}
