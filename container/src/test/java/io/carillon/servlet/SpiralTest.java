package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipResponse;
import io.carillon.testkit.SimulatedNetwork;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A request that comes back to the proxy that has sent it, with another Request-URI: no loop, but
 * where each copy forks again they have a bound together (RFC 5393 5).
 */
class SpiralTest {
    /** What a registrar does whose user has registered that many contacts at himself. */
    private static final class AtItself extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final int contacts;
        private final boolean parallel;

        AtItself(int contacts, boolean parallel) {
            this.contacts = contacts;
            this.parallel = parallel;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws IOException, ServletException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            List<URI> targets = new ArrayList<>();
            for (int i = 0; i < contacts; i++) {
                targets.add(factory.createURI("sip:phone@10.0.0.1:5060;v=" + i));
            }
            request.getProxy().setParallel(parallel);
            request.getProxy().proxyTo(targets);
        }
    }

    /**
     * user0 is at user1, that one at user2, and so on; the last one is at a phone, or at a desk.
     */
    private static final class Forwarding extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final int users;

        Forwarding(int users) {
            this.users = users;
        }

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException, ServletException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            String uri = invite.getRequestURI().toString();
            int user = Integer.parseInt(uri.substring("sip:user".length(), uri.indexOf('@')));
            List<URI> targets = new ArrayList<>();
            if (user < users) {
                targets.add(factory.createURI("sip:user" + (user + 1) + "@10.0.0.1:5060"));
            } else {
                targets.add(factory.createURI("sip:phone@10.0.0.3"));
                targets.add(factory.createURI("sip:desk@10.0.0.3"));
            }
            invite.getProxy().proxyTo(targets);
        }
    }

    private final Server server = Server.fresh(9);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private final int[] sent = new int[1];

    private void send(String method, String user) {
        server.network.tap((at, fate, transport, from, to, bytes) -> {
            if (fate == SimulatedNetwork.Fate.SENT && bytes[0] == method.charAt(0)) {
                sent[0]++;
            }
        });
        alice.request(
                method + " sip:" + user + "@10.0.0.1:5060",
                "<sip:a@x>;tag=a",
                "<sip:phone@x>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
    }

    /** Without a bound five contacts make 1,631 requests, and twelve fill the heap. */
    @ParameterizedTest
    @ValueSource(strings = {"INVITE", "OPTIONS"})
    void rfc5393_5_3_allCopiesOfARequestThatComesBackHaveOneBound(String method) {
        server.deploy(new AtItself(12, true), ExecutionMode.NON_BLOCKING);
        send(method, "phone");
        server.run(Duration.ofSeconds(200));
        assertThat(sent[0]).isBetween(12, 1000);
        assertThat(finals()).hasSize(1);
        server.run(Duration.ofMinutes(5));
        server.assertEmpty();
    }

    @Test
    void targetsOneAfterTheOtherHaveItToo() {
        server.deploy(new AtItself(6, false), ExecutionMode.NON_BLOCKING);
        send("OPTIONS", "phone");
        server.run(Duration.ofSeconds(200));
        assertThat(sent[0]).isBetween(6, 2000);
        assertThat(finals()).hasSize(1);
        server.run(Duration.ofMinutes(5));
        server.assertEmpty();
    }

    private List<Integer> finals() {
        List<Integer> finals = new ArrayList<>();
        for (SipMessage message : alice.all) {
            if (message instanceof SipResponse response && response.status() >= 200) {
                finals.add(response.status());
            }
        }
        return finals;
    }

    /** RFC 3261 6: a spiral "is not an error condition". */
    @Test
    void rfc3261_6_aCallThatIsForwardedSixTimesArrivesAndForksThere() {
        server.deploy(new Forwarding(6), ExecutionMode.NON_BLOCKING);
        send("INVITE", "user0");
        bob.respond(bob.request("INVITE"), 180, "p");
        bob.respond(bob.request("INVITE"), 200, "d");
        alice.response(180);
        alice.response(200);
    }

    @Test
    void rfc3261_21_4_20_oneThatIsForwardedWithoutEndIsDetected() {
        server.deploy(new Forwarding(60), ExecutionMode.NON_BLOCKING);
        send("INVITE", "user0");
        alice.response(482);
        assertThat(sent[0]).isLessThan(15);
    }
}
