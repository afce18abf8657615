package io.carillon.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which repeats are known for repeats. */
class TakenNumbersTest {
    private final TakenNumbers taken = new TakenNumbers();

    /** A router counts by one, the loops of a node by 256. */
    @ParameterizedTest
    @ValueSource(longs = {1, 256})
    void theLastNumbersOfASenderAreAllKnown(long step) {
        long first = 1_764_000_000_000_000L * 256 + 3;
        for (int i = 0; i < 100_000; i++) {
            taken.add(256, first + i * step);
            if (i % 20_000 == 19_999) {
                for (int back = 0; back < TakenNumbers.LEAST; back++) {
                    assertThat(taken.has(256, first + (i - back) * step)).isTrue();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 255, 257})
    void anotherSendersNumberIsAnother(int sender) {
        taken.add(256, 4_711);
        assertThat(taken.has(256, 4_711)).isTrue();
        assertThat(taken.has(sender, 4_711)).isFalse();
        assertThat(taken.has(256, 4_712)).isFalse();
    }
}
