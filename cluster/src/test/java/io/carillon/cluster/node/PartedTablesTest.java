package io.carillon.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tables of voters that have come to stand apart. */
class PartedTablesTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final PartedTables tables = new PartedTables();
    private long now;

    /** Voter 1 says its version each second. */
    private void seconds(int count, long version, long own) {
        for (int i = 0; i < count; i++) {
            now += SECOND;
            tables.heard(1, version, own, now);
            tables.tick(now);
        }
    }

    @Test
    void whoStandsStillAtAnotherVersionIsApart() {
        seconds(10, 253, 714);
        assertThat(tables.now()).isEmpty();
        seconds(1, 253, 714);
        assertThat(tables.now()).containsExactly(1);
    }

    @Test
    void whoCatchesUpIsNot() {
        seconds(30, 714, 714);
        for (int version = 0; version < 30; version++) {
            seconds(1, 600 + version, 714);
        }
        seconds(9, 713, 714);
        seconds(9, 713, 715);
        assertThat(tables.now()).isEmpty();
    }

    @Test
    void whoIsApartStaysSoUntilItIsAtTheSameVersion() {
        seconds(11, 713, 715);
        seconds(1, 713, 716);
        seconds(1, 714, 716);
        assertThat(tables.now()).containsExactly(1);
        seconds(1, 716, 716);
        assertThat(tables.now()).isEmpty();
        seconds(9, 716, 717);
        assertThat(tables.now()).isEmpty();
    }

    /** Something changes all the time, and this one never is where we are. */
    @Test
    void whoIsNeverAtTheSameVersionForAMinuteIsApart() {
        for (int version = 0; version < 60; version++) {
            seconds(1, 600 + version, 714 + version);
        }
        assertThat(tables.now()).isEmpty();
        seconds(1, 660, 774);
        assertThat(tables.now()).containsExactly(1);
    }

    @Test
    void aStopIsNoTimeInWhichItStoodStill() {
        seconds(1, 253, 714);
        now += 60 * SECOND;
        seconds(1, 253, 714);
        assertThat(tables.now()).isEmpty();
    }

    @Test
    void whoIsNotHeardAnyMoreIsForgotten() {
        seconds(20, 253, 714);
        assertThat(tables.now()).containsExactly(1);
        tables.tick(now + 4 * SECOND);
        assertThat(tables.now()).isEmpty();
        seconds(5, 253, 714);
        assertThat(tables.now()).isEmpty();
    }
}
