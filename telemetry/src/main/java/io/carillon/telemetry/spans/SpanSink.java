package io.carillon.telemetry.spans;

import java.util.List;
import java.util.Map;

/** Where traces go. Called by one thread. */
public interface SpanSink extends AutoCloseable {
    /**
     * Takes them, or drops and counts them; returns soon. Once in each turn of the traces.
     *
     * @param calls that are kept; none as a rule
     */
    void take(List<FinishedCall> calls);

    /** What is counted, by the names of the status. Any thread. */
    Map<String, Long> counters();

    /** Sends what it has, for some seconds at most. */
    @Override
    void close();
}
