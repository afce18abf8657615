package io.carillon.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.measure.ServerStatus;
import io.carillon.servlet.feature.overload.HandlerLoad;
import io.carillon.sip.overload.OverloadState;
import io.carillon.sip.overload.Waiting;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverloadFiguresTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    private static final Instant NOW = Instant.parse("2026-01-31T12:01:00Z");
    private static final OverloadState CALM =
            new OverloadState(false, 0, MILLI, Waiting.LOOP, 10, 0, 0);

    private static OverloadState sheds(long since, long delay, double perSecond) {
        return new OverloadState(true, since, delay, Waiting.HANDLER, 100, 500, perSecond);
    }

    private static HandlerLoad.Seen waits(String application, long nanos) {
        return new HandlerLoad.Seen(application, false, 0, nanos, nanos, 0);
    }

    @Test
    void oneShardThatShedsIsTheServersAndTheLongestDelayIsItsReason() {
        ServerStatus.Overload all =
                OverloadFigures.of(
                        List.of(
                                CALM,
                                sheds(70 * SECOND, 9 * MILLI, 1_000),
                                sheds(40 * SECOND, 12 * MILLI, 240)),
                        List.of(waits("prompt", MILLI), waits("b2bua", 12 * MILLI)),
                        100 * SECOND,
                        NOW);

        assertThat(all)
                .isEqualTo(
                        new ServerStatus.Overload(
                                true,
                                1_240,
                                12,
                                100,
                                "2026-01-31T12:00:00Z",
                                "handlers of b2bua wait",
                                List.of()));
    }

    @Test
    void whatWaitsElsewhereNamesNoApplication() {
        OverloadState socket =
                new OverloadState(true, SECOND, 9 * MILLI, Waiting.SOCKET, 100, 500, 1);
        assertThat(
                        OverloadFigures.of(
                                        List.of(socket),
                                        List.of(waits("b2bua", MILLI)),
                                        100 * SECOND,
                                        NOW)
                                .because())
                .isEqualTo(Waiting.SOCKET.because());
    }

    @Test
    void anApplicationThatIsLateAloneIsNotTheServersOverload() {
        ServerStatus.Overload all =
                OverloadFigures.of(
                        List.of(CALM),
                        List.of(
                                new HandlerLoad.Seen(
                                        "slow", true, 40 * SECOND, 640 * MILLI, 0, 50)),
                        100 * SECOND,
                        NOW);

        assertThat(all.shedding()).isFalse();
        assertThat(all.load()).isEqualTo(10);
        assertThat(all.since()).isEmpty();
        assertThat(all.late())
                .containsExactly(
                        new ServerStatus.LateApplication("slow", 50, 640, "2026-01-31T12:00:00Z"));
    }
}
