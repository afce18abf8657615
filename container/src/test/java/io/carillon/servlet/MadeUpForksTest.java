package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.store.RoundTripStore;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.stack.StackConfig;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A callee that answers one INVITE with ever new tags: each costs a session of ours. */
class MadeUpForksTest {
    private static final int FORKS = 5;

    private static final class Caller extends SipServlet {
        private static final long serialVersionUID = 1L;
        final AtomicInteger provisionals = new AtomicInteger();

        @Override
        protected void doMessage(SipServletRequest request) throws IOException, ServletException {
            request.createResponse(200).send();
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            SipServletRequest invite =
                    factory.createRequest(
                            request.getApplicationSession(),
                            "INVITE",
                            "sip:us@10.0.0.1",
                            "sip:them@10.0.0.3");
            invite.send();
        }

        @Override
        protected void doProvisionalResponse(SipServletResponse response) {
            provisionals.incrementAndGet();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void ringingWithEverNewTagsMakesNoMoreSessionsThanTheLimit(ExecutionMode mode)
            throws Exception {
        Caller caller = new Caller();
        Server server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 3),
                        "10.0.0.1",
                        1,
                        3,
                        new RoundTripStore(),
                        StackConfig.builder().maxForks(FORKS).build(),
                        ContainerConfig.defaults());
        server.deploy(caller, mode);
        RawPeer them = server.peer("10.0.0.3");
        RawPeer starter = server.peer("10.0.0.2");
        starter.request("MESSAGE sip:go@10.0.0.1", "<sip:a@x>;tag=a", "<sip:go@y>", "c1", 1);
        starter.response(200);
        SipRequest invite = them.request("INVITE");
        for (int i = 0; i < 100; i++) {
            them.respond(invite, 180, "made-up-" + i, "Contact: <sip:10.0.0.3>");
            server.run(Duration.ofMillis(1));
        }
        assertThat(caller.provisionals).hasValue(FORKS);
        assertThat(server.container.status().early()).isEqualTo(FORKS);
        them.respond(invite, 486, "made-up-1");
        server.run(Duration.ofMinutes(5));
        assertThat(server.container.status().early()).isZero();
    }
}
