package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.servlet.sip.SipApplicationSessionEvent;
import javax.servlet.sip.SipApplicationSessionListener;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An application that fails in every way, and the calls beside it. */
class HostileApplicationTest {
    private static final String FROM = "<sip:a@x>;tag=a";

    private static int endless(int depth) {
        return depth < 0 ? 0 : endless(depth + 1) + 1;
    }

    private static final class Failing extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final transient Runnable failure;

        Failing(Runnable failure) {
            this.failure = failure;
        }

        @Override
        protected void doMessage(SipServletRequest request) throws IOException {
            if (request.getCallId().startsWith("bad")) {
                failure.run();
            }
            request.createResponse(200).send();
        }
    }

    /** Fails where nobody waits for an answer. */
    private static final class FailingListener implements SipApplicationSessionListener {
        private final Runnable failure;

        FailingListener(Runnable failure) {
            this.failure = failure;
        }

        @Override
        public void sessionCreated(SipApplicationSessionEvent event) {
            failure.run();
        }

        @Override
        public void sessionDestroyed(SipApplicationSessionEvent event) {
            failure.run();
        }

        @Override
        public void sessionExpired(SipApplicationSessionEvent event) {
            failure.run();
        }

        @Override
        public void sessionReadyToInvalidate(SipApplicationSessionEvent event) {
            failure.run();
        }
    }

    static Stream<Arguments> failures() {
        List<Supplier<Throwable>> kinds =
                List.of(
                        () -> new IllegalStateException("on purpose"),
                        () -> new OutOfMemoryError("on purpose"),
                        () -> new NoClassDefFoundError("on purpose"),
                        () -> new AssertionError("on purpose"));
        Stream<Runnable> thrown =
                kinds.stream()
                        .map(kind -> () -> HostileApplicationTest.<RuntimeException>raise(kind));
        Runnable deep = () -> endless(0);
        return Stream.concat(thrown, Stream.of(deep))
                .flatMap(failure ->
                        Stream.of(ExecutionMode.values()).map(mode -> Arguments.of(failure, mode)));
    }

    @SuppressWarnings("unchecked") // lets an error or exception out as it is
    private static <T extends Throwable> void raise(Supplier<Throwable> kind) throws T {
        throw (T) kind.get();
    }

    private static void assertNothingLeft(Server server) {
        assertThat(server.container.errors().ofContainer()).isZero();
        assertThat(server.container.callsHeld()).isZero();
        assertThat(server.container.sessions().dialogs()).isZero();
        assertThat(server.node.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("failures")
    void theCallerGets500AndOtherCallsGoOn(Runnable failure, ExecutionMode mode) {
        Server server = Server.fresh(5);
        server.deploy(new Failing(failure), mode);
        RawPeer alice = server.peer("10.0.0.2");
        for (int i = 0; i < 20; i++) {
            alice.forget();
            alice.request("MESSAGE sip:u@10.0.0.1", FROM, "<sip:u@y>", "bad" + i, 1);
            alice.response(500);
            alice.request("MESSAGE sip:u@10.0.0.1", FROM, "<sip:u@y>", "good" + i, 1);
            alice.response(200);
        }
        assertThat(server.container.errors().ofApplications()).isEqualTo(20);
        server.run(Duration.ofMinutes(10));
        assertNothingLeft(server);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aListenerThatFailsDisturbsNoCallAndLeavesNothing(Runnable failure, ExecutionMode mode) {
        Server server = Server.fresh(6);
        server.deploy(new Failing(() -> {}), mode, new FailingListener(failure));
        RawPeer alice = server.peer("10.0.0.2");
        alice.request("MESSAGE sip:u@10.0.0.1", FROM, "<sip:u@y>", "c1", 1);
        alice.response(200);
        server.run(Duration.ofMinutes(10));
        assertThat(server.container.errors().ofApplications()).isPositive();
        assertNothingLeft(server);
    }
}
