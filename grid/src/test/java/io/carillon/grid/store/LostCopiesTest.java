package io.carillon.grid.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When nobody may rely on what is read of a partition. */
class LostCopiesTest {
    private final LostCopies copies = new LostCopies(100);

    @Test
    void onesThatMoveStepByStepAreNeverLost() {
        copies.moved(5, List.of(), List.of("a"), 0);
        copies.moved(5, List.of("a"), List.of("a", "b"), 0);
        copies.moved(5, List.of("a", "b"), List.of("b", "c"), 0);
        copies.moved(5, List.of("b", "c"), List.of("c"), 0);
        assertThat(copies.oneOf(Set.of(4, 5, 6), 0)).isEqualTo(-1);
    }

    @Test
    void onesWhoseHoldersAreAllGoneAreLostUntilOneOfThemIsBack() {
        copies.moved(5, List.of("a", "b"), List.of("c"), 0);
        assertThat(copies.oneOf(Set.of(4, 5, 6), 0)).isEqualTo(5);
        assertThat(copies.oneOf(Set.of(4, 6), 0)).isEqualTo(-1);
        copies.moved(5, List.of("c"), List.of("c", "d"), 0);
        assertThat(copies.oneOf(Set.of(5), 0)).as("d had none either").isEqualTo(5);
        copies.moved(5, List.of("c", "d"), List.of("b", "c"), 0);
        assertThat(copies.oneOf(Set.of(5), 0)).isEqualTo(-1);
    }

    @Test
    void whoStaysAwayIsNotWaitedForForEver() {
        copies.moved(5, List.of("a", "b"), List.of("c"), 1_000);
        assertThat(copies.oneOf(Set.of(5), 1_099)).isEqualTo(5);
        assertThat(copies.oneOf(Set.of(5), 1_100)).isEqualTo(-1);
    }
}
