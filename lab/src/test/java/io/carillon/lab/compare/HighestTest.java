package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HighestTest {
    @Test
    void impossibleBoundsAreRefused() {
        assertThatThrownBy(() -> Highest.limits(500, 250, 0.05)).hasMessageContaining("--from");
        assertThatThrownBy(() -> Highest.limits(1, 2, 0)).hasMessageContaining("--precision");
    }
}
