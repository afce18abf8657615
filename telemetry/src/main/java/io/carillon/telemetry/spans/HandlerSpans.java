package io.carillon.telemetry.spans;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.TakeOver;
import io.carillon.servlet.kernel.TurnTap;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Spans of handlers, and which Call-IDs are one call: those that handlers of it, or the page that
 * began it, open sessions for. Called with the turn held; what fails in it harms no call.
 */
final class HandlerSpans implements TurnTap {
    /** Sessions of one application session that are looked at. */
    private static final int MOST_SIBLINGS = 8;

    private final CallTable table;
    private final TraceIds ids;
    private final LongSupplier nanos;
    private final LongSupplier epochNanos;
    private final SpanFaults faults;

    HandlerSpans(
            CallTable table,
            TraceIds ids,
            LongSupplier nanos,
            LongSupplier epochNanos,
            SpanFaults faults) {
        this.table = table;
        this.ids = ids;
        this.nanos = nanos;
        this.epochNanos = epochNanos;
        this.faults = faults;
    }

    @Override
    public long nanoTime() {
        return nanos.getAsLong();
    }

    @Override
    public long begins(ApplicationSession parent, String callId) {
        TracedCall call = null;
        try {
            call = call(parent, callId);
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
        Current.enter(ids.span(), call, null);
        return nanos.getAsLong();
    }

    private @Nullable TracedCall call(ApplicationSession parent, String callId) {
        TracedCall found = callId.isEmpty() ? null : table.find(callId);
        return found == null ? sibling(parent) : found;
    }

    private @Nullable TracedCall sibling(ApplicationSession parent) {
        List<ServletSession> sessions = parent.sessions();
        TracedCall found = null;
        for (int i = 0; found == null && i < Math.min(MOST_SIBLINGS, sessions.size()); i++) {
            found = table.find(sessions.get(i).getCallId());
        }
        return found;
    }

    @Override
    public void opened(ServletSession session) {
        try {
            String callId = session.getCallId();
            TracedCall call = table.find(callId);
            if (call == null) {
                call = owner(session);
                if (call == null) {
                    return;
                }
                table.join(call, callId);
            }
            synchronized (call) {
                call.opened(session);
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    /** Of a page, which may have its calls begun by others. */
    @Override
    public Runnable handedOver(Runnable work) {
        Current.Frame frame = Current.get();
        Page page = frame == null ? null : frame.page;
        return page == null ? work : page.during(work);
    }

    /** Whose call a new session belongs to; null: to none that is followed. */
    private @Nullable TracedCall owner(ServletSession session) {
        Current.Frame frame = Current.get();
        if (frame != null && frame.call != null) {
            return frame.call;
        }
        Page page = frame == null ? null : frame.page;
        TracedCall found;
        if (page == null) {
            found = call(session.parent(), "");
        } else {
            found = page.call();
            if (found == null) {
                found =
                        page.begins(
                                session.getCallId(), epochNanos.getAsLong() - nanos.getAsLong());
            }
        }
        if (frame != null) {
            frame.call = found;
        }
        return found;
    }

    @Override
    public void takenOver(ApplicationSession parent, TakeOver how) {
        try {
            TracedCall call = call(parent, "");
            for (ServletSession session : parent.sessions()) {
                if (call == null) {
                    long now = nanos.getAsLong();
                    call =
                            table.enter(
                                    new TracedCall(
                                            ids.trace(null), 0, now, epochNanos.getAsLong() - now),
                                    session.getCallId(),
                                    true);
                }
                if (call == null) {
                    return; // no room
                }
                table.join(call, session.getCallId());
                synchronized (call) {
                    call.leg(session.getCallId(), true);
                    call.opened(session);
                }
            }
            if (call != null) {
                synchronized (call) {
                    call.event(
                            CallTape.NONE,
                            nanos.getAsLong(),
                            "taken over from "
                                    + (how.node() < 0 ? "another node" : "member " + how.node()));
                }
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    @Override
    public void ended(ServletSession session) {
        try {
            TracedCall call = table.find(session.getCallId());
            if (call != null) {
                long now = nanos.getAsLong();
                synchronized (call) {
                    call.ended(session, now);
                    table.check(call, now);
                }
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    @Override
    public void handled(
            ApplicationSession parent,
            String callId,
            String servlet,
            String method,
            int status,
            long beganNanos,
            boolean threw) {
        Current.Frame frame = Current.leave();
        try {
            TracedCall call = frame == null ? null : frame.call;
            if (call == null) {
                call = call(parent, callId);
            }
            if (call == null) {
                return;
            }
            String application = parent.getApplicationName();
            long id = frame == null ? ids.span() : frame.span;
            long now = nanos.getAsLong();
            synchronized (call) {
                if (call.gone()) {
                    return;
                }
                CallTape.Work work = new CallTape.Work(application, servlet, method, status, threw);
                if (table.takes(call)) {
                    call.handled(id, work, callId, beganNanos, now);
                }
                if (threw) {
                    call.failed(work.failure());
                }
                if (!call.knowsSessions()) {
                    known(call, parent);
                }
                table.check(call, now);
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    /** A call that we began is followed from its INVITE: only now its sessions are seen. */
    private static void known(TracedCall call, ApplicationSession parent) {
        List<ServletSession> sessions = parent.sessions();
        for (int i = 0; i < Math.min(MOST_SIBLINGS, sessions.size()); i++) {
            call.opened(sessions.get(i));
        }
    }
}
