package io.carillon.protection.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** 100 bytes a second, with 5 s of grace; all times are virtual. */
class DataPaceTest {
    private static final long SECOND = 1_000_000_000;

    private final DataPace pace = new DataPace(100, 5 * SECOND);

    /** Waits for so many seconds, then the bytes come; was it late before they did? */
    private boolean isLateBefore(long bytes, double afterSeconds) {
        pace.await(0, 0);
        long now = (long) (afterSeconds * SECOND);
        boolean late = pace.isLate(now);
        pace.proceed(now);
        pace.moved(bytes);
        return late;
    }

    @Test
    void nothingAtAllIsLateBehindTheGrace() {
        pace.await(0, 0);
        assertThat(pace.isLate(5 * SECOND)).isFalse();
        assertThat(pace.isLate(5 * SECOND + 1)).isTrue();
    }

    @Test
    void aByteNowAndThenIsLateTogether() {
        assertThat(isLateBefore(1, 4)).isFalse();
        assertThat(isLateBefore(1, 4)).isTrue();
    }

    @Test
    void theLeastRateIsNeverLate() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(isLateBefore(100, 1)).isFalse();
        }
    }

    @Test
    void whatCameFastIsNoCredit() {
        assertThat(isLateBefore(1_000_000, 0.1)).isFalse();
        assertThat(isLateBefore(1, 6)).isTrue();
    }

    @Test
    void timeInWhichNobodyWaitsDoesNotCount() {
        assertThat(isLateBefore(1, 1)).isFalse();
        assertThat(pace.isLate(3_600 * SECOND)).isFalse();
    }

    @Test
    void aLargeWriteHasTheTimeOfItsBytes() {
        pace.await(1_000, 0);
        assertThat(pace.isLate(15 * SECOND)).isFalse();
        assertThat(pace.isLate(15 * SECOND + 1)).isTrue();
    }
}
