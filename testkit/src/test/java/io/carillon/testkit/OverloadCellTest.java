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
    private static final int SECONDS = 30;

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
    @EnumSource(value = OcMode.class, names = "OFF", mode = EnumSource.Mode.EXCLUDE)
    void goodputStaysAbove70PercentInEachWindowOf5Seconds(OcMode mode) {
        long seeds = Long.getLong("carillon.seeds", 2);
        for (long seed = 1; seed <= seeds; seed++) {
            OverloadCell cell = run(seed, true, mode);
            double worst = cell.worst(5, SECONDS, 5);
            System.out.printf(
                    "cell, %s, seed %d: goodput %.2f, in the worst 5 s %.2f, %d calls answered, %d"
                            + " requests refused by servers%n",
                    mode,
                    seed,
                    cell.goodput(5, SECONDS),
                    worst,
                    cell.callers.answered(),
                    cell.refusedByServers());
            assertThat(worst).as("seed %s", seed).isGreaterThanOrEqualTo(0.7);
            assertThat(cell.callers.failed()).as("calls that heard nothing").isZero();
        }
    }

    /** What feedback is for: proxies refuse what servers would have to. */
    @Test
    void serversRefuseAFifthOfWhatTheyDoWithoutFeedback() {
        long alone = run(1, true, OcMode.OFF).refusedByServers();
        assertThat(run(1, true, OcMode.LOSS).refusedByServers()).isLessThan(alone / 5);
    }

    /** What shedding is for: without it servers are busy with calls that nobody waits for. */
    @Test
    void withoutSheddingTheCellSinks() {
        OverloadCell cell = new OverloadCell(1, false, OcMode.OFF);
        cell.run(15, t -> 2);
        assertThat(cell.goodput(10, 15)).isLessThan(0.3);
    }
}
