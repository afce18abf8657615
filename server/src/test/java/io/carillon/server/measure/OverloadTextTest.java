package io.carillon.server.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverloadTextTest {
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    private static final LocalDate TODAY = LocalDate.of(2026, 1, 31);

    private static List<String> lines(ServerStatus.Overload overload) {
        return OverloadText.lines(overload, ZONE, TODAY);
    }

    @Test
    void whatIsShedHowMuchSinceWhenAndWhy() {
        assertThat(
                        lines(
                                new ServerStatus.Overload(
                                        true,
                                        1240.2,
                                        9.04,
                                        100,
                                        "2026-01-31T13:03:22Z",
                                        "handlers of b2bua wait",
                                        List.of())))
                .containsExactly(
                        "shedding new calls: 1,240/s, queueing delay 9.0 ms, since 14:03:22, because"
                                + " handlers of b2bua wait");
    }

    @Test
    void anApplicationThatIsLateHasALine() {
        assertThat(
                        lines(
                                new ServerStatus.Overload(
                                        false,
                                        0,
                                        0,
                                        3,
                                        "",
                                        "",
                                        List.of(
                                                new ServerStatus.LateApplication(
                                                        "slow",
                                                        50,
                                                        1640,
                                                        "2026-01-30T22:00:00Z")))))
                .containsExactly(
                        "shedding new calls of slow: 50/s, since 2026-01-30 23:00:00, because its"
                                + " handlers take 1,640 ms");
    }

    @Test
    void withoutOverloadTheLoadIsShown() {
        assertThat(lines(new ServerStatus.Overload(false, 0, 0.42, 4, "", "", List.of())))
                .containsExactly("none; load 4 of 100, queueing delay 0.4 ms");
    }
}
