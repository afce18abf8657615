package io.carillon.server.spans;

import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import io.carillon.telemetry.spans.FinishedCall;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The command that shows traces for a collector; the answer is JSON. Any thread. */
public final class SpanCommands {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final @Nullable KeptTraces kept;

    private SpanCommands(@Nullable KeptTraces kept) {
        this.kept = kept;
    }

    /**
     * The traces that are kept here.
     *
     * @param on is there a collector, so that there are any?
     * @param traces without their spans, the newest first
     */
    public record Traces(boolean on, List<ShownTrace> traces) {
        public Traces {
            traces = List.copyOf(traces);
        }
    }

    /**
     * By its name.
     *
     * @param kept null where there is no collector
     */
    public static Map<String, ControlCommand> of(@Nullable KeptTraces kept) {
        return Map.of("spans", new SpanCommands(kept)::answer);
    }

    /** All for an empty argument, else that of a Call-ID or of a trace's id. */
    private String answer(String wanted) throws ControlFailure {
        KeptTraces traces = kept;
        if (wanted.isEmpty()) {
            return JSON.writeValueAsString(
                    new Traces(
                            traces != null,
                            traces == null
                                    ? List.of()
                                    : traces.newest().stream().map(ShownTrace::summary).toList()));
        }
        if (traces == null) {
            throw new ControlFailure(
                    ControlFailure.Kind.NOT_FOUND,
                    "there are no traces: no collector is named (telemetry.traces.otlp)");
        }
        FinishedCall found = traces.find(wanted);
        if (found == null) {
            throw new ControlFailure(
                    ControlFailure.Kind.NOT_FOUND,
                    "no trace of it is here: a trace comes when its call is over, of calls that"
                            + " were drawn (telemetry.traces.sample) or failed, and the last "
                            + KeptTraces.MOST
                            + " stay");
        }
        return JSON.writeValueAsString(ShownTrace.of(found));
    }
}
