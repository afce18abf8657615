package io.carillon.servlet.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.servlet.kernel.TakeOver;
import io.carillon.servlet.kernel.TurnTap;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The container itself fails over a message: its sender hears of it. */
class ContainerFaultsTest {
    private static final String FROM = "<sip:a@x>;tag=a";

    /** Answers all. */
    private static final class Phone extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doRequest(SipServletRequest request) throws IOException {
            if (!request.getMethod().equals("ACK")) {
                request.createResponse(200).send();
            }
        }
    }

    /** Not as it promises. */
    private static final class Throws implements TurnTap {
        @Override
        public long nanoTime() {
            throw new IllegalStateException("a fault of the container");
        }

        @Override
        public void opened(ServletSession session) {}

        @Override
        public void takenOver(ApplicationSession parent, TakeOver how) {}

        @Override
        public void ended(ServletSession session) {}

        @Override
        public void handled(
                ApplicationSession parent,
                String callId,
                String servlet,
                String method,
                int status,
                long beganNanos,
                boolean threw) {}
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRequestWithinADialogIsAnswered500(ExecutionMode mode) {
        Server server = Server.fresh(1);
        server.deploy(new Phone(), mode);
        RawPeer alice = server.peer("10.0.0.2");
        alice.request(
                "INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "c", 1, "Contact: <sip:10.0.0.2>");
        SipResponse ok = alice.response(200);
        String to = ok.to().toString();
        alice.request("ACK sip:uas@10.0.0.1", FROM, to, "c", 1);
        server.run(Duration.ofMillis(100));
        server.container.tap(new Throws());
        alice.request("INFO sip:uas@10.0.0.1", FROM, to, "c", 2);
        server.run(Duration.ofSeconds(1));
        assertThat(alice.responses(500)).isOne();
        assertThat(server.container.errors().lastOfContainer())
                .hasMessage("a fault of the container");
    }
}
