package io.carillon.examples.presence;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuotaTest {
    private static final int SIZE = 1000;
    private static final long EACH = new Publication(new byte[SIZE], "").bytes();

    private final Quota quota = new Quota(80 * EACH, 25);

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
    void whoIsAloneHasHalfAndOthersAPartOfWhatIsLeft() {
        assertThat(taken("a")).isEqualTo(40);
        assertThat(taken("b")).isEqualTo(10);
        assertThat(taken("c")).isEqualTo(7); // of 30
        assertThat(taken("d")).isEqualTo(5); // of 23
    }

    @Test
    void whatEndsMakesRoomAndWhatDoesNotGrowNeedsNone() {
        assertThat(taken("a")).isEqualTo(40);
        assertThat(quota.exchange(of("a"), of("a"))).isTrue();
        assertThat(quota.exchange(of("a"), new Publication(new byte[SIZE + 1], "a"))).isFalse();
        for (int i = 0; i < 40; i++) {
            assertThat(quota.exchange(of("a"), null)).isTrue();
        }
        assertThat(taken("b")).isEqualTo(40);
    }
}
