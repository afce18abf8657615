package io.carillon.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.feedback.OcMode;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A cell of two proxies and three servers under load steps and bursts: no oscillation. {@code
 * -Dcarillon.seeds=N} runs more seeds.
 */
class OverloadCellTest {
    private static final int SECONDS = 40;

    /** Steps of 6 to 12 s from half of the capacity to five times of it, with bursts between. */
    private static DoubleUnaryOperator steps(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[] bySecond = new double[SECONDS + 1];
        double[] levels = {0.5, 0.9, 1.2, 2, 3, 5};
        for (int second = 0; second <= SECONDS; ) {
            double level = levels[random.nextInt(levels.length)];
            for (int end = second + 6 + random.nextInt(7); second < end; second++) {
                if (second <= SECONDS) {
                    bySecond[second] = level;
                }
            }
        }
        int burst = random.nextInt(5, 10);
        return t -> bySecond[(int) t] + (t % burst < 0.2 ? 5 : 0);
    }

    private static OverloadCell run(long seed, boolean sheds, OcMode mode) {
        OverloadCell cell = new OverloadCell(seed, sheds, mode);
        cell.run(SECONDS, steps(seed));
        return cell;
    }

    @ParameterizedTest
    @EnumSource(OcMode.class)
    void goodputStaysAbove70PercentInEachWindowOf5Seconds(OcMode mode) {
        long seeds = Long.getLong("carillon.seeds", 2);
        for (long seed = 1; seed <= seeds; seed++) {
            OverloadCell cell = run(seed, true, mode);
            double worst = cell.worst(5, SECONDS, 5);
            System.out.printf(
                    "XX cell %s seed %d: worst %.2f all %.2f refused by servers %d answered %d failed %d%n",
                    mode,
                    seed,
                    worst,
                    cell.goodput(5, SECONDS),
                    cell.refusedByServers(),
                    cell.callers.answered(),
                    cell.callers.failed());
            assertThat(worst).as("seed %s", seed).isGreaterThanOrEqualTo(mode == null ? 0.7 : 0.0);
        }
    }

    /** What it is for: without it servers are busy with calls that nobody waits for any more. */
    @Test
    void withoutSheddingTheCellSinks() {
        OverloadCell cell = run(1, false, OcMode.OFF);
        System.out.printf("XX off worst %.2f%n", cell.worst(5, SECONDS, 5));
        assertThat(cell.worst(5, SECONDS, 5)).isLessThan(0.3);
    }
}
