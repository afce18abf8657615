package io.carillon.telemetry.spans;

import io.carillon.servlet.kernel.ServletSession;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;

/**
 * A call that goes on, and its spans so far. Its own monitor guards all of it; it lives in the
 * {@link CallTable} from its first message or session until it is over.
 */
final class TracedCall implements CallTape.Whole {
    /** Call-IDs that are followed; a conference has more. */
    static final int MOST_LEGS = 32;

    /** A call of some days has as many, with a refresh in each quarter of an hour. */
    static final int MOST_SPANS = 500;

    private static final int MOST_EVENTS = 64;
    private static final int MOST_SESSIONS = 8;
    private static final String[] NONE = {};

    /** A Call-ID of it. */
    private static final class Leg {
        final String callId;
        final List<ServletSession> sessions = new ArrayList<>(1);

        /** Subscriptions go on for days behind a call: sessions without an INVITE do not count. */
        boolean invited;

        Leg(String callId) {
            this.callId = callId;
        }
    }

    final TraceParent self;
    final long clockNanos;
    final CallAges.Entry age = new CallAges.Entry(this);
    private final long parent;
    private final long beganNanos;
    private final List<Leg> legs = new ArrayList<>(2);
    private final CallTape tape = new CallTape();
    private int open;
    private int dropped;
    private boolean gone;
    private boolean waits;
    private @Nullable String failure;
    private long lastNanos;

    private @Nullable CallTable table;

    /** What the table finds it by; written with the monitor held, after the table. */
    private volatile String[] followed = NONE;

    /**
     * @param self its trace, the id of its first span, and whether it is kept whatever happens
     * @param parent of the first span; 0: none
     * @param clockNanos what makes nanoseconds since 1970 of the clock of the shards
     */
    TracedCall(TraceParent self, long parent, long beganNanos, long clockNanos) {
        this.self = self;
        this.clockNanos = clockNanos;
        this.parent = parent;
        this.beganNanos = beganNanos;
        this.lastNanos = beganNanos;
    }

    /** Of its first span. */
    @Override
    public long id() {
        return self.span();
    }

    /**
     * Of a transaction of it: a function of its branch, so that who prints the request and who
     * watches it need not meet; of its method, as a CANCEL has the branch of its INVITE; and of the
     * side.
     */
    @Override
    public long id(CallSpan.Kind kind, String method, long branch) {
        long salt = 2L * method.hashCode() + (kind == CallSpan.Kind.SERVER ? 1 : 0);
        long z = self.low() + salt * 0xD1B54A32D192ED03L + branch * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        z ^= z >>> 31;
        return z == 0 ? 1 : z;
    }

    /** Would that table find it by that Call-ID? Any thread, without the monitor. */
    boolean isFollowed(CallTable by, String callId) {
        for (String each : followed) {
            if (each.equals(callId)) {
                return table == by;
            }
        }
        return false;
    }

    // ---- with the monitor held ----

    boolean gone() {
        return gone;
    }

    /** That table finds it by that Call-ID from now on, until it is over. */
    void followed(CallTable by, String callId) {
        table = by;
        String[] more = Arrays.copyOf(followed, followed.length + 1);
        more[followed.length] = callId;
        followed = more;
    }

    /** Have its legs a session, of whatever state? */
    boolean knowsSessions() {
        for (int i = 0; i < legs.size(); i++) {
            if (!legs.get(i).sessions.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** False where it has too many. */
    boolean leg(String callId, boolean invited) {
        Leg known = find(callId);
        if (known == null) {
            if (legs.size() >= MOST_LEGS) {
                return false;
            }
            known = new Leg(callId);
            legs.add(known);
        }
        known.invited |= invited;
        return true;
    }

    private @Nullable Leg find(String callId) {
        int at = legOf(callId);
        return at < 0 ? null : legs.get(at);
    }

    /** Which leg has that Call-ID; {@link CallTape#NONE}: none. */
    private int legOf(String callId) {
        for (int i = 0; i < legs.size(); i++) {
            if (legs.get(i).callId.equals(callId)) {
                return i;
            }
        }
        return CallTape.NONE;
    }

    @Override
    public @Nullable String callId(int leg) {
        return leg < legs.size() ? legs.get(leg).callId : null;
    }

    void opened(ServletSession session) {
        Leg leg = find(session.getCallId());
        if (leg != null
                && !gone
                && leg.sessions.size() < MOST_SESSIONS
                && session.isValid()
                && !leg.sessions.contains(session)) {
            leg.sessions.add(session);
        }
    }

    void ended(ServletSession session, long nanos) {
        Leg leg = find(session.getCallId());
        if (leg != null && leg.sessions.remove(session) && leg.invited) {
            at(nanos);
        }
    }

    /** Sessions that ended without a word, as those that went to another node. */
    void dropInvalid() {
        for (Leg leg : legs) {
            leg.sessions.removeIf(session -> !session.isValid());
        }
    }

    /** Is nothing of it under way? */
    boolean isOver() {
        return open == 0 && hasNoSession();
    }

    boolean hasNoSession() {
        for (int i = 0; i < legs.size(); i++) {
            Leg leg = legs.get(i);
            for (int k = 0; leg.invited && k < leg.sessions.size(); k++) {
                if (lives(leg.sessions.get(k))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** An application may keep a session for long when its dialog has ended. */
    private static boolean lives(ServletSession session) {
        try {
            return session.isValid() && session.getState() != SipSession.State.TERMINATED;
        } catch (IllegalStateException e) {
            return false; // it ended just now
        }
    }

    /** Something begins that ends by {@link #closed}. */
    void opens() {
        open++;
    }

    void closed() {
        open--;
    }

    /** Has it room for one more span? */
    boolean hasRoom() {
        return tape.size() < MOST_SPANS;
    }

    void dropped() {
        dropped++;
    }

    /** A transaction begins, which {@link #ended} ends; there is room for it. */
    void begins(
            CallSpan.Kind kind, String method, long branch, String callId, Hop hop, long nanos) {
        tape.transaction(kind, method, branch, legOf(callId), hop, nanos);
        open++;
        at(nanos);
    }

    /**
     * Code of an application was at work; there is room for it.
     *
     * @param callId of the message that it handled; empty for a listener
     */
    void handled(long id, CallTape.Work work, String callId, long began, long ended) {
        int leg = callId.isEmpty() ? CallTape.NONE : legOf(callId);
        tape.handler(id, work, leg, began, ended);
        at(ended);
    }

    /** Something that is over; there is room for it. */
    void add(CallSpan span) {
        tape.made(span);
        at(Math.max(span.beganNanos(), span.endedNanos()));
    }

    /** The transaction that a message belongs to; {@link CallTape#NONE}: none that is kept. */
    int transaction(CallSpan.Kind kind, String method, long branch) {
        return tape.find(kind, method, branch);
    }

    /**
     * The transaction of a response that we send. The method is read only where a CANCEL has the
     * same branch: of a message that is just printed that is dear.
     */
    int answered(SipResponse response, long branch) {
        int only = tape.only(CallSpan.Kind.SERVER, branch);
        return only == CallTape.SEVERAL
                ? tape.find(CallSpan.Kind.SERVER, response.cseqMethod(), branch)
                : only;
    }

    boolean isEnded(int transaction) {
        return tape.isEnded(transaction);
    }

    void repeated(int transaction) {
        tape.repeated(transaction);
    }

    /** A final response of that status ends a transaction. */
    void ended(int transaction, long nanos, int status) {
        String why = Failures.is(status) ? failure(status, tape.method(transaction)) : null;
        ended(transaction, nanos, status, why);
    }

    /**
     * A response of a transaction of which there is no span. Where one found no room the call has
     * failed by it all the same; else it is of no transaction of ours.
     */
    void endedUnseen(SipResponse response) {
        if (dropped > 0 && Failures.is(response.status())) {
            failed(failure(response.status(), response.cseqMethod()));
        }
    }

    private static String failure(int status, String method) {
        return status + " to " + method;
    }

    /** A transaction ends without a final response. */
    void ended(int transaction, long nanos, String why) {
        ended(transaction, nanos, 0, why);
    }

    private void ended(int transaction, long nanos, int status, @Nullable String why) {
        tape.ended(transaction, nanos, status, why);
        open--;
        at(nanos);
        if (why != null) {
            failed(why);
        }
    }

    void failed(String why) {
        if (failure == null) {
            failure = why;
        }
    }

    boolean hasFailed() {
        return failure != null;
    }

    /** A provisional response. */
    void event(int transaction, long nanos, int status) {
        event(transaction, nanos, status, null);
    }

    /**
     * A moment.
     *
     * @param transaction {@link CallTape#NONE}: of the call
     */
    void event(int transaction, long nanos, String words) {
        event(transaction, nanos, 0, words);
    }

    private void event(int transaction, long nanos, int status, @Nullable String words) {
        if (tape.events() < MOST_EVENTS) {
            tape.event(transaction, nanos, status, words);
        }
        at(nanos);
    }

    void at(long nanos) {
        if (nanos - lastNanos > 0) {
            lastNanos = nanos;
        }
    }

    /** When something of it happened last. */
    long lastNanos() {
        return lastNanos;
    }

    /** Does it wait in the queue of those that are over? Then it does from now on. */
    boolean waitsAlready() {
        boolean before = waits;
        waits = true;
        return before;
    }

    void waitsNoMore() {
        waits = false;
    }

    /** What it counts in the room for spans. */
    int cost() {
        return CallTable.CALL_COST + tape.size();
    }

    /** Lets its spans that are over go, to make room. So many they were. */
    int strip() {
        int freed = tape.strip();
        dropped += freed;
        return freed;
    }

    /** It is over: what it was, where somebody wants to know. */
    @Nullable FinishedCall finish(boolean wanted) {
        gone = true;
        followed = NONE;
        for (Leg leg : legs) {
            leg.sessions
                    .clear(); // a thread may hold the call for long, as the one that it saw last
        }
        if (!wanted) {
            return null;
        }
        List<CallSpan> all = new ArrayList<>(1 + tape.size());
        all.add(
                new CallSpan(CallSpan.Kind.CALL, "call", id(), parent, beganNanos)
                        .ended(lastNanos, 0)
                        .failed(failure));
        all.addAll(tape.spans(this, lastNanos));
        return new FinishedCall(
                self.high(),
                self.low(),
                clockNanos,
                callIds(),
                all,
                tape.events(this),
                failure,
                dropped);
    }

    void eachCallId(Consumer<String> consumer) {
        for (int i = 0; i < legs.size(); i++) {
            consumer.accept(legs.get(i).callId);
        }
    }

    private List<String> callIds() {
        List<String> all = new ArrayList<>(legs.size());
        for (Leg leg : legs) {
            all.add(leg.callId);
        }
        return all;
    }
}
