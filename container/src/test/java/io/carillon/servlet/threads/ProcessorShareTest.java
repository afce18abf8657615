package io.carillon.servlet.threads;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What handlers that share the processors take from each other. */
class ProcessorShareTest {
    private static final long MILLI = 1_000_000;

    private long used;
    private final ProcessorShare two = new ProcessorShare(2, () -> used);

    private void ran(long nanos, int times) {
        for (int i = 0; i < times; i++) {
            two.perform(() -> used += nanos);
        }
    }

    /** Waits as one would that begins beside so many. */
    private long beside(int others) {
        if (others == 0) {
            return two.waitNanos();
        }
        long[] seen = new long[1];
        two.perform(() -> seen[0] = beside(others - 1));
        return seen[0];
    }

    @Test
    void eachTakesLongerByWhatTheOthersUse() {
        ran(10 * MILLI, 100);
        assertThat(two.waitNanos()).isBetween(4 * MILLI, 6 * MILLI);
        assertThat(beside(19)).isBetween(90 * MILLI, 110 * MILLI);
    }

    @Test
    void thoseThatSleepTakeNothing() {
        ran(0, 100);
        assertThat(beside(200)).isLessThan(MILLI);
    }

    @Test
    void oneThatComputesForSecondsSaysNothingOfTheOthers() {
        ran(MILLI, 100);
        ran(5_000 * MILLI, 1);
        assertThat(beside(2)).isLessThan(15 * MILLI);
    }

    @Test
    void whatIsNotMeasuredChangesNothing() {
        ProcessorShare blind = new ProcessorShare(1, () -> -1);
        long before = blind.waitNanos();
        blind.perform(() -> {});
        assertThat(blind.waitNanos()).isEqualTo(before);
    }
}
