package io.carillon.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.web.CallNotification.State;
import io.carillon.web.EventQueue.Event;
import org.junit.jupiter.api.Test;

class EventQueueTest {
    private final EventQueue queue = new EventQueue();

    private static Event call(String id, State state) {
        return Event.of(new CallNotification(id, "Carol", state));
    }

    @Test
    void callersWhoHangUpAgainAndAgainFillNothing() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(queue.add(call("call" + i, State.RINGING))).isTrue();
            assertThat(queue.add(call("call" + i, State.ENDED))).isTrue();
        }
        assertThat(queue.poll()).as("a call that the page never heard of").isNull();
    }

    @Test
    void aPageHearsTheEndOfWhatItHasHeardOf() {
        queue.add(call("one", State.RINGING));
        assertThat(queue.poll()).isEqualTo(call("one", State.RINGING));
        queue.add(call("one", State.ANSWERED));
        queue.add(new Event("news", "other"));
        queue.add(call("one", State.ENDED));
        assertThat(queue.poll()).isEqualTo(new Event("news", "other"));
        assertThat(queue.poll()).isEqualTo(call("one", State.ENDED));
        assertThat(queue.poll()).isNull();
    }

    @Test
    void aPageThatReadsNothingHasNoMoreThanAHundredWaiting() {
        for (int i = 0; i < 100; i++) {
            assertThat(queue.add(new Event("news", i))).isTrue();
        }
        assertThat(queue.add(new Event("news", "one more"))).isFalse();
    }
}
