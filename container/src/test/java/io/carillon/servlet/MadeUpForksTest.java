package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
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

        @Override
        protected void doSuccessResponse(SipServletResponse response) throws IOException {
            response.createAck().send();
        }
    }

    private final Caller caller = new Caller();
    private Server server = Server.fresh(3);
    private RawPeer them = server.peer("10.0.0.3");

    private SipRequest rung(ExecutionMode mode) {
        server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 3),
                        "10.0.0.1",
                        1,
                        3,
                        new RoundTripStore(),
                        StackConfig.builder().forks(FORKS).build(),
                        ContainerConfig.defaults());
        server.deploy(caller, mode);
        them = server.peer("10.0.0.3");
        RawPeer starter = server.peer("10.0.0.2");
        starter.request("MESSAGE sip:go@10.0.0.1", "<sip:a@x>;tag=a", "<sip:go@y>", "c1", 1);
        starter.response(200);
        SipRequest invite = them.request("INVITE");
        for (int i = 0; i < 100; i++) {
            them.respond(invite, 180, "made-up-" + i, "Contact: <sip:10.0.0.3>");
            server.run(Duration.ofMillis(1));
        }
        return invite;
    }

    private long refused() {
        return server.node.shards().getFirst().counters().get(Counter.FORKS_REFUSED);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void ringingWithEverNewTagsMakesNoMoreSessionsThanTheLimit(ExecutionMode mode) {
        SipRequest invite = rung(mode);
        assertThat(caller.provisionals).hasValue(FORKS);
        server.run(Duration.ofMillis(100));
        assertThat(refused()).isEqualTo(100 - FORKS);
        assertThat(server.container.status().early()).isEqualTo(FORKS);
        them.respond(invite, 486, "made-up-1");
        server.run(Duration.ofMinutes(5));
        assertThat(server.container.status().early()).isZero();
    }

    /** The call is answered, however many tags rang before. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_2_2_4_theAnswerIsHeardWhateverItsTag(ExecutionMode mode) {
        SipRequest invite = rung(mode);
        them.respond(invite, 200, "the-last");
        assertThat(them.request("ACK").toTag()).isEqualTo("the-last");
        assertThat(server.container.status().confirmed()).isEqualTo(1);
    }
}
