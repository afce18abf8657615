package io.carillon.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.measure.ServerStatus.SlowHandler;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlowHandlerWatchTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<String> log = new ArrayList<>();
    private final SlowHandlerWatch watch = new SlowHandlerWatch(log::add);

    private static SlowHandler slow(String call, double seconds) {
        return new SlowHandler("uas", "UasServlet", "INVITE", call, seconds, true, "", "");
    }

    @Test
    void aDeadlockIsNamedBeforeAllElse() {
        SlowHandler dead =
                new SlowHandler("uas", "UasServlet", "INVITE", "a@b", 1.5, false, "", "uas, X");
        watch.look(List.of(slow("c@d", 4), dead), 0);
        assertThat(log)
                .containsExactly(
                        "Application uas: UasServlet has worked on INVITE of call a@b for 1.5 s, in a"
                                + " DEADLOCK with uas, X; 1 more handlers (sessions.slow-handler)");
    }

    @Test
    void theLongestIsNamedAndTheOthersAreANumber() {
        watch.look(List.of(slow("a@b", 1.5), slow("c@d", 4.25), slow("e@f", 2)), 0);
        assertThat(log)
                .containsExactly(
                        "Application uas: UasServlet has worked on INVITE of call c@d for 4.3 s and"
                                + " holds its thread; 2 more handlers (sessions.slow-handler)");
    }

    @Test
    void oneLineInTenSeconds() {
        watch.look(List.of(), 0);
        watch.look(List.of(slow("a", 1)), SECOND);
        watch.look(List.of(slow("a", 10)), 10 * SECOND);
        assertThat(log).hasSize(1);
        watch.look(List.of(slow("a", 11)), 11 * SECOND);
        assertThat(log).hasSize(2);
    }
}
