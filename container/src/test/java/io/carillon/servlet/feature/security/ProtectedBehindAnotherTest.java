package io.carillon.servlet.feature.security;

import static io.carillon.servlet.feature.security.Guard.answer;
import static io.carillon.servlet.feature.security.Guard.challenged;
import static io.carillon.servlet.feature.security.Guard.constraint;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An application that asks for credentials, behind one on the same call that does not. */
class ProtectedBehindAnotherTest {
    private static final String BOB = "sip:bob@10.0.0.3:5060";
    private static final String ALICE = "<sip:alice@x>;tag=a";
    private static final String CALLEE = "<sip:bob@y>;tag=b";

    private static final class Relay extends SipServlet {
        private static final long serialVersionUID = 1L;
        final transient List<String> served = new ArrayList<>();

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            served.add(request.getMethod() + " " + request.getRemoteUser());
            if (request.isInitial() && !request.getMethod().equals("CANCEL")) {
                Proxy proxy = request.getProxy();
                proxy.setRecordRoute(true);
                proxy.proxyTo(request.getRequestURI());
            }
        }
    }

    private final List<String> heard = new ArrayList<>();

    private final PeerConduct conduct =
            new PeerConduct() {
                @Override
                public boolean admits(SipRequest initial, Hop from, long nowNanos) {
                    return true;
                }

                @Override
                public void failed(Failure how, Hop from, boolean proven, long nowNanos) {
                    heard.add(how + " " + from.remoteHost() + (proven ? " proven" : ""));
                }

                @Override
                public void proven(Hop from, long nowNanos) {
                    heard.add("proven " + from.remoteHost());
                }
            };

    @TempDir private Path folder;
    private final Relay guarded = new Relay();
    private Server server = Server.fresh(9);
    private RawPeer alice = server.peer("10.0.0.2");
    private RawPeer bob = server.peer("10.0.0.3");
    private String ofCaller = "";

    @BeforeEach
    void deploy() throws Exception {
        Path dar = folder.resolve("carillon.dar");
        Files.writeString(
                dar,
                "INVITE: (\"first\", \"DAR:From\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"0\"),"
                        + " (\"second\", \"DAR:From\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"1\")\n");
        server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 1),
                        "10.0.0.1",
                        1,
                        1,
                        new RoundTripStore(),
                        StackConfig.builder().conduct(conduct).build(),
                        ContainerConfig.defaults().withRouter(new RouterConfig(dar, null)));
        alice = server.peer("10.0.0.2");
        bob = server.peer("10.0.0.3");
        server.container.security().users().store(Guard::find);
        server.container.deploy(
                ApplicationDescription.builder("first")
                        .servlet("main", Relay::new)
                        .execution(ExecutionMode.NON_BLOCKING)
                        .build());
        server.container.deploy(
                Guard.application(
                        "second",
                        ExecutionMode.NON_BLOCKING,
                        guarded,
                        constraint(Set.of("*"), "INVITE", "MESSAGE", "INFO", "REFER", "OPTIONS")));
    }

    /** By TCP, as a datagram proves less. */
    private void call() {
        alice.over(Transport.TCP);
        String contact = "Contact: <sip:alice@10.0.0.2:5060;transport=tcp>";
        alice.request("INVITE " + BOB, ALICE, "<sip:bob@y>", "c1", 1, contact);
        String mine = answer(challenged(alice, "alice"), "INVITE", BOB);
        alice.request("INVITE " + BOB, ALICE, "<sip:bob@y>", "c1", 2, contact, mine);
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b", "Contact: <" + BOB + ">");
        StringBuilder routes = new StringBuilder("Route: ");
        alice.response(200)
                .recordRoutes()
                .reversed()
                .forEach(route -> routes.append(route).append(", "));
        ofCaller = routes.substring(0, routes.length() - 2);
        alice.request("ACK " + BOB, ALICE, CALLEE, "c1", 2, ofCaller);
        bob.request("ACK");
        guarded.served.clear();
    }

    /** RFC 7616 5.12: whoever guesses is counted, and the first application is not him. */
    @ParameterizedTest
    @EnumSource(names = {"UDP", "TCP"})
    void aWrongPasswordIsHeldAgainstWhoHasSentIt(Transport transport) {
        alice.over(transport);
        String contact = "Contact: <sip:alice@10.0.0.2:5060>";
        alice.request("INVITE " + BOB, ALICE, "<sip:bob@y>", "c1", 1, contact);
        DigestClient client = challenged(alice, "alice", "guess");
        String wrong = answer(client, "INVITE", BOB);
        alice.request("INVITE " + BOB, ALICE, "<sip:bob@y>", "c1", 2, contact, wrong);
        String mine = answer(challenged(alice, "alice"), "INVITE", BOB);
        assertThat(heard).containsExactly("WRONG_CREDENTIALS 10.0.0.2 proven");
        alice.request("INVITE " + BOB, ALICE, "<sip:bob@y>", "c1", 3, contact, mine);
        bob.request("INVITE");
        assertThat(heard).last().isEqualTo("proven 10.0.0.2");
    }

    /** Over UDP a challenge is answered from the address that it was sent to. */
    @Test
    void aChallengeOfSomebodyElseIsAskedAnew() {
        String contact = "Contact: <sip:alice@10.0.0.2:5060>";
        bob.request("INVITE " + BOB, ALICE, "<sip:bob@y>", "c0", 1, contact);
        String ofBob = answer(challenged(bob, "alice"), "INVITE", BOB);
        alice.request("INVITE " + BOB, ALICE, "<sip:bob@y>", "c1", 1, contact, ofBob);
        assertThat(alice.response(401).header(HeaderName.WWW_AUTHENTICATE)).contains("stale=true");
        assertThat(heard).isEmpty();
    }

    /** He was shown both tags and the routes. */
    @ParameterizedTest
    @ValueSource(strings = {"MESSAGE", "INFO", "REFER", "INVITE", "OPTIONS"})
    void theCallersTagIsNoProofWhereTheCalleeHasIt(String method) {
        call();
        bob.request(method + " " + BOB, ALICE, CALLEE, "c1", 70, ofCaller);
        bob.response(401);
        assertThat(guarded.served).isEmpty();
    }

    @Test
    void theCallerIsKnownAgainWhereHisCallCameFrom() {
        call();
        alice.request("MESSAGE " + BOB, ALICE, CALLEE, "c1", 3, ofCaller);
        bob.respond(bob.request("MESSAGE"), 200, "");
        alice.response(200);
        assertThat(guarded.served).containsExactly("MESSAGE alice");
    }

    /** Each of the two knows one end best: neither leads anywhere else. */
    @ParameterizedTest
    @ValueSource(strings = {"UPDATE", "NOTIFY"})
    void noEndMovesTheOtherPastBoth(String method) {
        call();
        bob.request(
                method + " " + BOB,
                ALICE,
                CALLEE,
                "c1",
                70,
                ofCaller,
                "Contact: <sip:v@10.0.0.9:5060>");
        bob.respond(bob.request(method), 200, "");
        bob.response(200);
        RawPeer third = server.peer("10.0.0.9");
        for (String route : ofCaller.substring("Route: ".length()).split(", ")) {
            bob.request(
                    "SUBSCRIBE sip:v@10.0.0.9:5060", CALLEE, ALICE, "c1", 71, "Route: " + route);
            bob.response(403);
        }
        assertThat(third.all).isEmpty();
    }
}
