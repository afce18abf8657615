package io.carillon.server.trace;

import io.carillon.server.ladder.CallTrace;
import io.carillon.server.ladder.TraceEvent;
import io.carillon.server.ladder.TracedCalls;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.message.SipRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads back what a {@link Tracer} recorded, with its secrets hidden. Any thread. */
final class TraceReader {
    private static final Comparator<TraceRecord> BY_TIME =
            Comparator.comparingLong(TraceRecord::atNanos).thenComparingLong(TraceRecord::sequence);

    private final Tracer tracer;
    private volatile MessageMask mask;
    private final String node;
    private final LongUnaryOperator micros;

    /**
     * @param micros from the clock of the shards in nanoseconds to microseconds since 1970
     */
    TraceReader(Tracer tracer, MessageMask mask, String node, LongUnaryOperator micros) {
        this.tracer = tracer;
        this.mask = mask;
        this.node = node;
        this.micros = micros;
    }

    /** Hides this from now on. */
    void mask(MessageMask changed) {
        mask = changed;
    }

    /** What is kept of a leg. */
    private static final class Kept {
        int events;
        long beganNanos = Long.MAX_VALUE;
        @Nullable ByteBuffer request;
    }

    private Map<Integer, Kept> scan() {
        Map<Integer, Kept> byLeg = new HashMap<>();
        for (TraceBuffer ring : tracer.rings()) {
            ring.read(
                    0,
                    record -> {
                        Kept kept =
                                byLeg.computeIfAbsent(TraceRecord.legOf(record), _ -> new Kept());
                        kept.events++;
                        kept.beganNanos = Math.min(kept.beganNanos, TraceRecord.timeOf(record));
                        if (kept.request == null && TraceRecord.isRequest(record)) {
                            kept.request = record;
                        }
                    });
        }
        return byLeg;
    }

    /** The calls that were recorded, the latest first. */
    List<TracedCalls.Call> calls(int most) {
        Map<Integer, Kept> kept = scan();
        List<TracedCalls.Call> listed = new ArrayList<>();
        for (TracedLegs.Call call : tracer.legs().calls().reversed()) {
            if (listed.size() >= most) {
                break;
            }
            TracedCalls.Call one = listed(call, kept);
            if (one.events() > 0) {
                listed.add(one);
            }
        }
        return listed;
    }

    private TracedCalls.Call listed(TracedLegs.Call call, Map<Integer, Kept> kept) {
        int events = 0;
        long began = Long.MAX_VALUE;
        SipRequest request = null;
        for (TracedLeg leg : call.legs()) {
            Kept its = kept.get(leg.number);
            if (its != null) {
                events += its.events;
                began = Math.min(began, its.beganNanos);
                request = request == null ? request(its.request) : request;
            }
        }
        return new TracedCalls.Call(
                call.legs().getFirst().callId,
                call.legs().size(),
                request == null ? "" : request.from().uri().toString(),
                request == null ? "" : request.to().uri().toString(),
                request == null ? "" : request.method(),
                events == 0 ? "" : TraceEvent.time(micros.applyAsLong(began)),
                events);
    }

    private @Nullable SipRequest request(@Nullable ByteBuffer record) {
        byte[] bytes = record == null ? null : TraceRecord.read(record.duplicate()).bytes();
        if (bytes == null) {
            return null;
        }
        byte[] masked = mask.of(bytes, false);
        return new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT)
                                        .parseDatagram(masked, masked.length)
                                instanceof ParseResult.Parsed parsed
                        && parsed.message() instanceof SipRequest request
                ? request
                : null;
    }

    /**
     * The calls that a user means: by Call-ID, by id of an application session, or by user.
     *
     * @return the latest first
     */
    List<TracedLegs.Call> find(String wanted) {
        List<TracedLegs.Call> all = tracer.legs().calls().reversed();
        List<TracedLegs.Call> exact = new ArrayList<>();
        for (TracedLegs.Call call : all) {
            if (call.sessions().contains(wanted)
                    || call.legs().stream().anyMatch(leg -> leg.callId.equals(wanted))) {
                exact.add(call);
            }
        }
        return exact.isEmpty() ? byUser(all, TraceRuleText.user(wanted)) : exact;
    }

    private List<TracedLegs.Call> byUser(List<TracedLegs.Call> all, TraceRule.ByUser user) {
        Map<Integer, Kept> kept = scan();
        List<TracedLegs.Call> found = new ArrayList<>();
        for (TracedLegs.Call call : all) {
            for (TracedLeg leg : call.legs()) {
                Kept its = kept.get(leg.number);
                SipRequest request = its == null ? null : request(its.request);
                if (request != null
                        && (user.is(request.from())
                                || user.is(request.to())
                                || user.is(request.requestUri()))) {
                    found.add(call);
                    break;
                }
            }
        }
        return found;
    }

    /**
     * Everything of a call.
     *
     * @param bodies shown too?
     */
    CallTrace trace(TracedLegs.Call call, boolean bodies) {
        Map<Integer, String> callIds = new HashMap<>();
        long first = Long.MAX_VALUE;
        for (TracedLeg leg : call.legs()) {
            callIds.put(leg.number, leg.callId);
            first = Math.min(first, leg.firstSequence);
        }
        List<TraceRecord> records = records(callIds.keySet(), 0);
        return new CallTrace(
                call.legs().getFirst().callId,
                call.legs().stream().map(leg -> leg.callId).toList(),
                call.sessions(),
                node,
                overwritten(first),
                events(records, callIds, bodies));
    }

    /** Was anything let go that is younger than that? */
    private boolean overwritten(long sequence) {
        for (TraceBuffer ring : tracer.rings()) {
            long oldest = ring.oldest();
            if (oldest != Long.MAX_VALUE && ring.letGo() && oldest > sequence + 1) {
                return true;
            }
        }
        return false;
    }

    /** Everything that was recorded after that, of all calls or of one. */
    List<TraceEvent> after(
            long sequence, TracedLegs.@Nullable Call only, boolean bodies, int most) {
        Map<Integer, String> callIds = new HashMap<>();
        List<TracedLegs.Call> calls = only == null ? tracer.legs().calls() : List.of(only);
        for (TracedLegs.Call call : calls) {
            call.legs().forEach(leg -> callIds.put(leg.number, leg.callId));
        }
        List<TraceRecord> records = records(callIds.keySet(), sequence);
        records.sort(Comparator.comparingLong(TraceRecord::sequence));
        List<TraceRecord> first = records.subList(0, Math.min(most, records.size()));
        return events(new ArrayList<>(first), callIds, bodies);
    }

    private List<TraceRecord> records(Set<Integer> legs, long after) {
        List<TraceRecord> records = new ArrayList<>();
        for (TraceBuffer ring : tracer.rings()) {
            ring.read(
                    after,
                    record -> {
                        if (TraceRecord.sequenceOf(record) > after
                                && legs.contains(TraceRecord.legOf(record))) {
                            records.add(TraceRecord.read(record.duplicate()));
                        }
                    });
        }
        records.sort(BY_TIME);
        return records;
    }

    private List<TraceEvent> events(
            List<TraceRecord> records, Map<Integer, String> callIds, boolean bodies) {
        List<TraceEvent> events = new ArrayList<>(records.size());
        Set<Seen> before = new HashSet<>();
        Map<String, Long> arrivedAt = new HashMap<>();
        for (TraceRecord record : records) {
            String leg = callIds.getOrDefault(record.leg(), "");
            events.add(event(record, leg, bodies, before, arrivedAt));
        }
        return events;
    }

    /** The bytes of a message that came, and from where: the same ones again are a repetition. */
    private record Seen(int hash, String remote) {}

    private TraceEvent event(
            TraceRecord record,
            String leg,
            boolean bodies,
            Set<Seen> before,
            Map<String, Long> arrivedAt) {
        TraceEvent.Message message = null;
        TraceEvent.Handler handler = null;
        TraceEvent.Note note = null;
        byte[] bytes = record.bytes();
        TraceRecord.Way way = record.way();
        TraceRecord.Handler ran = record.handler();
        TraceRecord.Note told = record.note();
        if (bytes != null && way != null) {
            boolean received = record.kind() == TraceRecord.Kind.RECEIVED;
            boolean again =
                    received
                            ? !before.add(new Seen(Arrays.hashCode(bytes), way.remote()))
                            : record.kind() == TraceRecord.Kind.SENT_AGAIN;
            message =
                    TraceEvent.Message.of(
                            received,
                            again,
                            way.transport().name(),
                            way.local(),
                            way.remote(),
                            way.internal(),
                            mask.of(bytes, bodies));
            if ((received || way.internal()) && !again) {
                arrivedAt.put(leg + '\n' + message.what(), record.atNanos());
            }
        } else if (ran != null) {
            Long arrived = arrivedAt.get(leg + '\n' + ran.what());
            handler =
                    new TraceEvent.Handler(
                            ran.application(),
                            ran.servlet(),
                            ran.what(),
                            ran.tookNanos() / 1000,
                            arrived == null
                                    ? null
                                    : (Long) (Math.max(0, record.atNanos() - arrived) / 1000),
                            ran.threw());
        } else if (told != null) {
            note =
                    new TraceEvent.Note(
                            told.what(),
                            told.about(),
                            way == null ? "" : way.remote(),
                            told.cause());
        }
        return new TraceEvent(
                record.sequence(),
                TraceEvent.time(micros.applyAsLong(record.atNanos())),
                leg,
                message,
                handler,
                note);
    }
}
