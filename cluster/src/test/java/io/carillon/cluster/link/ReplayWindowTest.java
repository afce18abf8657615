package io.carillon.cluster.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** RFC 4303 3.4.3. */
class ReplayWindowTest {
    @Test
    void takesEachNumberOnceWhateverTheOrder() {
        for (long seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            ReplayWindow window = new ReplayWindow();
            Set<Long> taken = new HashSet<>();
            long highest = 0;
            long next = 1;
            for (int i = 0; i < 20_000; i++) {
                long number =
                        switch (random.nextInt(10)) {
                            case 0 -> Math.max(1, next - random.nextInt(2 * ReplayWindow.WIDTH));
                            case 1 -> next += random.nextInt(3000);
                            default -> next++;
                        };
                boolean expected = number > highest - ReplayWindow.WIDTH && taken.add(number);
                assertThat(window.take(number))
                        .as("seed %d, number %d", seed, number)
                        .isEqualTo(expected);
                highest = Math.max(highest, number);
            }
        }
    }

    @Test
    void takesNoNumberBelowOne() {
        ReplayWindow window = new ReplayWindow();
        assertThat(window.take(0)).isFalse();
        assertThat(window.take(-5)).isFalse();
        assertThat(window.take(1)).isTrue();
    }
}
