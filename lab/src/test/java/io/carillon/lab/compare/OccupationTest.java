package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OccupationTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void whatThisRunUsedIsNoOtherWork() {
        Occupation begin = new Occupation(0, 2, 1000, 0, 500, Map.of(1L, 100L));
        Occupation end = new Occupation(10 * SECOND, 2, 2000, 0, 1500, Map.of(1L, 100L));
        assertThat(end.since(begin).othersPercent()).isZero();
    }

    @Test
    void aLivingProcessOfAnotherIsCountedExactly() {
        Occupation begin = new Occupation(0, 2, 1000, 0, 500, Map.of(1L, 100L));
        Occupation end = new Occupation(10 * SECOND, 2, 1500, 0, 1000, Map.of(1L, 250L, 7L, 50L));
        // 200 ticks of 10 s on two CPUs, although the sampled total misses them.
        assertThat(end.since(begin).othersPercent()).isCloseTo(10, within(1e-9));
    }

    @Test
    void processesThatCameAndWentShowInTheTotal() {
        Occupation begin = new Occupation(0, 2, 1000, 0, 500, Map.of(1L, 100L));
        Occupation end = new Occupation(10 * SECOND, 2, 1900, 40, 1000, Map.of(1L, 100L));
        Occupation.Shares shares = end.since(begin);
        assertThat(shares.othersPercent()).isCloseTo(20, within(1e-9));
        assertThat(shares.stealPercent()).isCloseTo(2, within(1e-9));
    }

    @Test
    void interruptsAndIdleTimeAreNotBusy() {
        String[] line = "cpu 10 2 30 4000 50 60 70 8 0 0".split(" ");
        assertThat(Occupation.busy(line)).isEqualTo(42);
        assertThat(Occupation.steal(line)).isEqualTo(8);
    }

    @Test
    void theMachineCanBeRead() throws IOException {
        Occupation now = Occupation.now();
        assertThat(now.cpus()).isPositive();
        assertThat(now.busyTicks()).isPositive();
        assertThat(now.ownTicks()).isPositive();
    }

    @Test
    void othersAndTheHostTogetherMustStayBelowTheLimit() {
        Limits limits = new Limits(5, 3);
        assertThat(limits.tooBusy(Made.busy("carillon", 500, 3, 1))).isFalse();
        assertThat(limits.tooBusy(Made.busy("carillon", 500, 3, 2.5))).isTrue();
        assertThat(limits.tooBusy(Made.busy("carillon", 500, 0, 6))).isTrue();
    }
}
