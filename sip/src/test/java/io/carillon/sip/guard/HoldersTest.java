package io.carillon.sip.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HoldersTest {
    private final Holders<String> holders = new Holders<>();

    @Test
    void theSourceThatHoldsMostIsFoundTheOldestFirst() {
        holders.add(1, "a", false);
        holders.add(2, "b", false);
        holders.add(2, "c", false);
        assertThat(holders.most()).isEqualTo(2);
        assertThat(holders.ofMost()).containsExactly("b", "c");
        holders.remove(2, "b");
        holders.remove(2, "b");
        assertThat(holders.of(2)).isEqualTo(1);
        assertThat(holders.ofMost()).as("of equals who was so first").containsExactly("a");
        assertThat(holders.count()).isEqualTo(2);
    }

    @Test
    void aSparedSourceIsNeverTheOneThatHoldsMost() {
        holders.add(1, "a", true);
        holders.add(1, "b", true);
        assertThat(holders.of(1)).isEqualTo(2);
        assertThat(holders.most()).isZero();
        assertThat(holders.ofMost()).isEmpty();
    }

    @Test
    void whateverComesAndGoesTheCountsAreRight() {
        Random random = new Random(42);
        Map<Long, List<String>> held = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            long source = random.nextInt(50);
            List<String> its = held.computeIfAbsent(source, s -> new ArrayList<>());
            if (its.isEmpty() || random.nextBoolean()) {
                its.add("thing " + i);
                holders.add(source, "thing " + i, false);
            } else {
                holders.remove(source, its.remove(random.nextInt(its.size())));
            }
            int most = held.values().stream().mapToInt(List::size).max().orElse(0);
            assertThat(holders.most()).isEqualTo(most);
            assertThat(holders.ofMost()).hasSize(most);
        }
        held.forEach((source, its) -> its.forEach(thing -> holders.remove(source, thing)));
        assertThat(holders.count()).isZero();
        assertThat(holders.most()).isZero();
    }
}
