package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HighestRateTest {
    private static RateAttempt clean(String server, int rate, double share) {
        return new RateAttempt(server, rate, 60, share, 0.5, 0, 0, 0, 0, true);
    }

    private static RateAttempt unclean(
            int rate, double serverShare, double loadShare, long loadDrops) {
        return new RateAttempt("s", rate, 60, serverShare, loadShare, 0, 7, 0, loadDrops, true);
    }

    @Test
    void aFullLoadBesideAServerWithRoomIsTheLimit() {
        assertThat(unclean(4000, 0.6, 0.97, 0).loadWasTheLimit()).isTrue();
        assertThat(unclean(4000, 0.6, 0.5, 12).loadWasTheLimit()).isTrue();
        assertThat(unclean(4000, 0.97, 0.97, 0).loadWasTheLimit()).isFalse();
        assertThat(unclean(4000, 0.6, 0.5, 0).loadWasTheLimit()).isFalse();
        assertThat(clean("s", 4000, 0.6).loadWasTheLimit()).isFalse();
    }

    @Test
    void aLoadWhoseCallsDoNotEndIsNotClean() {
        RateAttempt stuck = new RateAttempt("s", 10, 60, 1.0, 0.5, 600, 0, 0, 0, false);
        assertThat(stuck.clean()).isFalse();
        assertThat(stuck.toString()).endsWith("; its calls did not end");
    }

    @Test
    void theTableTellsWhatEndedEachSearchAndTheShareAtTheCommonRate() {
        Map<String, HighestRate> heights = new LinkedHashMap<>();
        heights.put(
                "carillon",
                new HighestRate(
                        4000,
                        false,
                        List.of(
                                clean("carillon", 2000, 0.4),
                                clean("carillon", 4000, 0.71),
                                unclean(8000, 0.7, 0.99, 3))));
        heights.put(
                "liberty",
                new HighestRate(
                        2000,
                        false,
                        List.of(clean("liberty", 2000, 0.98), unclean(4000, 1.0, 0.6, 0))));
        assertThat(HighestRate.table(heights, 2000).lines())
                .containsExactly(
                        "| Server   | Highest clean rate     | Ended by   | CPU at it     | CPU at 2,000 calls/s |",
                        "| -------- | ---------------------- | ---------- | ------------- | -------------------- |",
                        "| carillon | at least 4,000 calls/s | the load   | 71 % of a CPU | 40 % of a CPU        |",
                        "| liberty  | 2,000 calls/s          | the server | 98 % of a CPU | 98 % of a CPU        |");
    }

    @Test
    void oneServerAloneHasNoCommonRate() {
        Map<String, HighestRate> heights =
                Map.of("relay", new HighestRate(500, true, List.of(clean("relay", 500, 0.04))));
        assertThat(HighestRate.table(heights, 500))
                .contains("at least 500 calls/s", "--most", "4 % of a CPU")
                .doesNotContain("CPU at 500");
    }
}
