package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.feature.store.SessionStores;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.observe.Counter;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One INVITE that comes by two ways while the application still thinks about the first. */
class MergedCallTest {
    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 7),
                    "10.0.0.1",
                    1,
                    7,
                    SessionStores.inMemory());
    private final RawPeer alice = server.peer("10.0.0.2");

    /** Says nothing until a MESSAGE tells it what to be. */
    private static final class Thinking extends SipServlet {
        private static final long serialVersionUID = 1L;
        final List<SipServletRequest> invites = new ArrayList<>();

        @Override
        protected void doInvite(SipServletRequest invite) {
            invites.add(invite);
        }

        @Override
        protected void doMessage(SipServletRequest message) throws IOException, ServletException {
            message.createResponse(200).send();
            SipServletRequest invite = invites.getLast();
            if (message.getRequestURI().toString().contains("proxy")) {
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                invite.getProxy().proxyTo(factory.createURI("sip:bob@10.0.0.3"));
            } else {
                invite.createResponse(486).send();
            }
        }
    }

    private long merged() {
        return server.node.shards().getFirst().counters().get(Counter.MERGED_REQUESTS);
    }

    private void invite() {
        alice.request(
                "INVITE sip:room@10.0.0.1",
                "<sip:a@10.0.0.2>;tag=t",
                "<sip:room@10.0.0.1>",
                "one",
                1,
                "Contact: <sip:a@10.0.0.2>");
    }

    private void be(String what) {
        alice.request(
                "MESSAGE sip:" + what + "@10.0.0.1",
                "<sip:a@10.0.0.2>;tag=" + what,
                "<sip:x@10.0.0.1>",
                what,
                1);
        server.run(Duration.ofMillis(100));
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_8_2_2_2_theSecondOneIsMergedWhereTheFirstIsAnswered(ExecutionMode mode)
            throws Exception {
        Thinking phone = new Thinking();
        server.deploy(phone, mode);
        invite();
        invite();
        server.run(Duration.ofSeconds(1));
        assertThat(phone.invites).hasSize(1);
        be("phone");
        alice.response(200);
        alice.response(482);
        alice.response(486);
        assertThat(phone.invites).hasSize(1);
        assertThat(merged()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_16_3_theSecondOneIsPassedOnWhereTheFirstIs(ExecutionMode mode) throws Exception {
        RawPeer bob = server.peer("10.0.0.3");
        Thinking proxy = new Thinking();
        server.deploy(proxy, mode);
        invite();
        invite();
        server.run(Duration.ofSeconds(1));
        be("proxy");
        assertThat(proxy.invites).hasSize(2);
        bob.request("INVITE");
        assertThat(merged()).isZero();
    }
}
