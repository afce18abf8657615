package io.carillon.servlet.feature.protect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** When one trouble begins and ends. */
class StoreTroubleTest {
    private static final long MILLIS = 1_000_000;
    private static final long NOTHING = Long.MAX_VALUE;

    private final StoreTrouble trouble = new StoreTrouble();

    @Test
    void aBatchWithoutAnAnswerHoldsTimersFromWhenItIsLate() {
        assertThat(trouble.holdsTimers(0, 50 * MILLIS)).isFalse();
        assertThat(trouble.holdsTimers(0, 51 * MILLIS)).isTrue();
        assertThat(trouble.holdsTimers(NOTHING, 300 * MILLIS)).as("it has landed").isFalse();
    }

    /** The grid takes 4 s to say so, and what is written again hangs as long. */
    @Test
    void aStoreThatHangsHoldsTimersForEightSecondsInAll() {
        for (long began = 0; began < 60_000; began += 4_100) {
            for (long at = began + 300; at < began + 4_000; at += 700) {
                assertThat(trouble.holdsTimers(began * MILLIS, at * MILLIS))
                        .as("after %d ms", at)
                        .isEqualTo(at < 8_000);
            }
            trouble.failed(began * MILLIS, (began + 4_000) * MILLIS);
        }
    }

    @Test
    void blipsThatAreOverAreNoLongTrouble() {
        for (long began = 0; began < 12_000; began += 1_000) {
            assertThat(trouble.holdsTimers(began * MILLIS, (began + 300) * MILLIS)).isTrue();
            trouble.landed(NOTHING, (began + 400) * MILLIS);
        }
        assertThat(trouble.holdsTimers(12_000 * MILLIS, 12_300 * MILLIS)).isTrue();
        assertThat(trouble.holdsTimers(12_000 * MILLIS, 19_900 * MILLIS)).isTrue();
        assertThat(trouble.holdsTimers(12_000 * MILLIS, 20_100 * MILLIS)).isFalse();
    }

    /** Those of one partition are taken, those of another are not. */
    @Test
    void aBatchThatLandsBesideOneThatIsLateEndsNothing() {
        assertThat(trouble.holdsTimers(0, 300 * MILLIS)).isTrue();
        trouble.landed(0, 7_000 * MILLIS);
        assertThat(trouble.holdsTimers(0, 8_100 * MILLIS)).isFalse();
    }
}
