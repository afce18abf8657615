package io.carillon.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who was the bottleneck, and which limits are broken. */
class LoadVerdictTest {
    private static final long SECOND = 1_000_000_000L;

    private static ProcessCosts used(long loopNanos, long gcNanos, long drops) {
        return new ProcessCosts(loopNanos, loopNanos, gcNanos, drops, 0, 0);
    }

    @Test
    void aLoadThatKeptUpBlamesNobody() {
        assertThat(LoadVerdict.of(9.9, used(SECOND / 2, 0, 0), SECOND, 0).limited()).isFalse();
    }

    @Test
    void eachWayOfFallingBehindIsNamed() {
        assertThat(LoadVerdict.of(11, used(0, 0, 0), SECOND, 0).reason())
                .contains("more than 11 ms late");
        assertThat(LoadVerdict.of(0, used(SECOND * 9 / 10, 0, 0), SECOND, 0).reason())
                .contains("90 % of its one CPU");
        assertThat(LoadVerdict.of(0, used(0, SECOND / 50, 0), SECOND, 0).reason())
                .contains("garbage collections stopped it for 2.0 %");
        assertThat(LoadVerdict.of(0, used(0, 0, 3), SECOND, 0).reason())
                .contains("dropped 3 datagrams at the load's own sockets");
        assertThat(LoadVerdict.of(0, used(0, 0, 0), SECOND, 4).reason())
                .contains("4 datagrams could not be handed");
    }

    @Test
    void aLimitIsBrokenAboveAndNotAt() {
        LoadCounts counts = new LoadCounts();
        counts.fail("503");
        counts.retransmissionsSent = 1;
        counts.retransmissionsReceived = 1;
        counts.late = 1;
        assertThat(new FailureLimits(1, 2, 1, 5).broken(counts, 5)).isEmpty();
        assertThat(FailureLimits.NONE.broken(counts, 1e9)).isEmpty();
        assertThat(new FailureLimits(0, 1, 0, 4.9).broken(counts, 5))
                .containsExactly(
                        "1 calls failed, --max-failed allows 0.",
                        "2 messages were sent again, --max-retransmissions allows 1.",
                        "1 answers were late, --max-late allows 0.",
                        "One answer in a hundred took more than 5.0 ms, --max-p99 allows 4.9 ms.");
    }
}
