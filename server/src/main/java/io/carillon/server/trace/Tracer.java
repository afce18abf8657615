package io.carillon.server.trace;

import io.carillon.server.ladder.TraceEvent;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.TakeOver;
import io.carillon.servlet.kernel.TurnTap;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.HostPort;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.Tap;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records the calls that the {@link TraceRules} choose. Whether a call is traced is decided once,
 * by the message or session that brings its Call-ID; from then on the Call-ID is found in a table.
 *
 * <p>Called by shards and by turns: it waits for nobody but another writer of the same ring, and
 * what fails in it is logged and harms no call.
 */
public final class Tracer implements Tap, TurnTap {
    private static final Logger LOG = LoggerFactory.getLogger(Tracer.class);

    private final TraceBuffer[] rings;
    private final TracedLegs legs;
    private final TraceRules rules;
    private final LongSupplier nanos;
    private final @Nullable TraceCollector collector;
    private final AtomicLong sequences = new AtomicLong();
    private final AtomicLong lastStamp = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLong faults = new AtomicLong();

    /**
     * @param bytes of all rings together
     * @param mostLegs Call-IDs that are remembered
     * @param shards how many there are
     * @param rules decides which calls
     * @param nanos the clock of the shards
     * @param collector gets the messages too; or null
     */
    public Tracer(
            long bytes,
            int mostLegs,
            int shards,
            TraceRules rules,
            LongSupplier nanos,
            @Nullable TraceCollector collector) {
        this.rings = new TraceBuffer[shards];
        for (int i = 0; i < shards; i++) {
            rings[i] = new TraceBuffer(bytes / shards, sequences);
        }
        this.legs = new TracedLegs(mostLegs);
        this.rules = rules;
        this.nanos = nanos;
        this.collector = collector;
    }

    // ---- from the shards ----

    @Override
    public void received(Place place, SipMessage message, Hop from) {
        if (!from.internal()) { // it was recorded as it left
            message(place, message, from, TraceRecord.Kind.RECEIVED, place.now());
        }
    }

    @Override
    public void sent(Place place, SipMessage message, Hop to, boolean again) {
        message(
                place,
                message,
                to,
                again ? TraceRecord.Kind.SENT_AGAIN : TraceRecord.Kind.SENT,
                nanoTime());
    }

    private void message(
            Place place, SipMessage message, Hop hop, TraceRecord.Kind kind, long atNanos) {
        try {
            TracedLeg leg = legOf(message, hop, atNanos);
            if (leg == null) {
                return;
            }
            HostPort own = kind == TraceRecord.Kind.RECEIVED ? null : own(place, hop);
            String host = own == null ? null : own.host();
            int port = own == null ? 0 : own.port();
            if (leg.rule().records) {
                ring(place.index())
                        .add((out, sequence) -> {
                            TraceRecord.head(out, sequence, leg.number, atNanos, kind);
                            TraceRecord.way(out, hop, host, port);
                            TraceRecord.message(out, message.bytes(), message.length());
                        });
            }
            TraceCollector also = collector;
            if (also != null && !hop.internal()) {
                also.offer(
                        leg.group().name,
                        kind == TraceRecord.Kind.RECEIVED,
                        hop,
                        host,
                        port,
                        message.bytes(),
                        message.length(),
                        atNanos);
            }
        } catch (RuntimeException | LinkageError e) {
            failed(e);
        }
    }

    /** Our address, where the hop leaves the choice to the wire: as the message's Via has it. */
    private static @Nullable HostPort own(Place place, Hop hop) {
        InetSocketAddress local = hop.local();
        boolean known =
                local != null
                        && local.getAddress() != null
                        && !local.getAddress().isAnyLocalAddress();
        return known || hop.internal()
                ? null
                : place.wire().sentBy(hop.transport(), local, hop.remote());
    }

    @Override
    public void befell(
            Place place,
            Counter what,
            SipMessage message,
            @Nullable Hop hop,
            @Nullable String cause) {
        try {
            TracedLeg leg = legs.find(message.callId());
            long now = nanoTime();
            if (leg == null || !leg.rule().records || leg.rule().over(now)) {
                return;
            }
            String about =
                    switch (message) {
                        case SipRequest request -> request.method();
                        case SipResponse response ->
                                response.status() + " " + response.cseqMethod();
                    };
            TraceRecord.Note note =
                    new TraceRecord.Note(
                            what.name().toLowerCase(Locale.ROOT),
                            about,
                            cause == null ? "" : cause);
            ring(place.index())
                    .add((out, sequence) -> {
                        TraceRecord.head(out, sequence, leg.number, now, TraceRecord.Kind.NOTE);
                        out.put((byte) (hop == null ? 0 : 1));
                        if (hop != null) {
                            TraceRecord.way(out, hop, null, 0);
                        }
                        TraceRecord.note(out, note);
                    });
        } catch (RuntimeException | LinkageError e) {
            failed(e);
        }
    }

    private @Nullable TracedLeg legOf(SipMessage message, Hop hop, long now) {
        String callId = message.callId();
        TracedLeg leg = legs.find(callId);
        if (leg == null) {
            TraceRule rule = rules.match(callId, message, hop, now);
            return rule == null ? null : legs.add(callId, sequences.get(), rule, null);
        }
        TraceRule rule = leg.rule();
        boolean over = rule.over(now);
        if (over || (!rule.records && rules.recording())) {
            TraceRule other = rules.match(callId, message, hop, now);
            if (other != null && other != rule) {
                legs.choose(leg, other);
                return leg;
            }
        }
        return over ? null : leg;
    }

    // ---- from the turns ----

    /** Each call gives a later time, so that what happens at once keeps its order. */
    @Override
    public long nanoTime() {
        long now = nanos.getAsLong();
        long before = lastStamp.get();
        while (true) {
            long mine = now - before > 0 || before == Long.MIN_VALUE ? now : before + 1;
            long seen = lastStamp.compareAndExchange(before, mine);
            if (seen == before) {
                return mine;
            }
            before = seen;
        }
    }

    @Override
    public void opened(ServletSession session) {
        try {
            ApplicationSession parent = session.parent();
            TracedLeg leg = legs.find(session.getCallId());
            CallLegs group = parent.traced() instanceof CallLegs known ? known.root() : null;
            if (leg == null && group == null) {
                leg = chosenByParty(session);
            }
            if (leg != null) {
                if (!leg.rule().over(nanoTime())) {
                    join(parent, leg);
                }
            } else if (group != null) {
                TracedLeg first = legs.first(group);
                if (first != null && !first.rule().over(nanoTime())) {
                    legs.add(session.getCallId(), sequences.get(), first.rule(), group);
                }
            }
        } catch (RuntimeException | LinkageError e) {
            failed(e);
        }
    }

    /** Where nobody knows yet whether it is traced, its first message tells: {@link #join}. */
    @Override
    public void takenOver(ApplicationSession parent, TakeOver how) {
        try {
            for (ServletSession session : parent.sessions().toArray(ServletSession[]::new)) {
                TracedLeg leg = legs.find(session.getCallId());
                leg = leg == null ? chosenByParty(session) : leg;
                if (leg != null) {
                    parent.traced(how);
                    join(parent, leg);
                    return;
                }
            }
            parent.traced(how);
        } catch (RuntimeException | LinkageError e) {
            failed(e);
        }
    }

    private static String about(TakeOver how) {
        return (how.node() < 0 ? "another node" : "member " + how.node())
                + ", term "
                + how.term()
                + (how.ageMillis() < 0 ? "" : ", its record was " + how.ageMillis() + " ms old");
    }

    private void takenOver(ApplicationSession parent, TracedLeg leg, TakeOver how) {
        if (!leg.rule().records) {
            return;
        }
        long now = nanoTime();
        TraceRecord.Note note = new TraceRecord.Note(TraceEvent.TAKEN_OVER, about(how), "");
        ring(parent.home().index())
                .add((out, sequence) -> {
                    TraceRecord.head(out, sequence, leg.number, now, TraceRecord.Kind.NOTE);
                    out.put((byte) 0);
                    TraceRecord.note(out, note);
                });
    }

    @Override
    public void ended(ServletSession session) {} // what it did stands in the ladder

    private @Nullable TracedLeg chosenByParty(ServletSession session) {
        TraceRule rule =
                rules.matchParty(
                        session.dialog().knownLocal(), session.dialog().remote(), nanoTime());
        return rule == null ? null : legs.add(session.getCallId(), sequences.get(), rule, null);
    }

    /** The whole application session is that leg's call. */
    private void join(ApplicationSession parent, TracedLeg leg) {
        Object before = parent.traced();
        CallLegs group =
                before instanceof CallLegs known ? legs.join(known, leg.group()) : leg.group();
        if (before == group) {
            return;
        }
        parent.traced(group);
        if (before instanceof TakeOver how) {
            takenOver(parent, leg, how);
        }
        legs.session(group, parent.getId());
        for (ServletSession other : parent.sessions().toArray(ServletSession[]::new)) {
            TracedLeg its = legs.add(other.getCallId(), sequences.get(), leg.rule(), group);
            legs.join(group, its.group());
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
            long ended = nanoTime();
            TracedLeg leg = legOfWork(parent, callId);
            if (leg == null || !leg.rule().records || leg.rule().over(ended)) {
                return;
            }
            join(parent, leg);
            TraceRecord.Handler handler =
                    new TraceRecord.Handler(
                            parent.getApplicationName(),
                            servlet,
                            TurnTap.what(method, status),
                            ended - beganNanos,
                            threw);
            ring(parent.home().index())
                    .add((out, sequence) -> {
                        TraceRecord.head(
                                out, sequence, leg.number, beganNanos, TraceRecord.Kind.HANDLER);
                        TraceRecord.handler(out, handler);
                    });
        } catch (RuntimeException | LinkageError e) {
            failed(e);
        }
    }

    private @Nullable TracedLeg legOfWork(ApplicationSession parent, String callId) {
        TracedLeg leg = callId.isEmpty() ? null : legs.find(callId);
        if (leg == null && parent.traced() instanceof CallLegs group) {
            return legs.first(group);
        }
        return leg;
    }

    private TraceBuffer ring(int shard) {
        return rings[shard % rings.length];
    }

    private void failed(Throwable e) {
        if (faults.getAndIncrement() == 0) {
            LOG.error("A trace could not record something; further faults are counted only", e);
        }
    }

    // ---- for who reads ----

    /**
     * Takes up calls that run already: those of these application sessions which the rule wants.
     * Any thread.
     */
    void takeUp(TraceRule rule, Iterable<ApplicationSession> live) {
        for (ApplicationSession parent : live) {
            ServletSession[] sessions = parent.sessions().toArray(ServletSession[]::new);
            for (ServletSession session : sessions) {
                if (session != null && wanted(rule, parent, session) && rule.takeOneMore()) {
                    TracedLeg leg = legs.add(session.getCallId(), sequences.get(), rule, null);
                    legs.choose(leg, rule);
                    join(parent, leg);
                    break;
                }
            }
        }
    }

    private static boolean wanted(
            TraceRule rule, ApplicationSession parent, ServletSession session) {
        return switch (rule.choice) {
            case TraceRule.ByUser user ->
                    user.is(session.dialog().knownLocal()) || user.is(session.dialog().remote());
            case TraceRule.ByCallId id ->
                    id.wanted().equals(session.getCallId()) || id.wanted().equals(parent.getId());
            default -> false; // the next message tells
        };
    }

    /** Number of the latest record; 0 when there was none. */
    long last() {
        return sequences.get();
    }

    TraceBuffer[] rings() {
        return rings;
    }

    TracedLegs legs() {
        return legs;
    }

    /** Bytes recorded now. */
    long bytes() {
        long sum = 0;
        for (TraceBuffer ring : rings) {
            sum += ring.bytes();
        }
        return sum;
    }

    /** Bytes that gave way to others, since the start. */
    long letGoBytes() {
        long sum = 0;
        for (TraceBuffer ring : rings) {
            sum += ring.letGoBytes();
        }
        return sum;
    }

    /** Forgets what was recorded. */
    void clear() {
        legs.clear();
        for (TraceBuffer ring : rings) {
            ring.clear();
        }
    }

    List<TraceRule> rules() {
        return rules.all(nanos.getAsLong());
    }
}
