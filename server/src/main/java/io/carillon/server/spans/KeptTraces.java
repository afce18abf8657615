package io.carillon.server.spans;

import io.carillon.telemetry.spans.FinishedCall;
import io.carillon.telemetry.spans.SpanSink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last traces that were kept, on their way to the collector: so many at most, and so many spans
 * of them all. Taken by one thread, looked at by any.
 */
public final class KeptTraces implements SpanSink {
    /** Traces. */
    static final int MOST = 200;

    /** Spans of all of them. */
    static final int MOST_SPANS = 20_000;

    private final SpanSink collector;

    /** The newest last; guarded by itself. */
    private final Deque<FinishedCall> kept = new ArrayDeque<>();

    private int spans;

    /**
     * @param collector where they go
     */
    public KeptTraces(SpanSink collector) {
        this.collector = collector;
    }

    @Override
    public void take(List<FinishedCall> calls) {
        synchronized (kept) {
            for (FinishedCall call : calls) {
                kept.addLast(call);
                spans += call.spans().size();
                while (kept.size() > MOST || (spans > MOST_SPANS && kept.size() > 1)) {
                    spans -= kept.removeFirst().spans().size();
                }
            }
        }
        collector.take(calls);
    }

    /** The newest first. */
    List<FinishedCall> newest() {
        synchronized (kept) {
            return new ArrayList<>(kept).reversed();
        }
    }

    /** The newest one of that Call-ID or of that trace's id; null for none. */
    @Nullable FinishedCall find(String id) {
        synchronized (kept) {
            for (Iterator<FinishedCall> each = kept.descendingIterator(); each.hasNext(); ) {
                FinishedCall call = each.next();
                if (call.callIds().contains(id) || ShownTrace.id(call).equals(id)) {
                    return call;
                }
            }
        }
        return null;
    }

    @Override
    public Map<String, Long> counters() {
        return collector.counters();
    }

    @Override
    public void close() {
        collector.close();
    }
}
