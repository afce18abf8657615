package io.carillon.server.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TracedLegsTest {
    private final TracedServer server = TracedServer.open();

    private TracedLegs legs(int most) {
        return new TracedLegs(most);
    }

    private TraceRule rule() {
        server.on(TracedServer.all());
        return server.traces.tracer().rules().getFirst();
    }

    @Test
    void beyondTheirNumberTheOldestAreForgottenAndCounted() {
        TracedLegs legs = legs(100);
        TraceRule rule = rule();
        for (int i = 0; i < 150; i++) {
            legs.add("call-" + i, i, rule, null);
        }
        assertThat(legs.size()).isEqualTo(100);
        assertThat(legs.forgotten()).isEqualTo(50);
        assertThat(legs.find("call-49")).isNull();
        assertThat(legs.find("call-50")).isNotNull();
    }

    @Test
    void longCallIdsDoNotTakeTheMemoryOfManyShortOnes() {
        TracedLegs legs = legs(100);
        TraceRule rule = rule();
        for (int i = 0; i < 50; i++) {
            legs.add("x".repeat(10_000) + i, i, rule, null);
        }
        assertThat(legs.size()).isEqualTo(2);
        assertThat(legs.forgotten()).isEqualTo(48);
        legs.clear();
        legs.add("x".repeat(10_000), 1, rule, null);
        assertThat(legs.size()).isEqualTo(1);
    }

    @Test
    void whatTracesForgetIsCounted() {
        assertThat(server.traces.counters())
                .isEqualTo(Map.of("trace.calls_forgotten", 0L, "trace.buffer_bytes_forgotten", 0L));
    }
}
