package io.carillon.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BodyRoomTest {
    private final BodyRoom<String> room = new BodyRoom<>(100, source -> source == 999);

    @Test
    void theOldestBodyOfTheSourceThatHoldsMostIsGivenUp() {
        assertThat(room.more(1, "old", 30)).isNull();
        assertThat(room.more(1, "young", 30)).isNull();
        assertThat(room.more(2, "other", 40)).isNull();
        assertThat(room.more(3, "new", 10)).isEqualTo("old");
        room.gone(1, "old");
        room.gone(1, "old");
        assertThat(room.bytes()).isEqualTo(80);
        assertThat(room.more(2, "other", 30)).as("it grows and holds most").isEqualTo("other");
    }

    @Test
    void aBodyOfATrustedSourceIsGivenUpOnlyWhereThereIsNoOther() {
        assertThat(room.more(999, "proxied", 90)).isNull();
        assertThat(room.more(1, "other", 20)).isEqualTo("other");
        room.gone(1, "other");
        assertThat(room.more(999, "proxied too", 20)).isEqualTo("proxied");
    }

    @Test
    void bodiesThatAreGoneLeaveNothing() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(room.more(i, "body", 100)).isNull();
            room.gone(i, "body");
        }
        assertThat(room.bytes()).isZero();
    }
}
