package io.carillon.telemetry.otlp;

import io.carillon.sip.hop.Hop;
import io.carillon.telemetry.spans.CallSpan;
import io.carillon.telemetry.spans.FinishedCall;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a span says of itself. Names are those of OpenTelemetry's conventions where there are any,
 * else of SIP. Parties are not among them: a trace is no record of who called whom.
 */
final class SpanAttributes {
    private static final AttributeKey<List<String>> CALL_IDS =
            AttributeKey.stringArrayKey("sip.call_ids");
    private static final AttributeKey<String> CALL_ID = AttributeKey.stringKey("sip.call_id");
    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("sip.method");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("sip.status_code");
    private static final AttributeKey<Long> REPEATS = AttributeKey.longKey("sip.repeats");
    private static final AttributeKey<String> PEER = AttributeKey.stringKey("carillon.peer");
    private static final AttributeKey<String> TRANSPORT =
            AttributeKey.stringKey("network.transport");
    private static final AttributeKey<String> ADDRESS =
            AttributeKey.stringKey("network.peer.address");
    private static final AttributeKey<Long> PORT = AttributeKey.longKey("network.peer.port");
    private static final AttributeKey<String> APPLICATION =
            AttributeKey.stringKey("carillon.application");
    private static final AttributeKey<String> SERVLET = AttributeKey.stringKey("carillon.servlet");
    private static final AttributeKey<String> HTTP_METHOD =
            AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<String> HTTP_PATH = AttributeKey.stringKey("url.path");
    private static final AttributeKey<Long> HTTP_STATUS =
            AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<String> QUESTION =
            AttributeKey.stringKey("dns.question.name");
    private static final AttributeKey<String> OPERATION =
            AttributeKey.stringKey("db.operation.name");
    private static final AttributeKey<Boolean> FAILED =
            AttributeKey.booleanKey("carillon.call.failed");
    private static final AttributeKey<Long> DROPPED =
            AttributeKey.longKey("carillon.spans_given_up");

    private SpanAttributes() {}

    static String name(CallSpan span) {
        return switch (span.kind()) {
            case CALL, SERVER, CLIENT, DATABASE -> span.name();
            case HANDLER -> span.about() + " " + span.name();
            case PAGE -> span.name() + " " + span.about();
            case DNS -> "DNS " + span.name();
        };
    }

    /**
     * @param peers names of peers; empty for a stranger
     */
    static Attributes of(FinishedCall call, CallSpan span, Function<Hop, String> peers) {
        AttributesBuilder all = Attributes.builder();
        switch (span.kind()) {
            case CALL -> {
                all.put(CALL_IDS, call.callIds());
                all.put(CALL_ID, call.callIds().getFirst());
                all.put(FAILED, call.failure() != null);
                if (call.dropped() > 0) {
                    all.put(DROPPED, (long) call.dropped());
                }
            }
            case SERVER, CLIENT -> transaction(all, span, peers);
            case HANDLER -> {
                put(all, APPLICATION, span.about());
                put(all, SERVLET, span.detail());
            }
            case PAGE -> {
                all.put(HTTP_METHOD, span.name());
                put(all, HTTP_PATH, span.about());
                all.put(HTTP_STATUS, (long) span.status());
            }
            case DNS -> all.put(QUESTION, span.name());
            case DATABASE -> all.put(OPERATION, span.name());
        }
        return all.build();
    }

    private static void transaction(
            AttributesBuilder all, CallSpan span, Function<Hop, String> peers) {
        all.put(METHOD, span.name());
        put(all, CALL_ID, span.callId());
        if (span.status() > 0) {
            all.put(STATUS, (long) span.status());
        }
        if (span.repeats() > 0) {
            all.put(REPEATS, (long) span.repeats());
        }
        Hop hop = span.hop();
        if (hop != null) {
            all.put(TRANSPORT, hop.transport().name().toLowerCase(Locale.ROOT));
            all.put(ADDRESS, hop.remoteHost());
            all.put(PORT, (long) hop.remote().getPort());
            String peer = peers.apply(hop);
            put(all, PEER, peer.isEmpty() ? null : peer);
        }
    }

    private static void put(
            AttributesBuilder all, AttributeKey<String> key, @Nullable String value) {
        if (value != null) {
            all.put(key, value);
        }
    }
}
