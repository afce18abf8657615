package io.carillon.sip.overload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Shares of sources, of 1,000 requests in each second that are let in. */
class SourceRateTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int ALL = 1_000;

    private final SourceRate rate = new SourceRate(4711);
    private final SplittableRandom random = new SplittableRandom(1);
    private double tokens = 10;

    /**
     * For 20 s: each source asks at its rate, and as many are let in as there is room; those within
     * their share before the others.
     *
     * @return how many of each were let in in each second
     */
    private double[] letIn(int[] weights, double... perSecond) {
        double[] taken = new double[perSecond.length];
        rate.begin(ALL, 0);
        for (int tick = 0; tick < 200_000; tick++) {
            long now = tick * (SECOND / 10_000);
            tokens = Math.min(20, tokens + ALL / 10_000.0);
            for (int i = 0; i < perSecond.length; i++) {
                if (random.nextDouble() < perSecond[i] / 10_000) {
                    boolean fair = rate.fair(i + 1, weights[i], now);
                    boolean let = tokens > (fair ? 5 : 10);
                    rate.decided(fair, let);
                    tokens -= let ? 1 : 0;
                    taken[i] += let ? 0.05 : 0;
                }
            }
            if (tick % 100 == 0) {
                rate.look(ALL);
            }
        }
        return taken;
    }

    @Test
    void whoAsksForLittleGetsItAllAndTheOthersHaveAlike() {
        double[] taken = letIn(new int[] {1, 1, 1}, 100, 3_000, 6_000);

        assertThat(taken[0]).isGreaterThan(95);
        assertThat(taken[1]).isBetween(380.0, 520.0);
        assertThat(taken[2]).isBetween(380.0, 520.0);
    }

    @Test
    void aPeerOfWeightCountsAsThatMany() {
        double[] taken = letIn(new int[] {1, 3}, 4_000, 4_000);

        assertThat(taken[1] / taken[0]).isBetween(2.3, 3.7);
    }

    @Test
    void oneAloneHasAll() {
        assertThat(letIn(new int[] {1}, 5_000)[0]).isGreaterThan(950);
    }

    @Test
    void manyStrangersTakeNothingOfOne() {
        rate.begin(ALL, 0);
        int refused = 0;
        for (int i = 0; i < 100_000; i++) {
            long now = i * (SECOND / 100_000);
            rate.fair(random.nextLong(), 1, now);
            if (i % 1_000 == 0 && !rate.fair(42, 1, now)) {
                refused++; // 100 in a second, of a share of 1,000
            }
        }
        assertThat(refused).isLessThan(5);
    }
}
