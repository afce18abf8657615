package io.carillon.lab.compare;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class HighestCommandTest {
    @Test
    void impossibleBoundsAreRefused() {
        assertThatThrownBy(() -> HighestCommand.limits(500, 250, 0.05))
                .hasMessageContaining("--from");
        assertThatThrownBy(() -> HighestCommand.limits(1, 2, 0))
                .hasMessageContaining("--precision");
    }
}
