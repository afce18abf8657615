package io.carillon.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.measure.ServerStatus.LateApplication;
import io.carillon.server.measure.ServerStatus.Overload;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OverloadWatchTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Overload SHEDS =
            new Overload(
                    true,
                    1240,
                    9,
                    100,
                    "2026-01-31T12:00:00Z",
                    "handlers of b2bua wait",
                    List.of());

    private final List<String> log = new ArrayList<>();
    private final OverloadWatch watch = new OverloadWatch(log::add);

    @Test
    void itsBeginAndItsEndAreALineEach() {
        watch.look(Overload.NONE, 0, 0, 0);
        for (int i = 1; i <= 30; i++) {
            watch.look(SHEDS, 1000L * i, 0, i * SECOND);
        }
        assertThat(log)
                .containsExactly(
                        "Overload: new calls are shed, queueing delay 9.0 ms, because handlers of b2bua"
                                + " wait (overload.delay, docs/guides/overload.md)");
        log.clear();
        for (int i = 31; i <= 50; i++) {
            watch.look(Overload.NONE, 30_000, 0, i * SECOND);
        }
        assertThat(log)
                .containsExactly(
                        "Overload is over after 29 s: 29,000 requests for new calls and the like were"
                                + " refused meanwhile");
    }

    @Test
    void aLoadAtTheEdgeIsOneTimeOfOverload() {
        for (int i = 0; i < 100; i++) {
            watch.look(i % 5 == 0 ? SHEDS : Overload.NONE, i, 0, i * SECOND);
        }
        assertThat(log).hasSize(1);
    }

    @Test
    void anApplicationThatIsLateHasItsOwnLines() {
        Overload late =
                new Overload(
                        false,
                        0,
                        0,
                        3,
                        "",
                        "",
                        List.of(new LateApplication("slow", 50, 640, "2026-01-31T12:00:00Z")));
        watch.look(late, 0, 10, SECOND);
        watch.look(Overload.NONE, 0, 60, 20 * SECOND);
        assertThat(log)
                .containsExactly(
                        "Overload: new calls of slow are shed, time of handlers 640.0 ms, because its"
                                + " handlers are late (overload.handler-delay, docs/guides/overload.md)",
                        "Overload is over, of slow, after 0 s: 50 requests for new calls and the like"
                                + " were refused meanwhile");
    }
}
