package io.carillon.server.spans;

import io.carillon.sip.hop.Hop;
import io.carillon.telemetry.spans.CallEvent;
import io.carillon.telemetry.spans.CallSpan;
import io.carillon.telemetry.spans.FinishedCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The trace of one call, as it is drawn. Immutable.
 *
 * @param trace id of it, as the collector has it
 * @param callIds of its legs
 * @param began when, ISO 8601
 * @param micros how long it took, in microseconds
 * @param failure why the call counts as failed; null: it went well
 * @param givenUp spans that found no room
 * @param spans in the order in which they began; in a list of traces empty
 * @param count how many spans it has
 */
public record ShownTrace(
        String trace,
        List<String> callIds,
        String began,
        long micros,
        @Nullable String failure,
        int givenUp,
        List<Span> spans,
        int count) {
    private static final long NANOS = 1_000_000_000L;
    private static final long NANOS_PER_MICRO = 1_000;
    private static final int LONGEST = 500;

    public ShownTrace {
        callIds = List.copyOf(callIds);
        spans = List.copyOf(spans);
    }

    /**
     * One thing that the call did.
     *
     * @param id in this trace
     * @param parent the span that it belongs to; empty: none of this trace
     * @param kind call, page, server (a request that came), client (one that left), handler, dns or
     *     database
     * @param name as the collector has it
     * @param at microseconds after the trace began
     * @param micros how long it took
     * @param status of the final response; 0: there was none
     * @param repeats messages of it that came or went again
     * @param callId of a transaction; null of others
     * @param peer transport and far end of a transaction; null of others
     * @param about the servlet of a handler; null of others
     * @param error what went wrong; null: nothing
     * @param events of it, in the order of time
     */
    public record Span(
            String id,
            String parent,
            String kind,
            String name,
            long at,
            long micros,
            int status,
            int repeats,
            @Nullable String callId,
            @Nullable String peer,
            @Nullable String about,
            @Nullable String error,
            List<Moment> events) {
        public Span {
            events = List.copyOf(events);
        }
    }

    /**
     * A moment of a span.
     *
     * @param at microseconds after the trace began
     * @param text in words
     */
    public record Moment(long at, String text) {}

    /** The id of its trace, as in {@code traceparent}. */
    static String id(FinishedCall call) {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(call.high()) + hex.toHexDigits(call.low());
    }

    /** All of it. */
    static ShownTrace of(FinishedCall call) {
        long began = began(call);
        Set<Long> ids = new HashSet<>();
        call.spans().forEach(span -> ids.add(span.id()));
        List<Span> spans = new ArrayList<>();
        call.spans().stream()
                .sorted(Comparator.comparingLong(CallSpan::beganNanos))
                .forEach(span -> spans.add(shown(call, span, began, ids)));
        return shown(call, began, spans);
    }

    /** The same without its spans. */
    static ShownTrace summary(FinishedCall call) {
        return shown(call, began(call), List.of());
    }

    private static ShownTrace shown(FinishedCall call, long began, List<Span> spans) {
        long ended = began;
        for (CallSpan span : call.spans()) {
            ended = Math.max(ended, span.endedNanos());
        }
        long epoch = began + call.clockNanos();
        return new ShownTrace(
                id(call),
                call.callIds(),
                Instant.ofEpochSecond(Math.floorDiv(epoch, NANOS), Math.floorMod(epoch, NANOS))
                        .toString(),
                (ended - began) / NANOS_PER_MICRO,
                call.failure() == null ? null : cut(call.failure()),
                call.dropped(),
                spans,
                call.spans().size());
    }

    private static long began(FinishedCall call) {
        return call.spans().stream().mapToLong(CallSpan::beganNanos).min().orElse(0);
    }

    private static Span shown(FinishedCall call, CallSpan span, long began, Set<Long> ids) {
        List<Moment> events = new ArrayList<>();
        for (CallEvent event : call.events()) {
            if (event.span() == span.id()) {
                events.add(
                        new Moment((event.atNanos() - began) / NANOS_PER_MICRO, cut(event.text())));
            }
        }
        events.sort(Comparator.comparingLong(Moment::at));
        long ended = Math.max(span.beganNanos(), span.endedNanos());
        return new Span(
                HexFormat.of().toHexDigits(span.id()),
                ids.contains(span.parent()) ? HexFormat.of().toHexDigits(span.parent()) : "",
                span.kind().name().toLowerCase(Locale.ROOT),
                cut(name(span)),
                (span.beganNanos() - began) / NANOS_PER_MICRO,
                (ended - span.beganNanos()) / NANOS_PER_MICRO,
                span.status(),
                span.repeats(),
                span.callId() == null ? null : cut(span.callId()),
                peer(span.hop()),
                span.detail() == null ? null : cut(span.detail()),
                span.error() == null ? null : cut(span.error()),
                events);
    }

    private static String name(CallSpan span) {
        return switch (span.kind()) {
            case CALL, SERVER, CLIENT, DATABASE -> span.name();
            case HANDLER -> span.about() + " " + span.name();
            case PAGE -> span.name() + " " + span.about();
            case DNS -> "DNS " + span.name();
        };
    }

    private static @Nullable String peer(@Nullable Hop hop) {
        if (hop == null) {
            return null;
        }
        String host = hop.remoteHost();
        return hop.transport().parameter()
                + ":"
                + (host.indexOf(':') >= 0 ? "[" + host + "]" : host)
                + ":"
                + hop.remote().getPort();
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
