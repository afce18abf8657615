package io.carillon.protection.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeadDeadlinesTest {
    private static final long LIMIT = 10;

    private final HeadDeadlines.Progress progress = new HeadDeadlines.Progress();

    @Test
    void aConnectionOnWhichNothingComesIsTheIdleTimeoutsMatter() {
        assertThat(progress.isLate(0, false, 0, 0, LIMIT)).isFalse();
        assertThat(progress.isLate(100, false, 0, 0, LIMIT)).isFalse();
    }

    @Test
    void aHeadIsLateFromItsFirstByteOn() {
        assertThat(progress.isLate(5, false, 0, 1, LIMIT)).isFalse();
        assertThat(progress.isLate(14, false, 0, 2, LIMIT)).isFalse();
        assertThat(progress.isLate(15, false, 0, 3, LIMIT)).isTrue();
    }

    @Test
    void aRequestThatWorksForLongIsNotLate() {
        assertThat(progress.isLate(0, false, 0, 1, LIMIT)).isFalse();
        assertThat(progress.isLate(5, true, 1, 100, LIMIT)).isFalse();
        assertThat(progress.isLate(100, true, 1, 200, LIMIT)).isFalse();
        assertThat(progress.isLate(101, false, 1, 200, LIMIT)).isFalse();
        assertThat(progress.isLate(200, false, 1, 200, LIMIT)).isFalse();
    }

    @Test
    void manyShortRequestsBetweenTwoLooksAreNotLate() {
        for (int i = 1; i < 50; i++) {
            assertThat(progress.isLate(i, false, i, 100L * i, LIMIT)).isFalse();
        }
    }

    @Test
    void theHeadOfALaterRequestIsLateToo() {
        assertThat(progress.isLate(0, true, 1, 100, LIMIT)).isFalse();
        assertThat(progress.isLate(1, false, 1, 100, LIMIT)).isFalse();
        assertThat(progress.isLate(50, false, 1, 101, LIMIT)).isFalse();
        assertThat(progress.isLate(60, false, 1, 102, LIMIT)).isTrue();
    }
}
