package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.testkit.SimulatedNetwork;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A back-to-back user agent whose target, under whatever name, is the server itself. */
class OwnLoopTest {
    /** Sends each call on to where it was addressed. */
    private static class Onward extends Bridge {
        Onward() {
            super("");
        }

        @Override
        protected String target(SipServletRequest request) {
            return request.getRequestURI().toString();
        }
    }

    private static final String FROM = "<sip:a@x>;tag=a";
    private final int[] invites = new int[1];

    private Server server() {
        Server server = Server.fresh(9);
        server.network.domain("us.example", SimulatedNetwork.address("10.0.0.1", 5060));
        server.network.tap((at, fate, transport, from, to, bytes) -> {
            if (fate == SimulatedNetwork.Fate.SENT && bytes[0] == 'I' && bytes[1] == 'N') {
                invites[0]++;
            }
        });
        return server;
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_16_3_aCallThatComesBackForTheSameTargetGets482(ExecutionMode mode) {
        Server server = server().deploy(new Onward(), mode);
        RawPeer alice = server.peer("10.0.0.2");
        alice.request(
                "INVITE sip:bob@us.example:5060",
                FROM,
                "<sip:bob@us.example>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        alice.response(482);
        server.run(Duration.ofSeconds(70));
        assertThat(invites[0]).isEqualTo(2);
        server.assertEmpty();
        assertThat(server.node.leftovers()).isEmpty();
    }

    /** RFC 5393 4.2: a request that differs in what decides where it goes has not looped. */
    @Test
    void aCallThatComesBackFromAnotherCallerGoesOn() {
        Onward renames =
                new Onward() {
                    @Override
                    protected Map<String, List<String>> headers(SipServletRequest request) {
                        boolean renamed = request.getFrom().getURI().toString().contains("desk");
                        return renamed ? Map.of() : Map.of("From", List.of("<sip:desk@x>"));
                    }

                    @Override
                    protected String target(SipServletRequest request) {
                        boolean renamed = request.getFrom().getURI().toString().contains("desk");
                        return renamed ? "sip:bob@10.0.0.3:5060" : super.target(request);
                    }
                };
        Server server = server().deploy(renames, ExecutionMode.NON_BLOCKING);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        alice.request(
                "INVITE sip:bob@us.example:5060",
                FROM,
                "<sip:bob@us.example>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        bob.respond(bob.request("INVITE"), 486, "busy");
        alice.response(486);
        assertThat(invites[0]).isEqualTo(3);
    }

    /** Another target at ourselves is another call: how many there may be Max-Forwards says. */
    @Test
    void aCallThatComesBackForAnotherTargetGoesOn() {
        Bridge twice =
                new Bridge("") {
                    @Override
                    protected String target(SipServletRequest request) {
                        return request.getRequestURI().toString().contains("bob")
                                ? "sip:carol@us.example:5060"
                                : "sip:carol@10.0.0.3:5060";
                    }
                };
        Server server = server().deploy(twice, ExecutionMode.NON_BLOCKING);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer carol = server.peer("10.0.0.3");
        alice.request(
                "INVITE sip:bob@us.example:5060",
                FROM,
                "<sip:bob@us.example>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        carol.respond(carol.request("INVITE"), 486, "busy");
        alice.response(486);
        assertThat(invites[0]).isEqualTo(3);
    }
}
