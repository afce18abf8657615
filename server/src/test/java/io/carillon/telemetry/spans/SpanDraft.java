package io.carillon.telemetry.spans;

import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Spans for tests of those who show them; only this package makes some. */
public final class SpanDraft {
    private static final long MILLI = 1_000_000;

    private SpanDraft() {}

    /** A transaction. */
    public static CallSpan transaction(
            String method, long id, long parent, long atMillis, long millis, int status) {
        return new CallSpan(CallSpan.Kind.SERVER, method, id, parent, atMillis * MILLI)
                .ofTransaction(
                        "call",
                        new Hop(Transport.UDP, null, new InetSocketAddress("192.0.2.1", 5060), 0),
                        0)
                .ended((atMillis + millis) * MILLI, status);
    }

    /** A handler. */
    public static CallSpan handler(
            long id, long parent, long atMillis, long millis, @Nullable String error) {
        return new CallSpan(CallSpan.Kind.HANDLER, "INVITE", id, parent, atMillis * MILLI)
                .about("b2bua", "main")
                .failed(error)
                .ended((atMillis + millis) * MILLI, 0);
    }

    /** A call that is over. */
    public static FinishedCall call(String callId, CallSpan... spans) {
        return new FinishedCall(
                1,
                callId.hashCode(),
                5_000 * MILLI,
                List.of(callId),
                List.of(spans),
                List.of(new CallEvent(20 * MILLI, "180", 2)),
                null,
                0);
    }

    /** One of so many spans. */
    public static FinishedCall large(String callId, int spans) {
        return call(
                callId,
                Collections.nCopies(spans, handler(1, 0, 0, 1, null)).toArray(CallSpan[]::new));
    }
}
