package io.carillon.telemetry.records;

import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.TakeOver;
import io.carillon.servlet.kernel.TurnTap;
import io.carillon.sip.message.Methods;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Follows the work of applications: which of them has a call, which legs belong together, and what
 * fields it adds. Called with the turn held; what fails in it harms no call.
 */
final class SessionWatch implements TurnTap {
    /** Attributes of sessions with this prefix are fields of the record. */
    static final String FIELD = "io.carillon.cdr.";

    /** Sessions of one application session that are looked at. */
    private static final int MOST_SIBLINGS = 8;

    private final LegTable table;
    private final LegEnds ends;
    private final LongSupplier nanos;
    private final Faults faults;
    private final CallListener listener;

    /** Null where no records are kept. */
    private final @Nullable TakenLegs taken;

    /**
     * @param taken legs that go from node to node; null where no records are kept
     * @param nanos the clock of the shards
     */
    SessionWatch(
            LegTable table,
            LegEnds ends,
            @Nullable TakenLegs taken,
            LongSupplier nanos,
            Faults faults,
            CallListener listener) {
        this.table = table;
        this.ends = ends;
        this.taken = taken;
        this.nanos = nanos;
        this.faults = faults;
        this.listener = listener;
    }

    @Override
    public long nanoTime() {
        return nanos.getAsLong();
    }

    @Override
    public void opened(ServletSession session) {
        try {
            DialogLegs legs = table.find(session.getCallId());
            if (legs != null) {
                join(session, legs);
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    @Override
    public @Nullable String kept(ApplicationSession parent) {
        try {
            return taken == null ? null : taken.kept(parent);
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
            return null;
        }
    }

    @Override
    public void goesOn(ApplicationSession parent, TakeOver how, String kept) {
        if (taken == null) {
            return;
        }
        try {
            taken.goOn(parent, kept);
            for (ServletSession session : parent.sessions()) {
                DialogLegs legs = table.find(session.getCallId());
                if (legs != null) {
                    join(session, legs);
                    taken.answered(session, legs, how);
                    taken.claim(legs);
                }
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    @Override
    public void takenOver(ApplicationSession parent, TakeOver how) {} // what is kept says all

    @Override
    public void dropped(ApplicationSession parent) {
        try {
            for (ServletSession session : parent.sessions()) {
                DialogLegs legs = table.find(session.getCallId());
                if (legs != null && legs.ended(session)) {
                    ends.moved(legs, nanos.getAsLong());
                }
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    private void join(ServletSession session, DialogLegs legs) {
        legs.opened(session);
        List<ServletSession> siblings = session.parent().sessions();
        for (int i = 0; i < Math.min(MOST_SIBLINGS, siblings.size()); i++) {
            ServletSession sibling = siblings.get(i);
            DialogLegs other =
                    Objects.equals(sibling, session) ? null : table.find(sibling.getCallId());
            if (other != null && !Objects.equals(other, legs)) {
                legs.join(other.call());
                return;
            }
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
        try {
            measure(parent, callId, method, status, beganNanos, threw);
            List<ServletSession> sessions = parent.sessions();
            OneCall call = null;
            for (int i = 0; i < Math.min(MOST_SIBLINGS, sessions.size()); i++) {
                ServletSession session = sessions.get(i);
                DialogLegs legs = table.find(session.getCallId());
                if (legs != null) {
                    if (!legs.knows(session)) {
                        join(session, legs);
                    }
                    call = legs.call();
                    fields(call, session);
                }
            }
            if (call != null) {
                fields(call, parent);
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }

    private void measure(
            ApplicationSession parent,
            String callId,
            String method,
            int status,
            long beganNanos,
            boolean threw) {
        String application = parent.getApplicationName();
        listener.handled(
                application, TurnTap.what(method, status), nanos.getAsLong() - beganNanos, threw);
        if (status == 0 && method.equals(Methods.INVITE)) {
            DialogLegs legs = table.find(callId);
            Leg leg = legs == null ? null : legs.handledFirst();
            if (leg != null) {
                listener.waited(application, Math.max(0, beganNanos - leg.beganNanos));
            }
        }
    }

    private static void fields(OneCall call, ApplicationSession parent) {
        if (!parent.isValid()) {
            return;
        }
        for (Iterator<String> names = parent.getAttributeNames(); names.hasNext(); ) {
            String name = names.next();
            if (name.startsWith(FIELD)) {
                field(call, name, parent.getAttribute(name));
            }
        }
    }

    private static void fields(OneCall call, ServletSession session) {
        if (!session.isValid()) {
            return;
        }
        for (Iterator<String> names = session.getAttributeNames().asIterator(); names.hasNext(); ) {
            String name = names.next();
            if (name.startsWith(FIELD)) {
                field(call, name, session.getAttribute(name));
            }
        }
    }

    private static void field(OneCall call, String name, @Nullable Object value) {
        if (value != null) {
            call.field(name.substring(FIELD.length()), value);
        }
    }

    @Override
    public void ended(ServletSession session) {
        try {
            DialogLegs legs = table.find(session.getCallId());
            if (legs == null) {
                return;
            }
            fields(legs.call(), session);
            fields(legs.call(), session.parent());
            if (legs.ended(session)) {
                ends.noSession(legs, nanos.getAsLong());
            }
        } catch (RuntimeException | LinkageError e) {
            faults.add(e);
        }
    }
}
