package io.carillon.examples.presence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuotaTest {
    private static final int SIZE = 1000;
    private static final long EACH = new Publication(new byte[SIZE], "").bytes();

    private final Quota quota = new Quota(8 * EACH, 25);

    private static Publication of(String source) {
        return new Publication(new byte[SIZE], source);
    }

    private int taken(String source) {
        int taken = 0;
        while (quota.exchange(null, of(source))) {
            taken++;
        }
        return taken;
    }

    @Test
    void whoIsAloneHasHalfAndOthersTheirShareOfTheRest() {
        assertThat(taken("a")).isEqualTo(4);
        assertThat(taken("b")).isEqualTo(2);
        assertThat(taken("c")).isEqualTo(2);
        assertThat(taken("d")).as("nothing is left").isZero();
    }

    @Test
    void whatEndsMakesRoomAndWhatDoesNotGrowNeedsNone() {
        assertThat(taken("a")).isEqualTo(4);
        assertThat(quota.exchange(of("a"), of("a"))).isTrue();
        assertThat(quota.exchange(of("a"), new Publication(new byte[SIZE + 1], "a"))).isFalse();
        for (int i = 0; i < 4; i++) {
            assertThat(quota.exchange(of("a"), null)).isTrue();
        }
        assertThat(taken("b")).isEqualTo(4);
    }
}
