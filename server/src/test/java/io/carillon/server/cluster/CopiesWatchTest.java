package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.server.cluster.CopiesWatch.Seen;
import org.junit.jupiter.api.Test;

/** How long it takes until all calls have two copies again. */
class CopiesWatchTest {
    private static final long SECOND = 1_000_000_000L;

    private final CopiesWatch watch = new CopiesWatch();

    @Test
    void whileAllHaveTwoThereIsNothingToTell() {
        watch.look(0, 5 * SECOND);
        assertThat(watch.seen(9 * SECOND)).isEqualTo(new Seen(0, null, null));
    }

    @Test
    void theRestGoesAsFastAsWhatIsDone() {
        watch.look(340, 10 * SECOND);
        assertThat(watch.seen(12 * SECOND))
                .as("nothing done yet")
                .isEqualTo(new Seen(2_000, null, null));
        watch.look(240, 12 * SECOND);
        Seen seen = watch.seen(12 * SECOND);
        assertThat(seen.forMillis()).isEqualTo(2_000);
        assertThat(seen.inMillis()).isEqualTo(4_800);
        assertThat(seen.lastMillis()).isNull();
    }

    @Test
    void behindItThereIsHowLongItTook() {
        watch.look(340, 10 * SECOND);
        watch.look(10, 12 * SECOND);
        watch.look(0, 13 * SECOND);
        assertThat(watch.seen(20 * SECOND)).isEqualTo(new Seen(0, null, 3_000L));
    }

    /** A second node goes before the copies of the first are made. */
    @Test
    void whereMoreIsLostTheEstimateBeginsAnew() {
        watch.look(100, 10 * SECOND);
        watch.look(50, 11 * SECOND);
        watch.look(400, 12 * SECOND);
        assertThat(watch.seen(12 * SECOND)).isEqualTo(new Seen(2_000, null, null));
        watch.look(300, 14 * SECOND);
        assertThat(watch.seen(14 * SECOND).inMillis()).isEqualTo(6_000);
    }

    @Test
    void theNextLossCountsByItself() {
        watch.look(1_000, 10 * SECOND);
        watch.look(0, 11 * SECOND);
        watch.look(100, 50 * SECOND);
        watch.look(50, 51 * SECOND);
        assertThat(watch.seen(51 * SECOND)).isEqualTo(new Seen(1_000, 1_000L, 1_000L));
    }
}
