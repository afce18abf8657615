package io.carillon.telemetry.spans;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trace of a call that is over and is kept. Immutable.
 *
 * @param high upper half of the trace's id
 * @param low its lower half
 * @param clockNanos what is added to the times of spans to have nanoseconds since 1970
 * @param callIds of its legs
 * @param failure why it counts as failed; null: it went well
 * @param dropped spans that found no room
 */
public record FinishedCall(
        long high,
        long low,
        long clockNanos,
        List<String> callIds,
        List<CallSpan> spans,
        List<CallEvent> events,
        @Nullable String failure,
        int dropped) {

    public FinishedCall {
        callIds = List.copyOf(callIds);
        spans = List.copyOf(spans);
        events = List.copyOf(events);
    }
}
