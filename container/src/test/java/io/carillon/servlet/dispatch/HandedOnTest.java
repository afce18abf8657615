package io.carillon.servlet.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HandedOnTest {
    private final HandedOn handed = new HandedOn();

    @Test
    void whatWasHandedOnIsKnownUntilItsTimeIsOver() {
        assertThat(handed.none()).isTrue();
        handed.add(1, 7, 100, 0);
        assertThat(handed.none()).isFalse();
        assertThat(handed.find(1, 99)).isEqualTo(7);
        assertThat(handed.find(1, 100)).isEqualTo(-1);
        assertThat(handed.find(2, 0)).isEqualTo(-1);
        handed.add(1, 8, 200, 100);
        assertThat(handed.find(1, 150)).isEqualTo(8);
        assertThat(handed.size()).isEqualTo(1);
        handed.add(3, 9, 500, 300);
        assertThat(handed.size()).as("those that are over go").isEqualTo(1);
    }

    @Test
    void beyondTheirNumberTheOldestAreForgotten() {
        for (int i = 0; i < HandedOn.MOST + 10; i++) {
            handed.add(i, 7, 1_000, 0);
        }
        assertThat(handed.size()).isEqualTo(HandedOn.MOST);
        assertThat(handed.find(9, 0)).isEqualTo(-1);
        assertThat(handed.find(10, 0)).isEqualTo(7);
    }
}
