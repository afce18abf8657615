package io.carillon.sip.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CountedKeysTest {
    @Test
    void agreesWithAMap() {
        for (long seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            CountedKeys keys = new CountedKeys();
            Map<Long, Integer> model = new HashMap<>();
            for (int i = 0; i < 5_000; i++) {
                long key = random.nextInt(600) * 0x1_0000_0001L;
                if (random.nextInt(5) < 3) {
                    keys.add(key);
                    model.merge(key, 1, Integer::sum);
                } else {
                    keys.remove(key);
                    model.computeIfPresent(key, (k, n) -> n == 1 ? null : n - 1);
                }
                assertThat(keys.size()).isEqualTo(model.size());
            }
            for (long k = 0; k < 600; k++) {
                long key = k * 0x1_0000_0001L;
                assertThat(keys.contains(key))
                        .as("seed %d key %d", seed, k)
                        .isEqualTo(model.containsKey(key));
            }
        }
    }
}
