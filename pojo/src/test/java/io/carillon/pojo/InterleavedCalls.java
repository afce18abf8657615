package io.carillon.pojo;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.pojo.engine.BeanSource;
import io.carillon.servlettest.SipTestServer;
import io.carillon.testkit.Call;
import io.carillon.testkit.UserAgent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** 1,000 bridged calls at once, for the tests of both frameworks. */
public final class InterleavedCalls {
    private static final int CALLS = 1_000;

    private InterleavedCalls() {}

    /** Runs them, and fails when anything belonged to another call, or outlived its own. */
    public static void run(SipTestServer server, BeanSource source, boolean blocking)
            throws Exception {
        InterleavedHandler.WRONG.clear();
        InterleavedHandler.LOOKED.set(0);
        int before = Belongings.ALIVE.get();
        server.deploy(
                PlainHandlers.describe("interleaved", source)
                        .contextParam(
                                "io.carillon.execution", blocking ? "blocking" : "non-blocking")
                        .build());
        UserAgent alice = server.phone("alice");
        server.phone("bob")
                .onCall(call -> {
                    call.ring();
                    call.answer();
                });
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            calls.add(alice.call(server.uri("bob")));
            if (i % 100 == 0) {
                server.advance(Duration.ofMillis(3));
            }
        }
        server.advance(Duration.ofSeconds(2));
        assertThat(calls).allMatch(call -> call.state() == Call.State.ESTABLISHED);
        assertThat(Belongings.ALIVE.get() - before)
                .as("two sessions, a call and an application session for each call")
                .isEqualTo(4 * CALLS);
        calls.forEach(Call::info);
        server.advance(Duration.ofSeconds(1));
        calls.forEach(Call::bye);
        server.assertNothingLeft();
        assertThat(InterleavedHandler.WRONG).isEmpty();
        assertThat(InterleavedHandler.LOOKED.get()).isEqualTo(8 * CALLS);
        assertThat(Belongings.ALIVE.get()).as("destroyed with their sessions").isEqualTo(before);
    }
}
