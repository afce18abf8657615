package io.carillon.lab.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The search against a server that is a function of the rate. */
class RateSearchTest {
    private final List<Integer> tried = new ArrayList<>();

    @Test
    void doublesThenHalvesTheGap() throws IOException {
        RateSearch.Result found = search(upTo(1234), 100, 10_000, 0.05);

        assertThat(found.rate()).isBetween((int) (1234 / 1.06), 1234);
        assertThat(tried).startsWith(100, 200, 400, 800, 1600, 1600, 1200);
        assertThat(found.probes()).hasSameSizeAs(tried);
    }

    @Test
    void whateverTheServersLimitItIsFoundWithinTheResolution() throws IOException {
        for (int limit = 25; limit < 6400; limit = limit * 11 / 10 + 1) {
            RateSearch.Result found = search(upTo(limit), 400, 6400, 0.05);

            assertThat(found.rate()).as("limit %d", limit).isLessThanOrEqualTo(limit);
            assertThat(found.rate() * 1.05 + 1).as("limit %d", limit).isGreaterThan(limit);
        }
    }

    @Test
    void aServerThatBearsEverythingEndsTheSearchAtTheMostAllowedRate() throws IOException {
        RateSearch.Result found = search(upTo(Integer.MAX_VALUE), 400, 1000, 0.05);

        assertThat(found.rate()).isEqualTo(1000);
        assertThat(tried).containsExactly(400, 800, 1000);
    }

    @Test
    void aServerThatBearsNothingEndsTheSearchSoon() throws IOException {
        RateSearch.Result found = search(upTo(0), 400, 6400, 0.05);

        assertThat(found.rate()).isZero();
        assertThat(tried).containsExactly(400, 400, 200, 100, 50, 25);
    }

    @Test
    void aTrialThatFailedOnABusyMachineIsMadeOnceMore() throws IOException {
        List<Integer> disturbed = new ArrayList<>();
        RateSearch.Trial trial =
                rate -> {
                    boolean first = rate == 800 && disturbed.isEmpty();
                    if (first) {
                        disturbed.add(rate);
                    }
                    return probe(rate, !first && rate <= 900, first, false);
                };

        RateSearch.Result found = search(trial, 400, 6400, 0.05);

        assertThat(tried).startsWith(400, 800, 800, 1600);
        assertThat(found.rate()).isBetween(850, 900);
    }

    @Test
    void aTrialThatFailsOnABusyMachineIsNotMadeForEver() throws IOException {
        search(rate -> probe(rate, rate <= 400, true, false), 400, 6400, 0.9);

        // The first rate that fails at all is given a second chance, and a busy machine another
        // one.
        assertThat(tried).containsExactly(400, 800, 800, 800, 800, 600, 600);
    }

    @Test
    void aServerThatWasStillColdAtTheFirstFailureIsNotHeldBack() throws IOException {
        List<Integer> cold = new ArrayList<>();
        RateSearch.Result found =
                search(
                        rate -> {
                            boolean first = rate == 800 && cold.isEmpty();
                            cold.add(rate == 800 ? 1 : 0);
                            cold.removeIf(n -> n == 0);
                            return probe(rate, rate <= 3000 && !first, false, false);
                        },
                        400,
                        6400,
                        0.05);

        assertThat(tried).startsWith(400, 800, 800, 1600, 3200, 3200);
        assertThat(found.rate()).isBetween(2850, 3000);
    }

    @Test
    void saysWhenTheLoadEndedTheSearch() throws IOException {
        RateSearch.Result found =
                search(rate -> probe(rate, rate <= 1000, false, rate > 1000), 400, 6400, 0.5);

        assertThat(found.limitedByLoad()).isTrue();
        assertThat(search(upTo(1000), 400, 6400, 0.5).limitedByLoad()).isFalse();
    }

    private RateSearch.Result search(RateSearch.Trial trial, int first, int most, double resolution)
            throws IOException {
        tried.clear();
        return RateSearch.run(
                rate -> {
                    tried.add(rate);
                    return trial.at(rate);
                },
                RateSearch.Limits.quick(first, most, resolution));
    }

    private static RateSearch.Trial upTo(int limit) {
        return rate -> probe(rate, rate <= limit, false, false);
    }

    private static RateProbe probe(int rate, boolean clean, boolean disturbed, boolean limited) {
        return new RateProbe(rate, clean, clean ? "" : "1 retransmission", disturbed, limited);
    }
}
