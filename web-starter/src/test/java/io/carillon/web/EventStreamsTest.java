package io.carillon.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventStreamsTest {
    @Test
    void theOldestOfTooManyStreamsEnds() {
        try (EventStreams streams = new EventStreams(2)) {
            for (int i = 0; i < 10; i++) {
                assertThat(streams.open("alice")).isNotNull();
            }
            assertThat(streams.open()).isEqualTo(2);
            streams.open("bob");
            assertThat(streams.open()).isEqualTo(3);
        }
    }
}
