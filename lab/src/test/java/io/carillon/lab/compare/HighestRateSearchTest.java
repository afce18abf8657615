package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class HighestRateSearchTest {
    private static HighestRateSearch climbed(
            HighestRateSearch climb, List<Integer> tried, IntPredicate clean) {
        while (climb.next().isPresent()) {
            int rate = climb.next().getAsInt();
            tried.add(rate);
            climb.tried(clean.test(rate));
        }
        return climb;
    }

    @Test
    void theRateDoublesThenTheGapIsHalvedUntilItIsSmall() {
        List<Integer> tried = new ArrayList<>();
        HighestRateSearch climb =
                climbed(new HighestRateSearch(250, 16_000, 0.05), tried, rate -> rate <= 1700);
        assertThat(tried).containsExactly(250, 500, 1000, 2000, 2000, 1500, 1750, 1750, 1625, 1687);
        assertThat(climb.best()).isEqualTo(1687);
        assertThat(climb.atTheTop()).isFalse();
    }

    @Test
    void oneStallOfTheMachineIsNotTheEnd() {
        int[] stall = {3};
        HighestRateSearch climb =
                climbed(
                        new HighestRateSearch(250, 4000, 0.05),
                        new ArrayList<>(),
                        rate -> stall[0]-- != 0);
        assertThat(climb.best()).isEqualTo(4000);
        assertThat(climb.atTheTop()).isTrue();
    }

    @Test
    void aServerThatTakesNotEvenTheFirstRateIsHalvedDown() {
        List<Integer> tried = new ArrayList<>();
        assertThat(
                        climbed(new HighestRateSearch(800, 1600, 0.05), tried, rate -> rate <= 300)
                                .best())
                .isBetween(285, 300);
        assertThat(tried).startsWith(800, 800, 400, 400, 200);
    }

    @Test
    void aServerThatTakesNothingEndsWithNone() {
        assertThat(
                        climbed(
                                        new HighestRateSearch(8, 16, 0.05),
                                        new ArrayList<>(),
                                        rate -> false)
                                .best())
                .isZero();
    }

    @Test
    void theHighestRateThatMayBeTriedIsTried() {
        List<Integer> tried = new ArrayList<>();
        assertThat(climbed(new HighestRateSearch(250, 700, 0.05), tried, rate -> true).best())
                .isEqualTo(700);
        assertThat(tried).containsExactly(250, 500, 700);
    }

    @Test
    void impossibleBoundsAreRefused() {
        assertThatThrownBy(() -> new HighestRateSearch(500, 250, 0.05))
                .hasMessageContaining("--from");
        assertThatThrownBy(() -> new HighestRateSearch(1, 2, 0))
                .hasMessageContaining("--precision");
    }
}
