package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests within dialogs that go through: with a proxy of ours, and with nobody here at all. */
class PassingRequestsTest {
    private static final String CALLER = "<sip:a@10.0.0.2>;tag=a";
    private static final String CALLEE = "<sip:b@y>;tag=b";
    private static final String BOB = "sip:b@10.0.0.3:5060";

    private RawPeer alice;
    private RawPeer bob;

    private Server server(int noApplication) {
        ContainerConfig usual = ContainerConfig.defaults();
        Server server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 3),
                        "10.0.0.1",
                        1,
                        3,
                        new RoundTripStore(),
                        StackConfig.DEFAULT,
                        new ContainerConfig(
                                usual.maxSessions(),
                                noApplication,
                                usual.contextParams(),
                                usual.router(),
                                usual.millis(),
                                usual.random(),
                                usual.listeningPoints(),
                                usual.workFolder()));
        alice = server.peer("10.0.0.2");
        bob = server.peer("10.0.0.3");
        return server;
    }

    /** RFC 3261 16.11, 12.2.2: the 481 is for the callee to say, whose dialog it is. */
    @Test
    void rfc3261_16_4_whatIsAddressedElsewhereIsRoutedOn() {
        Server server = server(0);
        alice.request("BYE " + BOB, CALLER, CALLEE, "c1", 2);
        SipRequest bye = bob.request("BYE");
        assertThat(bye.vias()).hasSize(2);
        bob.respond(bye, 200, "");
        alice.response(200);
        alice.request("ACK " + BOB, CALLER, CALLEE, "c2", 1);
        assertThat(bob.request("ACK").callId()).isEqualTo("c2");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @Test
    void whatIsForUsIsNot() {
        Server server = server(0);
        alice.request("BYE sip:b@10.0.0.1", CALLER, CALLEE, "c1", 2);
        alice.response(481);
        alice.request("BYE " + BOB, CALLER, CALLEE, "c2", 2, "Route: <sip:10.0.0.1;lr>");
        alice.response(481);
        assertThat(bob.all).isEmpty();
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @Test
    void rfc3261_12_2_2_withoutRouteOnItIs481() {
        Server server = server(404);
        alice.request("BYE " + BOB, CALLER, CALLEE, "c1", 2);
        alice.response(481);
        alice.request("ACK " + BOB, CALLER, CALLEE, "c1", 1);
        server.run(Duration.ofSeconds(40));
        assertThat(bob.all).isEmpty();
        server.assertEmpty();
    }

    /** Proxies all, and asks for the Proxy without making one. */
    private static final class Asking extends SipServlet {
        final List<String> seen = new ArrayList<>();

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            Proxy known = request.getMethod().equals("ACK") ? null : request.getProxy(false);
            if (request.isInitial()) {
                assertThat(known).isNull();
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                request.getProxy().setRecordRoute(true);
                request.getProxy().proxyTo(factory.createURI(BOB));
            } else if (known != null) {
                assertThat(known.getOriginalRequest()).isSameAs(request);
                assertThat(request.getProxy()).isSameAs(known);
                seen.add(request.getMethod());
            }
        }
    }

    /** JSR 289 10: the proxy of a dialog proxies its later requests, each with its own Proxy. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aLaterRequestOfAProxiedDialogHasItsProxy(ExecutionMode mode) {
        Asking asking = new Asking();
        Server server = server(404).deploy(asking, mode);
        alice.request(
                "INVITE sip:b@10.0.0.1",
                CALLER,
                "<sip:b@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b");
        alice.response(200);
        String route = "Route: " + invite.recordRoutes().getFirst();
        alice.request("ACK " + BOB, CALLER, CALLEE, "c1", 1, route);
        bob.request("ACK");
        alice.request("INFO " + BOB, CALLER, CALLEE, "c1", 2, route);
        bob.respond(bob.request("INFO"), 200, "");
        alice.response(200);
        alice.request("BYE " + BOB, CALLER, CALLEE, "c1", 3, route);
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        assertThat(asking.seen).containsExactly("INFO", "BYE");
        server.run(Duration.ofSeconds(70));
        server.assertEmpty();
    }
}
