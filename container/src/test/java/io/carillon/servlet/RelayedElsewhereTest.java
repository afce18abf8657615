package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.NameAddress;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a proxy of ours passes on to a place that its sender alone has named leaves as often as it
 * came; where the dialog or the application named the place it is repeated until it is answered.
 */
class RelayedElsewhereTest {
    private static final String VICTIM = "sip:z@10.0.0.9:5060";
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String TO = "<sip:uas@y>;tag=b";

    private Server server = Server.fresh(5);
    private RawPeer alice = server.peer("10.0.0.2");
    private RawPeer bob = server.peer("10.0.0.3");
    private RawPeer victim = server.peer("10.0.0.9");
    private String route = "";

    private void call(String... fromBob) {
        server.deploy(new ProxyTest.Forwarder(), ExecutionMode.NON_BLOCKING);
        invite();
        bob.respond(bob.request("INVITE"), 200, "b", fromBob);
        SipResponse ok = alice.response(200);
        List<NameAddress> routes = ok.recordRoutes();
        route = "Route: " + routes.getLast();
        for (int i = routes.size() - 2; i >= 0; i--) {
            route += ", " + routes.get(i);
        }
        if (fromBob.length == 0) {
            alice.request("ACK sip:10.0.0.3:5060", FROM, TO, "c1", 1, route);
            bob.request("ACK");
        }
    }

    private void invite(String... more) {
        List<String> headers = new ArrayList<>(List.of(more));
        headers.add("Contact: <sip:10.0.0.2:5060>");
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                headers.toArray(String[]::new));
    }

    private void settle() {
        server.run(Duration.ofSeconds(100));
        server.assertClean();
    }

    // ---- named by the sender alone ----

    @ParameterizedTest
    @ValueSource(strings = {"INFO", "UPDATE", "NOTIFY", "BYE"})
    void aRequestInADialogToAnotherRequestUriLeavesOnce(String method) {
        call();
        alice.request(method + " " + VICTIM, FROM, TO, "c1", 2, route);
        settle();
        assertThat(victim.all).hasSize(1);
    }

    /** What could begin something there does not leave at all: {@link OpenProxyTest}. */
    @ParameterizedTest
    @ValueSource(strings = {"INVITE", "MESSAGE", "REFER"})
    void whatBeginsSomethingLeavesForNobodyElse(String method) {
        call();
        alice.request(method + " " + VICTIM, FROM, TO, "c1", 2, route);
        alice.response(403);
        settle();
        assertThat(victim.all).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"INFO", "UPDATE"})
    void neitherDoAFurtherRouteNorAnMaddrRepeatIt(String method) {
        call();
        alice.request(
                method + " sip:10.0.0.3:5060", FROM, TO, "c1", 2, route + ", <" + VICTIM + ";lr>");
        alice.request(
                method + " sip:10.0.0.3:5060", FROM, TO, "c1", 3, route + ", <" + VICTIM + ">");
        alice.request(method + " sip:10.0.0.3:5060;maddr=10.0.0.9", FROM, TO, "c1", 4, route);
        settle();
        assertThat(victim.all).hasSize(3);
    }

    @Test
    void nobodyIsTriedForOneThatDidNotAnswerIt() {
        server.network.domain(
                "many.example",
                SimulatedNetwork.address("10.0.0.9", 5060),
                SimulatedNetwork.address("10.0.0.10", 5060));
        RawPeer other = server.peer("10.0.0.10");
        call();
        alice.request("INFO sip:z@many.example", FROM, TO, "c1", 2, route);
        settle();
        assertThat(victim.all.size() + other.all.size()).isEqualTo(1);
    }

    /**
     * Nor where the caller sends as the callee: everybody can write the tags the other way round.
     */
    @Test
    void theCalleesSideMayNameNoOtherPlaceEither() {
        call();
        alice.request("INFO " + VICTIM, TO, FROM, "c1", 2, route);
        settle();
        assertThat(victim.all).hasSize(1);
    }

    /** A call that was refused, but rang before, is known until its session ends. */
    @Test
    void aCallThatWasRefusedRelaysNoMoreThanOneThatLives() {
        server.deploy(new ProxyTest.Forwarder(), ExecutionMode.NON_BLOCKING);
        invite();
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 180, "b");
        route = "Route: " + alice.response(180).recordRoutes().getFirst();
        bob.respond(invite, 486, "b");
        alice.response(486);
        alice.request("INFO " + VICTIM, FROM, TO, "c1", 2, route);
        settle();
        assertThat(victim.all.size()).isLessThanOrEqualTo(1);
    }

    /** Its session may be kept for its attributes, or be shared by a key. */
    @ParameterizedTest
    @ValueSource(strings = {"b", "b2", "b3"})
    void aRefusedCallWhoseSessionIsKeptRelaysNothing(String tag) {
        Everything keeping =
                new Everything() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected void doRequest(SipServletRequest request)
                            throws ServletException, IOException {
                        request.getSession().setInvalidateWhenReady(false);
                        request.getApplicationSession().setInvalidateWhenReady(false);
                        super.doRequest(request);
                    }
                };
        server.deploy(keeping, ExecutionMode.NON_BLOCKING);
        invite();
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 180, "b");
        bob.respond(invite, 180, "b2");
        route = "Route: " + alice.response(180).recordRoutes().getFirst();
        bob.respond(invite, 486, "b3");
        alice.response(180);
        alice.response(486);
        alice.request("INFO " + VICTIM, FROM, "<sip:uas@y>;tag=" + tag, "c1", 2, route);
        alice.response(481);
        settle();
        assertThat(victim.all).isEmpty();
    }

    /** RFC 3261 16.6 keeps the Route values of others: so whoever wrote them names the next hop. */
    @ParameterizedTest
    @ValueSource(strings = {"INVITE", "MESSAGE", "OPTIONS"})
    void anInitialRequestWithARouteOfItsOwnLeavesOnce(String method) {
        server.deploy(new Everything(), ExecutionMode.NON_BLOCKING);
        alice.request(
                method + " sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>",
                "Route: <sip:10.0.0.1:5060;lr>, <" + VICTIM + ";lr>");
        settle();
        assertThat(victim.all).hasSize(1);
    }

    // ---- ACK ----

    @Test
    void anAckThatHasTheTagsOfADialogAndNothingElseGoesNowhere() {
        call();
        long strays = server.container.status().strays();
        alice.request("ACK " + VICTIM, FROM, TO, "c1", 1);
        alice.request("ACK sip:10.0.0.3:5060", FROM, TO, "c1", 1, "Route: <" + VICTIM + ";lr>");
        alice.request("ACK " + VICTIM, FROM, TO, "c1", 1, "Route: <sip:10.0.0.1:5060;lr>");
        settle();
        assertThat(victim.all).isEmpty();
        assertThat(server.container.status().strays()).isEqualTo(strays + 3);
    }

    /** RFC 3261 16.11: by the route that we recorded in this very call it leaves as it came. */
    @Test
    void rfc3261_16_11_anAckByOurRecordRouteLeavesOneForOne() {
        call();
        alice.request("ACK " + VICTIM, FROM, TO, "c1", 1, route);
        settle();
        assertThat(victim.all).hasSize(1);
    }

    /** The callee gave our own address for his. */
    @Test
    void anAckThatComesBackToUsIsNotSentToUsAgain() {
        call("Contact: <sip:10.0.0.1:5060>");
        int[] toUs = new int[1];
        server.network.tap((at, fate, transport, from, to, bytes) -> {
            if (fate == SimulatedNetwork.Fate.SENT && from.equals(to)) {
                toUs[0]++;
            }
        });
        alice.request("ACK sip:10.0.0.1:5060", FROM, TO, "c1", 1, route);
        settle();
        assertThat(toUs[0]).isEqualTo(1);
    }

    /** A caller that keeps no route set names its peer, or us. */
    @ParameterizedTest
    @ValueSource(strings = {"sip:10.0.0.3:5060", "sip:bob@10.0.0.3", "sip:10.0.0.1:5060"})
    void anAckToThePeerNeedsNoRoute(String target) {
        call();
        alice.request("ACK " + target, FROM, TO, "c1", 1);
        assertThat(bob.request("ACK").callId()).isEqualTo("c1");
    }

    // ---- named by the dialog ----

    private void assertRepeated(RawPeer peer, String method, int before) {
        settle();
        assertThat(peer.requests(method) - before).isEqualTo(method.equals("INVITE") ? 7 : 11);
    }

    @ParameterizedTest
    @ValueSource(strings = {"INFO", "BYE", "INVITE"})
    void rfc3261_17_1_whatGoesToThePeerIsRepeated(String method) {
        call();
        int before = method.equals("INVITE") ? 1 : 0;
        alice.request(method + " sip:10.0.0.3:5060", FROM, TO, "c1", 2, route);
        assertRepeated(bob, method, before);
    }

    @Test
    void rfc3261_17_1_whatGoesToACallerWhoHasAnsweredIsRepeated() {
        call();
        bob.request("INFO sip:10.0.0.2:5060", TO, FROM, "c1", 1, route);
        alice.respond(alice.request("INFO"), 200, "");
        bob.response(200);
        bob.request("BYE sip:10.0.0.2:5060", TO, FROM, "c1", 2, route);
        assertRepeated(alice, "BYE", 0);
    }

    /** Whose source the INVITE had need not know of the call: the callee knows both tags. */
    @ParameterizedTest
    @ValueSource(strings = {"INFO", "BYE", "INVITE"})
    void theSourceOfADatagramIsNobodyWhoWasHeard(String method) {
        call();
        for (int i = 1; i <= 3; i++) {
            bob.request(method + " sip:10.0.0.2:5060", TO, FROM, "c1", i, route);
        }
        // What a forger can write is no proof either.
        alice.request("ACK sip:10.0.0.3:5060", FROM, TO, "c1", 1, route);
        settle();
        assertThat(alice.requests(method)).isEqualTo(3);
    }

    @Test
    void norIsItThatOfASecondAnswerToTheSameInvite() {
        server.deploy(new ProxyTest.Forwarder(), ExecutionMode.NON_BLOCKING);
        invite();
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b");
        bob.respond(invite, 200, "b2");
        route = "Route: " + alice.response(200).recordRoutes().getFirst();
        String second = "<sip:uas@y>;tag=b2";
        bob.request("INFO sip:10.0.0.2:5060", second, FROM, "c1", 1, route);
        settle();
        assertThat(alice.requests("INFO")).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(
            value = Transport.class,
            names = {"TCP", "TLS", "WS"})
    void aCallerWithAConnectionWasHeardAtItsAddress(Transport transport) {
        alice.over(transport);
        call();
        bob.request("BYE sip:10.0.0.2:5060", TO, FROM, "c1", 1, route);
        assertRepeated(alice, "BYE", 0);
    }

    @Test
    void aCallerWhomTheOperatorTrustsWasHeardWhereItsInviteCameFrom() {
        trusting("10.0.0.2");
        call();
        bob.request("BYE sip:10.0.0.2:5060", TO, FROM, "c1", 1, route);
        assertRepeated(alice, "BYE", 0);
    }

    /** Who writes a Contact need not be there. */
    @Test
    void whatGoesToAContactThatNobodyWasHeardAtLeavesOnce() {
        server.deploy(new ProxyTest.Forwarder(), ExecutionMode.NON_BLOCKING);
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <" + VICTIM + ">");
        bob.respond(bob.request("INVITE"), 200, "b");
        route = "Route: " + alice.response(200).recordRoutes().getFirst();
        alice.request("ACK sip:10.0.0.3:5060", FROM, TO, "c1", 1, route);
        // The tags may be written the other way round by everybody.
        alice.request("INFO " + VICTIM, TO, FROM, "c1", 7, route);
        alice.request("INVITE " + VICTIM, TO, FROM, "c1", 8, route);
        alice.request("INFO sip:10.0.0.1:5060", TO, FROM, "c1", 9, route);
        settle();
        assertThat(victim.all).hasSize(3);
    }

    @Test
    void norDoesANameThatLeadsThereRepeatIt() {
        server.network.domain("victim.example", SimulatedNetwork.address("10.0.0.9", 5060));
        call("Contact: <sip:z@victim.example>");
        alice.request("INFO sip:z@victim.example", FROM, TO, "c1", 2, route);
        settle();
        assertThat(victim.all).hasSize(1);
    }

    /** As without us: who sent it repeats it. */
    @Test
    void itLeavesAgainWhenItComesAgain() {
        call();
        String info = alice.text("INFO " + VICTIM, "z9hG4bKagain", FROM, TO, "c1", 2, route);
        for (int i = 0; i < 3; i++) {
            alice.send(info);
            server.run(Duration.ofSeconds(1));
        }
        assertThat(victim.all).hasSize(3);
        assertThat(victim.all)
                .extracting(m -> m.topVia().branch())
                .containsOnly(victim.all.getFirst().topVia().branch());
        victim.respond((SipRequest) victim.all.getFirst(), 200, "");
        alice.response(200);
        alice.send(info);
        settle();
        assertThat(victim.all).as("answered here from then on").hasSize(3);
    }

    @Test
    void rfc3261_12_2_whatGoesToARefreshedTargetIsRepeatedOnceThatHasAnswered() {
        call();
        RawPeer moved = server.peer("10.0.0.4");
        // A datagram, which may be forged, leads to no other host.
        alice.over(Transport.TCP);
        alice.request(
                "UPDATE sip:10.0.0.3:5060",
                FROM,
                TO,
                "c1",
                2,
                route,
                "Contact: <sip:10.0.0.4:5060>");
        bob.respond(bob.request("UPDATE"), 200, "");
        alice.response(200);
        bob.request("INFO sip:10.0.0.4:5060", TO, FROM, "c1", 1, route);
        settle();
        assertThat(moved.all).hasSize(1);
        bob.request("INFO sip:10.0.0.4:5060", TO, FROM, "c1", 2, route);
        moved.request("INFO");
        moved.respond(moved.request("INFO"), 200, "");
        server.run(Duration.ofSeconds(10));
        bob.request("BYE sip:10.0.0.4:5060", TO, FROM, "c1", 3, route);
        assertRepeated(moved, "BYE", 0);
    }

    @Test
    void whatGoesByTheRouteSetBehindUsIsRepeated() {
        server.deploy(new ProxyTest.Forwarder(), ExecutionMode.NON_BLOCKING);
        invite();
        SipRequest invite = bob.request("INVITE");
        bob.send(recorded(invite));
        SipResponse ok = alice.response(200);
        assertThat(ok.recordRoutes()).hasSize(2);
        route = "Route: " + ok.recordRoutes().getLast() + ", <sip:10.0.0.3:5060;lr>";
        alice.request("INFO sip:bob@192.168.0.3", FROM, TO, "c1", 2, route);
        assertRepeated(bob, "INFO", 0);
    }

    /** The answer of a callee behind another proxy, which has recorded its route above ours. */
    private static String recorded(SipRequest invite) {
        return "SIP/2.0 200 OK\nVia: "
                + invite.vias().get(0)
                + "\nVia: "
                + invite.vias().get(1)
                + "\nFrom: "
                + invite.from()
                + "\nTo: "
                + invite.to()
                + ";tag=b\nCall-ID: c1\nCSeq: 1 INVITE\nContact: <sip:bob@192.168.0.3>\n"
                + "Record-Route: <sip:10.0.0.3:5060;lr>\nRecord-Route: "
                + invite.recordRoutes().getFirst()
                + "\nContent-Length: 0\n\n";
    }

    // ---- named by the application ----

    /** Sends on whatever comes, and in a dialog to where it is told. */
    private static class Everything extends SipServlet {
        private static final long serialVersionUID = 1L;

        final transient List<String> inDialog = new ArrayList<>();

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            if (request.isInitial()) {
                request.getProxy().setRecordRoute(true);
                request.getProxy().proxyTo(factory.createURI("sip:uas@10.0.0.3:5060"));
            } else if (!inDialog.isEmpty()) {
                request.setRequestURI(factory.createURI(inDialog.getFirst()));
            }
        }
    }

    @Test
    void whereTheApplicationSendsARequestInADialogItIsRepeated() {
        Everything application = new Everything();
        application.inDialog.add("sip:elsewhere@10.0.0.9:5060");
        server.deploy(application, ExecutionMode.NON_BLOCKING);
        invite();
        bob.respond(bob.request("INVITE"), 200, "b");
        route = "Route: " + alice.response(200).recordRoutes().getFirst();
        alice.request("INFO sip:gruu@10.0.0.1", FROM, TO, "c1", 2, route);
        assertRepeated(victim, "INFO", 0);
    }

    @Test
    void aRouteThatTheApplicationPushesIsItsOwn() {
        server.deploy(
                new Everything() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected void doRequest(SipServletRequest request)
                            throws ServletException, IOException {
                        if (request.isInitial()) {
                            SipFactory factory =
                                    (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                            request.pushRoute(factory.createAddress("<" + VICTIM + ";lr>"));
                        }
                        super.doRequest(request);
                    }
                },
                ExecutionMode.NON_BLOCKING);
        invite();
        assertRepeated(victim, "INVITE", 0);
    }

    // ---- named by whom the operator trusts ----

    /** Trusts one address, as guard.trusted does. */
    private record Trusting(String host) implements PeerConduct {
        @Override
        public boolean admits(SipRequest initial, Hop from, long nowNanos) {
            return true;
        }

        @Override
        public void failed(Failure how, Hop from, boolean proven, long nowNanos) {}

        @Override
        public void proven(Hop from, long nowNanos) {}

        @Override
        public boolean trusts(Hop from) {
            return from.remote().getAddress().getHostAddress().equals(host);
        }
    }

    private void trusting(String host) {
        server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 5),
                        "10.0.0.1",
                        1,
                        5,
                        new RoundTripStore(),
                        StackConfig.builder().conduct(new Trusting(host)).build(),
                        ContainerConfig.defaults());
        alice = server.peer("10.0.0.2");
        bob = server.peer("10.0.0.3");
        victim = server.peer("10.0.0.9");
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void theRouteOfATrustedProxyIsFollowedAsOurOwn(ExecutionMode mode) {
        trusting("10.0.0.2");
        server.deploy(new Everything(), mode);
        invite("Route: <sip:10.0.0.1:5060;lr>, <" + VICTIM + ";lr>");
        assertRepeated(victim, "INVITE", 0);
    }
}
