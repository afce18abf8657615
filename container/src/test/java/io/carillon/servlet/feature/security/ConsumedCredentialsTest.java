package io.carillon.servlet.feature.security;

import static io.carillon.servlet.feature.security.Guard.answer;
import static io.carillon.servlet.feature.security.Guard.challenged;
import static io.carillon.servlet.feature.security.Guard.constraint;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.config.RouterConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
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
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Credentials for us stay here; those for others go on as they are (RFC 3261 22.3). */
class ConsumedCredentialsTest {
    private static final String BOB = "sip:bob@10.0.0.3:5060";
    private static final String ALICE = "<sip:alice@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    /** For another realm, as a client sends it that has been asked there. */
    private static final String OTHER =
            "Digest username=\"alice\", realm=\"elsewhere\", nonce=\"n\", uri=\""
                    + BOB
                    + "\","
                    + " response=\"6629fae49393a05397450978507c4ef1\"";

    private static final class Relay extends SipServlet {
        private static final long serialVersionUID = 1L;
        final transient List<String> served = new ArrayList<>();
        String target = BOB;

        /** Where what is not addressed to carol goes before. */
        String first = "";

        String header = "";
        boolean othersTargets;

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            served.add(
                    header.isEmpty()
                            ? request.getMethod() + " " + request.getRemoteUser()
                            : request.getHeader(header));
            if (request.isInitial() && !request.getMethod().equals("CANCEL")) {
                Proxy proxy = request.getProxy();
                proxy.setRecordRoute(true);
                proxy.setRecurse(true);
                request.setAttribute("io.carillon.targets-of-others", othersTargets);
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                boolean before =
                        !first.isEmpty() && !request.getRequestURI().toString().contains("carol");
                proxy.proxyTo(factory.createURI(before ? first : target));
            }
        }
    }

    @TempDir Path folder;
    private Server server = Server.fresh(9);
    private RawPeer alice = server.peer("10.0.0.2");
    private RawPeer bob = server.peer("10.0.0.3");
    private int cseq;

    @BeforeEach
    void users() {
        server.container.security().users().store(Guard::find);
    }

    private void deploy(String name, ExecutionMode mode, SipServlet servlet, String... methods)
            throws Exception {
        server.container.deploy(
                Guard.application(name, mode, servlet, constraint(Set.of("*"), methods)));
    }

    private void send(String method, String... headers) {
        alice.request(method + " " + BOB, ALICE, "<sip:bob@y>", "c1", ++cseq, headers);
    }

    /** An INVITE of Alice with her credentials, and with others. */
    private String invite() {
        send("INVITE", CONTACT);
        String mine = answer(challenged(alice, "alice"), "INVITE", BOB);
        send("INVITE", CONTACT, mine, "Authorization: " + OTHER, "Proxy-Authorization: " + OTHER);
        return mine;
    }

    private static void assertOthersOnly(SipRequest request) {
        assertThat(request.headers(HeaderName.AUTHORIZATION)).containsExactly(OTHER);
        assertThat(request.headers(HeaderName.PROXY_AUTHORIZATION)).containsExactly(OTHER);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aBackToBackUserAgentKeepsThem(ExecutionMode mode) throws Exception {
        deploy("test", mode, new Bridge(BOB), "INVITE");
        invite();
        SipRequest leg = bob.request("INVITE");
        assertOthersOnly(leg);
        bob.respond(leg, 200, "b");
        alice.response(200);
        alice.request("ACK " + BOB, ALICE, "<sip:bob@y>;tag=" + tag(), "c1", cseq);
        assertOthersOnly(bob.request("ACK"));
    }

    private String tag() {
        return alice.all.stream()
                .filter(m -> m instanceof SipResponse r && r.status() == 200)
                .map(m -> ((SipResponse) m).toTag())
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aProxyKeepsThemWhereverItForwards(ExecutionMode mode) throws Exception {
        RawPeer carol = server.peer("10.0.0.4");
        deploy("test", mode, new Relay(), "INVITE");
        String mine = invite();
        SipRequest first = bob.request("INVITE");
        assertOthersOnly(first);
        bob.respond302(first, "sip:carol@10.0.0.4:5060");
        SipRequest redirected = carol.request("INVITE");
        assertOthersOnly(redirected);
        carol.respond(redirected, 200, "c");
        alice.response(200);
        // RFC 3261 22.1: the ACK has the credentials of its INVITE.
        alice.request(
                "ACK sip:10.0.0.4:5060",
                ALICE,
                "<sip:bob@y>;tag=c",
                "c1",
                cseq,
                "Route: " + redirected.recordRoutes().getFirst(),
                mine,
                "Authorization: " + OTHER,
                "Proxy-Authorization: " + OTHER);
        assertOthersOnly(carol.request("ACK"));
        alice.request(
                "INFO sip:10.0.0.4:5060",
                ALICE,
                "<sip:bob@y>;tag=c",
                "c1",
                cseq + 1,
                "Route: " + redirected.recordRoutes().getFirst(),
                mine,
                "Authorization: " + OTHER,
                "Proxy-Authorization: " + OTHER);
        assertOthersOnly(carol.request("INFO"));
    }

    /** Clients send what they know of a realm, asked or not: it could be used here first. */
    @Test
    void thoseThatNobodyLookedAtDoNotLeaveEither() throws Exception {
        Relay relay = new Relay();
        deploy("test", ExecutionMode.NON_BLOCKING, relay, "INVITE");
        send("INVITE", CONTACT);
        String unused = answer(challenged(alice, "alice"), "INVITE", BOB);
        send("MESSAGE", unused, "Authorization: " + OTHER, "Proxy-Authorization: " + OTHER);
        assertOthersOnly(bob.request("MESSAGE"));
        assertThat(relay.served).containsExactly("MESSAGE null");
    }

    /** They were used up by the first application that asked; the others believe it. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void applicationsOnOneCallAskOnce(ExecutionMode mode) throws Exception {
        chain("one", "two", "three");
        Relay one = new Relay();
        Relay three = new Relay();
        deploy("one", mode, one, "INVITE");
        deploy("two", mode, new Bridge(BOB), "INVITE");
        deploy("three", mode, three, "INVITE");
        invite();
        assertOthersOnly(bob.request("INVITE"));
        assertThat(one.served).containsExactly("INVITE alice");
        assertThat(three.served).containsExactly("INVITE alice");
        assertThat(alice.responses(401)).isEqualTo(1);
    }

    /** Behind one that does not ask, and that changes the Request-URI. */
    @Test
    void anApplicationBehindOthersComparesTheUriThatCameIn() throws Exception {
        chain("one", "two");
        Relay one = new Relay();
        one.target = "sip:carol@10.0.0.3";
        server.container.deploy(Guard.application("one", ExecutionMode.BLOCKING, one));
        Relay two = new Relay();
        deploy("two", ExecutionMode.BLOCKING, two, "INVITE");
        invite();
        assertOthersOnly(bob.request("INVITE"));
        assertThat(two.served).containsExactly("INVITE alice");
    }

    /**
     * By the wire to ourselves: nobody else sees them, and who asks next has to be answered too.
     */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aProxyWhoseTargetIsThisServerIsAskedForOnce(ExecutionMode mode) throws Exception {
        Relay relay = new Relay();
        relay.first = "sip:carol@10.0.0.1:5060";
        deploy("test", mode, relay, "INVITE");
        invite();
        assertOthersOnly(bob.request("INVITE"));
        assertThat(relay.served).containsExactly("INVITE alice", "INVITE alice");
        assertThat(alice.responses(401)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void soIsABackToBackUserAgent(ExecutionMode mode) throws Exception {
        List<String> served = new ArrayList<>();
        Bridge twice =
                new Bridge("") {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected String target(SipServletRequest request) {
                        served.add(request.getMethod() + " " + request.getRemoteUser());
                        return request.getRequestURI().toString().contains("carol")
                                ? BOB
                                : "sip:carol@10.0.0.1:5060";
                    }
                };
        deploy("test", mode, twice, "INVITE");
        invite();
        assertOthersOnly(bob.request("INVITE"));
        assertThat(served).containsExactly("INVITE alice", "INVITE alice");
        assertThat(alice.responses(401)).isEqualTo(1);
    }

    /** They may be for the application that it comes to next. */
    @Test
    void onTheWayToOurselvesTheyStay() throws Exception {
        Relay relay = new Relay();
        relay.first = "sip:carol@10.0.0.1:5060";
        deploy("test", ExecutionMode.NON_BLOCKING, relay, "INVITE");
        send("INVITE", CONTACT);
        String unused = answer(challenged(alice, "alice"), "INVITE", BOB);
        relay.header = "Authorization";
        send("MESSAGE", unused);
        assertThat(bob.request("MESSAGE").headers(HeaderName.AUTHORIZATION)).isEmpty();
        assertThat(relay.served).hasSize(2).allMatch(one -> one.contains("response="));
    }

    /** All the Vias go to whoever is behind the hop to ourselves: the branch of that one too. */
    @Test
    void whoReadsTheBranchOfTheHopToOurselvesIsNotTakenForTheCaller() throws Exception {
        Relay relay = new Relay();
        relay.first = "sip:carol@10.0.0.1:5060";
        deploy("test", ExecutionMode.NON_BLOCKING, relay, "INVITE");
        invite();
        SipRequest got = bob.request("INVITE");
        String inner = got.vias().get(1).toString();
        for (String requestUri : new String[] {"sip:x@10.0.0.1", "sip:carol@10.0.0.1:5060"}) {
            String copy =
                    bob.text(
                            "INVITE " + requestUri, "b", ALICE, "<sip:bob@y>", "c1", cseq, CONTACT);
            bob.send(copy.replaceFirst("Via: .*", "Via: " + inner.replaceFirst(";received.*", "")));
        }
        server.run(java.time.Duration.ofSeconds(1));
        assertThat(relay.served).containsExactly("INVITE alice", "INVITE alice");
    }

    /** Who got a request of ours knows its branch. */
    @Test
    void whoWritesABranchOfOursIsNotTakenForTheCaller() throws Exception {
        Relay relay = new Relay();
        deploy("test", ExecutionMode.NON_BLOCKING, relay, "INVITE");
        invite();
        SipRequest got = bob.request("INVITE");
        String via = got.topVia().toString();
        String copy =
                bob.text("INVITE sip:x@10.0.0.1", "b", ALICE, "<sip:bob@y>", "c1", cseq, CONTACT);
        bob.send(copy.replaceFirst("Via: .*", "Via: " + via));
        server.run(java.time.Duration.ofSeconds(1));
        assertThat(relay.served).containsExactly("INVITE alice");
    }

    private void chain(String... names) throws IOException {
        StringBuilder dar = new StringBuilder("INVITE:");
        for (int i = 0; i < names.length; i++) {
            dar.append(i == 0 ? " " : ", ")
                    .append("(\"")
                    .append(names[i])
                    .append("\", \"DAR:From\", \"NEUTRAL\", \"\", \"NO_ROUTE\", \"")
                    .append(i)
                    .append("\")");
        }
        Path file = Files.writeString(folder.resolve("carillon.dar"), dar.append('\n').toString());
        server =
                new Server(
                        new SimulatedNetwork(new VirtualTime(), 1),
                        "10.0.0.1",
                        1,
                        1,
                        new RoundTripStore(),
                        StackConfig.DEFAULT,
                        ContainerConfig.defaults().withRouter(new RouterConfig(file, null)));
        alice = server.peer("10.0.0.2");
        bob = server.peer("10.0.0.3");
        users();
    }

    /** RFC 7616 3.4.6: whom a user calls cannot spend his credentials for another target. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRedirectIsNoProofOfTheCaller(ExecutionMode mode) throws Exception {
        Relay relay = new Relay();
        deploy("test", mode, relay, "INVITE");
        invite();
        SipRequest got = bob.request("INVITE");
        bob.respond(got, 302, "b", "Contact: <sip:carol@10.0.0.1:5060>");
        server.run(java.time.Duration.ofSeconds(1));
        assertThat(relay.served).containsExactly("INVITE alice");
    }

    /** Nor can whoever registers a contact, which leads back here by the wire. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aContactOfSomebodyElseIsNoProofOfTheCaller(ExecutionMode mode) throws Exception {
        Relay relay = new Relay();
        relay.first = "sip:carol@10.0.0.1:5060";
        relay.othersTargets = true;
        deploy("test", mode, relay, "INVITE");
        invite();
        server.run(java.time.Duration.ofSeconds(1));
        assertThat(relay.served).containsExactly("INVITE alice");
        assertThat(bob.all).isEmpty();
    }

    /** Or to the next application; whether the one that knows the contact asks or not. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void norBeforeTheNextApplication(boolean asks) throws Exception {
        chain("one", "two");
        Relay location = new Relay();
        location.target = "sip:carol@10.0.0.3";
        location.othersTargets = true;
        if (asks) {
            deploy("one", ExecutionMode.BLOCKING, location, "INVITE");
        } else {
            server.container.deploy(Guard.application("one", ExecutionMode.BLOCKING, location));
        }
        Relay premium = new Relay();
        deploy("two", ExecutionMode.BLOCKING, premium, "INVITE");
        invite();
        alice.response(asks ? 401 : 400);
        assertThat(premium.served).isEmpty();
        assertThat(bob.all).isEmpty();
    }
}
