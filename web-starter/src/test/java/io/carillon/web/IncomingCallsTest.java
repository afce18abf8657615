package io.carillon.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.web.CallNotification.State;
import io.carillon.web.IncomingCalls.Known;
import org.junit.jupiter.api.Test;

/** 12 calls to all users. */
class IncomingCallsTest {
    private final IncomingCalls calls = new IncomingCalls(12);
    private int count;

    private boolean call(String user, long source) {
        CallNotification call = new CallNotification("id" + count++, "Carol", State.RINGING);
        return calls.begin(new Known(user, source, call));
    }

    @Test
    void aSourceHasHalfOfAUsersCalls() {
        for (int i = 0; i < 5; i++) {
            assertThat(call("alice", 1)).isTrue();
        }
        assertThat(call("alice", 1)).isFalse();
        assertThat(call("bob", 1)).isTrue();
        assertThat(call("alice", 2)).isTrue();
    }

    @Test
    void aUserHasTenAndAllTogetherAsManyAsThereMayBe() {
        for (int source = 0; source < 10; source++) {
            assertThat(call("alice", source)).isTrue();
        }
        assertThat(call("alice", 10)).isFalse();
        assertThat(calls.of("alice")).hasSize(10);
        assertThat(call("bob", 1)).isTrue();
        assertThat(call("bob", 2)).isTrue();
        assertThat(call("bob", 3)).as("all twelve").isFalse();
        assertThat(calls.enter("id0", State.ENDED)).isNotNull();
        assertThat(calls.enter("id0", State.ENDED)).as("once").isNull();
        assertThat(call("alice", 10)).isTrue();
    }

    /** SIP Servlet 1.1, 15.11: it comes to the application session of the call that it names. */
    @Test
    void aCallThatReplacesAnotherIsNotTakenInBesideIt() {
        assertThat(call("alice", 1)).isTrue();
        count = 0;
        assertThat(call("alice", 2)).isFalse();
        assertThat(calls.of("alice")).hasSize(1);
    }
}
