package io.carillon.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When calls are due. */
class ArrivalsTest {
    private static final long SECOND = 1_000_000_000L;

    private static long count(Arrivals arrivals) {
        long count = 0;
        while (!arrivals.ended()) {
            arrivals.take();
            count++;
        }
        return count;
    }

    @Test
    void evenArrivalsKeepTheRateWithoutDrift() {
        assertThat(
                        count(
                                new Arrivals(
                                        RatePlan.constant(3),
                                        false,
                                        Long.MAX_VALUE,
                                        5,
                                        1000 * SECOND,
                                        1)))
                .isEqualTo(3000);
    }

    @Test
    void poissonArrivalsKeepItInTheMean() {
        assertThat(
                        count(
                                new Arrivals(
                                        RatePlan.constant(100),
                                        true,
                                        Long.MAX_VALUE,
                                        5,
                                        1000 * SECOND,
                                        1)))
                .isBetween(99_000L, 101_000L);
    }

    @Test
    void aRampMakesWhatItsStepsSay() {
        assertThat(
                        count(
                                new Arrivals(
                                        RatePlan.parse("100..300:100/10s"),
                                        false,
                                        Long.MAX_VALUE,
                                        5,
                                        30 * SECOND,
                                        1)))
                .isEqualTo(6000);
    }

    @Test
    void noMoreCallsThanAskedFor() {
        assertThat(count(new Arrivals(RatePlan.constant(100), false, 42, 5, 100 * SECOND, 1)))
                .isEqualTo(42);
    }

    @Test
    void fastEvenCallsAreDueTogetherOnAGridOfTwoMilliseconds() {
        Arrivals arrivals = new Arrivals(RatePlan.constant(2000), false, 12, 0, SECOND, 1);
        List<Long> due = new ArrayList<>();
        while (!arrivals.ended()) {
            due.add(arrivals.nextNanos() / 1_000_000);
            arrivals.take();
        }
        assertThat(due).containsExactly(0L, 0L, 0L, 0L, 2L, 2L, 2L, 2L, 4L, 4L, 4L, 4L);
    }
}
