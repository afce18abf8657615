package io.carillon.net.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Whose a name is when the connection that had it has ended. */
class EndedPeerNamesTest {
    private long now;
    private final EndedPeerNames names = new EndedPeerNames(10, 100, () -> now);

    @Test
    void aNameIsItsSourcesUntilItsTimeIsOver() {
        names.keep("a.invalid", 1);
        assertThat(names.mayTake("a.invalid", 2)).isFalse();
        assertThat(names.mayTake("a.invalid", 1)).isTrue();
        now = 99;
        assertThat(names.mayTake("a.invalid", 2)).isFalse();
        now = 100;
        assertThat(names.mayTake("a.invalid", 2)).isTrue();
        assertThat(names.size()).isZero();
    }

    @Test
    void whoLeavesManyNamesPushesOutHisOwn() {
        names.keep("honest.invalid", 1);
        for (int i = 0; i < 100; i++) {
            names.keep("n" + i + ".invalid", 2);
        }
        assertThat(names.size()).isEqualTo(10);
        assertThat(names.mayTake("honest.invalid", 2)).isFalse();
        assertThat(names.mayTake("n0.invalid", 1)).as("the oldest is forgotten").isTrue();
        assertThat(names.mayTake("n99.invalid", 1)).isFalse();
    }

    @Test
    void whatIsTakenAgainIsNotKept() {
        names.keep("a.invalid", 1);
        names.taken("a.invalid");
        assertThat(names.size()).isZero();
    }
}
