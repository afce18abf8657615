package io.carillon.server.spans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import io.carillon.telemetry.spans.FinishedCall;
import io.carillon.telemetry.spans.SpanDraft;
import io.carillon.telemetry.spans.SpanSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** The last traces stay here for the console, and all of them go to the collector. */
class KeptTracesTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final List<FinishedCall> collected = new ArrayList<>();
    private final KeptTraces kept =
            new KeptTraces(
                    new SpanSink() {
                        @Override
                        public void take(List<FinishedCall> calls) {
                            collected.addAll(calls);
                        }

                        @Override
                        public Map<String, Long> counters() {
                            return Map.of();
                        }

                        @Override
                        public void close() {}
                    });

    private static ControlCommand command(@Nullable KeptTraces of) {
        return Objects.requireNonNull(SpanCommands.of(of).get("spans"));
    }

    private static ShownTrace shown(ControlCommand command, String id) throws Exception {
        return JSON.readValue(command.answer(id), ShownTrace.class);
    }

    @Test
    void aTraceIsShownFromItsBeginningWithWhatLiesInWhat() throws Exception {
        kept.take(
                List.of(
                        SpanDraft.call(
                                "call",
                                SpanDraft.handler(3, 2, 11, 4, "java.lang.RuntimeException: no"),
                                SpanDraft.transaction("INVITE", 2, 9, 10, 30, 500))));
        ShownTrace trace = shown(command(kept), "call");

        assertThat(trace.began()).isEqualTo("1970-01-01T00:00:05.010Z");
        assertThat(trace.micros()).isEqualTo(30_000);
        assertThat(trace.spans())
                .extracting(ShownTrace.Span::kind)
                .containsExactly("server", "handler");
        ShownTrace.Span invite = trace.spans().getFirst();
        assertThat(invite.parent()).as("of another service's span").isEmpty();
        assertThat(invite.status()).isEqualTo(500);
        assertThat(invite.peer()).isEqualTo("udp:192.0.2.1:5060");
        assertThat(invite.events()).containsExactly(new ShownTrace.Moment(10_000, "180"));
        ShownTrace.Span handler = trace.spans().getLast();
        assertThat(handler.parent()).isEqualTo(invite.id());
        assertThat(handler.name()).isEqualTo("b2bua INVITE");
        assertThat(handler.at()).isEqualTo(1_000);
        assertThat(handler.error()).contains("RuntimeException");
        assertThat(shown(command(kept), trace.trace()).callIds()).containsExactly("call");
        assertThat(collected).hasSize(1);
    }

    @Test
    void ofVeryManyTracesTheLastStayAndAllAreCollected() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            kept.take(List.of(SpanDraft.large("call" + i, 1)));
        }
        SpanCommands.Traces all =
                JSON.readValue(command(kept).answer(""), SpanCommands.Traces.class);
        assertThat(all.on()).isTrue();
        assertThat(all.traces()).hasSize(KeptTraces.MOST);
        assertThat(all.traces().getFirst().callIds()).containsExactly("call999");
        assertThat(all.traces().getFirst().spans()).isEmpty();
        assertThat(collected).hasSize(1_000);
    }

    @Test
    void ofLargeTracesFewStay() {
        for (int i = 0; i < 100; i++) {
            kept.take(List.of(SpanDraft.large("call" + i, 500)));
        }
        assertThat(kept.newest()).hasSize(KeptTraces.MOST_SPANS / 500);
    }

    @Test
    void whyThereIsNoneIsSaid() throws Exception {
        assertThatThrownBy(() -> command(kept).answer("call"))
                .isInstanceOf(ControlFailure.class)
                .hasMessageContaining("no trace of it is here");
        assertThatThrownBy(() -> command(null).answer("call"))
                .hasMessageContaining("telemetry.traces.otlp");
        assertThat(JSON.readValue(command(null).answer(""), SpanCommands.Traces.class))
                .isEqualTo(new SpanCommands.Traces(false, List.of()));
    }
}
