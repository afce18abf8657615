package io.carillon.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Who leaves takes no last copy along. */
class LastCopiesTest {
    private final LastCopies copies = new LastCopies(1_000);

    @Test
    void itGoesWhenNobodyHasDiedUnnoticed() {
        assertThat(copies.mayGo(0, 5_000)).isFalse();
        assertThat(copies.mayGo(0, 5_999)).isFalse();
        assertThat(copies.mayGo(0, 6_000)).isTrue();
    }

    /** A death comes to light, and the copies that it took are made again. */
    @Test
    void itStaysWhileCopiesAreMissing() {
        assertThat(copies.mayGo(0, 5_000)).isFalse();
        assertThat(copies.mayGo(3, 5_900)).isFalse();
        assertThat(copies.mayGo(1, 6_500)).isFalse();
        assertThat(copies.mayGo(0, 7_000)).isFalse();
        assertThat(copies.mayGo(0, 7_999)).isFalse();
        assertThat(copies.mayGo(0, 8_000)).isTrue();
    }
}
