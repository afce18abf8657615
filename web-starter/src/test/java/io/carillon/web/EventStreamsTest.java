package io.carillon.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
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

    @Test
    void aStreamEndsWithItsSignInAndOthersOfTheUserStay() {
        AtomicBoolean signedIn = new AtomicBoolean(true);
        try (EventStreams streams = new EventStreams(4)) {
            streams.open("alice", List::of, List::of, signedIn::get);
            streams.open("alice");
            streams.endForbidden("alice");
            assertThat(streams.open()).isEqualTo(2);
            signedIn.set(false);
            streams.endForbidden("alice");
            assertThat(streams.open()).isEqualTo(1);
        }
    }
}
