package io.carillon.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** How soon a silent node counts as dead. */
class ClusterTimesTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void theStandardIsTwoSeconds() {
        assertThat(ClusterTimes.STANDARD.detectingWithin(2 * SECOND))
                .isEqualTo(ClusterTimes.STANDARD);
        assertThat(ClusterTimes.STANDARD.suspectAfter()).isEqualTo(2 * SECOND);
    }

    @Test
    void anOwnerAlwaysStopsBeforeOthersGoOn() {
        for (long within : new long[] {SECOND, 3 * SECOND, 10 * SECOND}) {
            ClusterTimes times = ClusterTimes.STANDARD.detectingWithin(within);
            assertThat(times.suspectAfter()).isEqualTo(within);
            assertThat(times.margin()).isEqualTo(within / 4);
        }
    }

    @Test
    void lessThanFourBeatsWouldSuspectWhoeverLosesOne() {
        assertThatThrownBy(() -> ClusterTimes.STANDARD.detectingWithin(SECOND / 2))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
