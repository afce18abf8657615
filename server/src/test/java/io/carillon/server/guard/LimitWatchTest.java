package io.carillon.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LimitWatchTest {
    private static final Limit TABLE =
            new Limit(
                    "sip.refused_full",
                    "Refused {} requests with 503",
                    List.of(new Limit.Setting("sip.max-transactions", "100000")));
    private static final Limit QUEUE =
            new Limit(
                    "net.closed_write_queue_full",
                    "Closed {} connections",
                    List.of(
                            new Limit.Setting("tcp.write-queue", "1 MiB"),
                            new Limit.Setting("guard.unsent-messages", "128 MiB")));
    private static final Limit FIXED = new Limit("net.stun_dropped", "Dropped {}", List.of());

    private final List<String> written = new ArrayList<>();
    private final LimitWatch watch =
            new LimitWatch(List.of(TABLE, QUEUE, FIXED), line -> written.add(line));

    /** Begins below 0, as System.nanoTime may. */
    private void look(int second, long table, long queue) {
        Map<String, Long> counters =
                Map.of("sip.refused_full", table, "net.closed_write_queue_full", queue);
        watch.look(counters, TimeUnit.SECONDS.toNanos(second - 100));
    }

    @Test
    void theFirstRefusalIsToldAtOnceWithItsKeyAndValue() {
        look(0, 312, 0);
        assertThat(written)
                .containsExactly(
                        "Refused 312 requests with 503 since the last such line:"
                                + " sip.max-transactions is 100000 (docs/guides/security.md)");
    }

    @Test
    void aLimitThatKnowsWhomItRefusedNamesHim() {
        LimitWatch naming =
                new LimitWatch(
                        List.of(TABLE.naming(() -> "203.0.113.9")), line -> written.add(line));
        naming.look(Map.of("sip.refused_full", 2L), 1);
        assertThat(written)
                .containsExactly(
                        "Refused 2 requests with 503 since the last such line, 203.0.113.9 the last:"
                                + " sip.max-transactions is 100000 (docs/guides/security.md)");
    }

    @Test
    void oneLineInTenSecondsTellsAllSinceTheLast() {
        for (int second = 0; second < 30; second++) {
            look(second, 1 + 5L * second, 0);
        }
        assertThat(written).hasSize(3);
        assertThat(written.get(1)).startsWith("Refused 50 requests");
        assertThat(written.get(2)).startsWith("Refused 50 requests");
    }

    @Test
    void whatCameInThePauseIsToldWhenItIsOver() {
        look(0, 1, 0);
        look(1, 8, 0);
        for (int second = 2; second < 60; second++) {
            look(second, 8, 0);
        }
        assertThat(written).hasSize(2);
        assertThat(written.getLast()).startsWith("Refused 7 requests");
    }

    @Test
    void nothingIsWrittenWhereNothingChanged() {
        look(0, 0, 0);
        look(20, 0, 0);
        assertThat(written).isEmpty();
    }

    @Test
    void limitsAreToldEachForItself() {
        look(0, 1, 0);
        look(1, 1, 2);
        assertThat(written)
                .hasSize(2)
                .last()
                .asString()
                .contains("tcp.write-queue is 1 MiB, guard.unsent-messages is 128 MiB");
    }

    @Test
    void aLimitWithoutASettingSaysSo() {
        watch.look(Map.of("net.stun_dropped", 9L), 0);
        assertThat(written)
                .containsExactly(
                        "Dropped 9 since the last such line: the limit is fixed"
                                + " (docs/guides/security.md)");
    }
}
