package io.carillon.server.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateWindowTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void growthBetweenOldestAndNewestSample() {
        RateWindow window = new RateWindow(3);
        assertThat(window.perSecond()).isZero();
        window.sample(0, 0);
        assertThat(window.perSecond()).isZero();
        window.sample(100, SECOND);
        assertThat(window.perSecond()).isEqualTo(100);
        window.sample(200, 2 * SECOND);
        window.sample(700, 3 * SECOND);
        assertThat(window.perSecond()).isEqualTo(300);
    }
}
