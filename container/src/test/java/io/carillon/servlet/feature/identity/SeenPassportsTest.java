package io.carillon.servlet.feature.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** PASSporTs that were valid a moment ago: bounded by number and time. */
class SeenPassportsTest {
    private final SeenPassports seen = new SeenPassports(100);

    private static byte[] signature(int number) {
        return ByteBuffer.allocate(64).putInt(number).putInt(8, number).array();
    }

    @Test
    void oneIsRememberedUntilItIsStale() {
        assertThat(seen.take(signature(1), "a", 2_000, 1_000)).isTrue();
        assertThat(seen.take(signature(1), "a", 2_000, 2_000)).isTrue();
        assertThat(seen.take(signature(1), "b", 2_000, 2_000)).isFalse();
        assertThat(seen.take(signature(2), "b", 4_000, 2_001)).isTrue();
        assertThat(seen.size()).isEqualTo(1);
        assertThat(seen.replayed()).isEqualTo(1);
        assertThat(seen.forgotten()).isZero();
    }

    @Test
    void ofTooManyTheOldestGoesFirstAndIsCounted() {
        for (int i = 0; i < 150; i++) {
            assertThat(seen.take(signature(i), "a", 2_000, 1_000)).isTrue();
        }
        assertThat(seen.size()).isEqualTo(100);
        assertThat(seen.forgotten()).isEqualTo(50);
        assertThat(seen.take(signature(149), "b", 2_000, 1_000)).isFalse();
        assertThat(seen.take(signature(50), "b", 2_000, 1_000)).isFalse();
    }

    @Test
    void aCopyOfItsRequestIsTheSameCallAndOthersAreNot() {
        seen.copied(signature(1), "early");
        assertThat(seen.size()).isZero();
        assertThat(seen.take(signature(1), "a", 2_000, 1_000)).isTrue();
        seen.copied(signature(1), "copy");
        assertThat(seen.take(signature(1), "copy", 2_000, 1_000)).isTrue();
        assertThat(seen.take(signature(1), "early", 2_000, 1_000)).isFalse();
        for (int i = 0; i < 1_000; i++) {
            seen.copied(signature(1), "copy" + i);
        }
        assertThat(seen.take(signature(1), "copy999", 2_000, 1_000)).isFalse();
    }
}
