package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.identity.PrivacyService;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.privacy.TrustDomain;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 3323 and RFC 3325 around applications: the trust domain's border, the privacy service. */
class PrivacyTest {
    private static final String FROM = "\"Alice\" <sip:alice@x>;tag=a";
    private static final String PAI = "P-Asserted-Identity: <sip:king@example.com>";

    /** Bob and 10.0.1.x are inside, Alice is not. */
    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 5),
                    "10.0.0.1",
                    1,
                    5,
                    new RoundTripStore(),
                    StackConfig.builder()
                            .boundary(
                                    new TrustDomain(
                                            AddressRanges.of(List.of("10.0.0.3", "10.0.1.0/24")),
                                            false))
                            .build(),
                    ContainerConfig.defaults());

    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private final RawPeer carol = server.peer("10.0.0.4");

    private static final class Forward extends SipServlet {
        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            if (request.isInitial()) {
                SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
                request.getProxy().proxyTo(factory.createURI(request.getRequestURI().toString()));
            }
        }
    }

    private void deploy(SipServlet servlet) throws Exception {
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", () -> servlet)
                        .execution(ExecutionMode.NON_BLOCKING)
                        .build());
    }

    private void invite(RawPeer from, String to, String... headers) {
        String[] all = java.util.Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = "Contact: <sip:" + from.hostPort() + ">";
        from.request("INVITE sip:x@" + to + ":5060", FROM, "<sip:x@y>", "c1", 1, all);
    }

    @Test
    void aProxyPassesOnNothingThatAStrangerAsserted() throws Exception {
        deploy(new Forward());
        invite(alice, "10.0.0.3", PAI, "p-asserted-identity : <tel:+1king>");
        assertThat(bob.request("INVITE").toString()).doesNotContain("king");
    }

    @Test
    void whatATrustedPeerAssertsReachesTrustedPeersAndNoOthers() throws Exception {
        deploy(new Forward());
        RawPeer inside = server.peer("10.0.1.9");
        invite(inside, "10.0.0.3", PAI, "Privacy: id");
        SipRequest atBob = bob.request("INVITE");
        assertThat(atBob.header(HeaderName.P_ASSERTED_IDENTITY)).contains("king");
        inside.request(
                "INVITE sip:x@10.0.0.4:5060",
                FROM,
                "<sip:x@y>",
                "c2",
                1,
                PAI,
                "Privacy: id",
                "Contact: <sip:10.0.1.9>");
        assertThat(carol.request("INVITE").toString()).doesNotContain("king");
    }

    /** RFC 3325 applies to responses likewise. */
    @Test
    void answersAreHeldToItToo() throws Exception {
        deploy(new Forward());
        invite(alice, "10.0.0.3");
        bob.respond(bob.request("INVITE"), 180, "b", PAI);
        SipResponse ringing = alice.response(180);
        assertThat(ringing.toString()).doesNotContain("king");
        RawPeer inside = server.peer("10.0.1.9");
        inside.request("OPTIONS sip:x@10.0.0.4:5060", FROM, "<sip:x@y>", "c2", 1);
        carol.respond(carol.request("OPTIONS"), 200, "c", PAI);
        assertThat(inside.response(200).toString()).doesNotContain("king");
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aBackToBackUserAgentHidesACallerWhoWantsIt(ExecutionMode mode) throws Exception {
        server.container.settings().privacyService(new PrivacyService(true));
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", () -> new Bridge("sip:b@10.0.0.3:5060"))
                        .execution(mode)
                        .build());
        invite(
                alice,
                "10.0.0.1",
                "Privacy: user;header;id;critical",
                "Subject: alice here",
                "Call-Info: <http://alice.example.com>",
                "Organization: alice",
                "User-Agent: alice",
                "Reply-To: <sip:alice@x>",
                "In-Reply-To: alice");
        SipRequest leg = bob.request("INVITE");
        assertThat(leg.toString()).doesNotContainIgnoringCase("alice");
        assertThat(leg.from().toString())
                .startsWith("\"Anonymous\" <sip:anonymous@anonymous.invalid>;tag=");
        assertThat(leg.header(HeaderName.PRIVACY)).isEqualTo("id;critical");
        bob.respond(leg, 200, "b");
        String to = alice.response(200).to().toString();
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        assertThat(bob.request("ACK").from()).isEqualTo(leg.from());
        alice.request("BYE sip:10.0.0.1", FROM, to, "c1", 2, "Privacy: user", "User-Agent: alice");
        SipRequest bye = bob.request("BYE");
        assertThat(bye.toString()).doesNotContainIgnoringCase("alice");
        bob.respond(bye, 200, "");
        alice.response(200);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "id", ""})
    void whoDoesNotWantItIsShown(String privacy) throws Exception {
        server.container.settings().privacyService(new PrivacyService(true));
        deploy(new Bridge("sip:b@10.0.0.3:5060"));
        if (privacy.isEmpty()) {
            invite(alice, "10.0.0.1");
        } else {
            invite(alice, "10.0.0.1", "Privacy: " + privacy);
        }
        SipRequest leg = bob.request("INVITE");
        assertThat(leg.from().uri().toString()).isEqualTo("sip:alice@x");
        assertThat(leg.header(HeaderName.PRIVACY)).isEqualTo(privacy.isEmpty() ? null : privacy);
    }

    /** RFC 3323 5: what cannot be done and is critical fails. */
    @ParameterizedTest
    @ValueSource(strings = {"session;critical", "frobnicate;critical"})
    void whatIsCriticalAndNotDoneHereIs500(String privacy) throws Exception {
        server.container.settings().privacyService(new PrivacyService(true));
        Bridge bridge = new Bridge("sip:b@10.0.0.3:5060");
        deploy(bridge);
        invite(alice, "10.0.0.1", "Privacy: " + privacy);
        assertThat(alice.response(500).reason()).startsWith("Privacy Not Supported: ");
        assertThat(bridge.events).isEmpty();
    }

    @Test
    void withoutABorderTheServiceHidesTheIdentityItself() throws Exception {
        server.container.settings().privacyService(new PrivacyService(false));
        deploy(new Bridge("sip:b@10.0.0.3:5060"));
        RawPeer inside = server.peer("10.0.1.9");
        invite(inside, "10.0.0.1", PAI, "Privacy: id");
        SipRequest leg = bob.request("INVITE");
        assertThat(leg.has(HeaderName.P_ASSERTED_IDENTITY)).isFalse();
        assertThat(leg.has(HeaderName.PRIVACY)).isFalse();
    }

    private static final String[] TELLING = {
        "Subject: king",
        "Call-Info: <http://king.example.com>",
        "Organization: king",
        "User-Agent: king",
        "Server: king",
        "Warning: 399 king \"king\"",
        "Reply-To: <sip:king@x>",
        "In-Reply-To: king",
        "Referred-By: <sip:king@x>",
        "P-Preferred-Identity: <sip:king@x>",
        "P-Access-Network-Info: king",
        "Identity: ..king;info=<https://king.example/c.pem>",
        "Identity-Info: <https://king.example/c.pem>;alg=rsa-sha1",
        PAI,
        "Remote-Party-ID: <sip:king@x>;party=calling",
        "P-Served-User: <sip:king@x>",
        "History-Info: <sip:king@x>;index=1",
        "Diversion: <sip:king@x>;reason=unconditional"
    };

    private static String[] telling(String privacy) {
        String[] all = java.util.Arrays.copyOf(TELLING, TELLING.length + 1);
        all[TELLING.length] = "Privacy: " + privacy;
        return all;
    }

    /** RFC 3323 5.1 and 5.3, RFC 3325 7, RFC 7044 10.1.2: each value hides what it is for. */
    @ParameterizedTest
    @CsvSource({
        "user;id;header, ''",
        "user;id, History-Info Diversion",
        "history;critical, Subject Call-Info Organization User-Agent Server Warning Reply-To"
                + " In-Reply-To Referred-By P-Preferred-Identity P-Access-Network-Info Identity"
                + " Identity-Info P-Asserted-Identity Remote-Party-ID P-Served-User",
        "id, Subject Call-Info Organization User-Agent Server Warning Reply-To In-Reply-To"
                + " Referred-By Identity Identity-Info History-Info Diversion",
        "user, P-Asserted-Identity Remote-Party-ID P-Served-User History-Info Diversion",
    })
    void withoutABorderTheServiceHidesWhatItsCallerAsksFor(String privacy, String left)
            throws Exception {
        server.container.settings().privacyService(new PrivacyService(false));
        deploy(new Bridge("sip:b@10.0.0.3:5060"));
        RawPeer inside = server.peer("10.0.1.9");
        List<String> telling = new java.util.ArrayList<>();
        invite(inside, "10.0.0.1", telling(privacy));
        SipRequest leg = bob.request("INVITE");
        for (int i = 0; i < leg.headerCount(); i++) {
            if (leg.valueAt(i).contains("king")) {
                telling.add(leg.nameAt(i).text());
            }
        }
        // The trust domain of this server keeps P-Preferred-Identity from everybody.
        assertThat(telling)
                .containsExactlyInAnyOrderElementsOf(
                        java.util.stream.Stream.of(left.split(" "))
                                .filter(n -> !n.isEmpty() && !n.equals("P-Preferred-Identity"))
                                .toList());
        assertThat(leg.has(HeaderName.PRIVACY)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"user;id;header", "user;id;history"})
    void atTheBorderNothingOfHimIsLeft(String privacy) throws Exception {
        server.container.settings().privacyService(new PrivacyService(true));
        deploy(new Bridge("sip:c@10.0.0.4:5060"));
        RawPeer inside = server.peer("10.0.1.9");
        invite(inside, "10.0.0.1", telling(privacy));
        SipRequest leg = carol.request("INVITE");
        assertThat(leg.toString()).doesNotContainIgnoringCase("king");
        assertThat(leg.header(HeaderName.PRIVACY)).isEqualTo("id");
    }

    /** Peers inside see what they need, and hide it where it leaves. */
    @Test
    void withinTheDomainTheNetworksWordStays() throws Exception {
        server.container.settings().privacyService(new PrivacyService(true));
        deploy(new Bridge("sip:b@10.0.0.3:5060"));
        RawPeer inside = server.peer("10.0.1.9");
        invite(inside, "10.0.0.1", telling("user;id;header"));
        SipRequest leg = bob.request("INVITE");
        assertThat(leg.header(HeaderName.P_ASSERTED_IDENTITY)).contains("king");
        assertThat(leg.header(HeaderName.DIVERSION)).contains("king");
        assertThat(leg.header(HeaderName.HISTORY_INFO)).contains("king");
        assertThat(leg.header(HeaderName.PRIVACY)).isEqualTo("history;id");
        assertThat(leg.has(HeaderName.IDENTITY)).isFalse();
    }

    /** A BYE need not say again what the INVITE asked for. */
    @Test
    void laterRequestsOfAnAnonymousCallerTellNoMore() throws Exception {
        server.container.settings().privacyService(new PrivacyService(true));
        deploy(new Bridge("sip:b@10.0.0.3:5060"));
        invite(alice, "10.0.0.1", "Privacy: user");
        SipRequest leg = bob.request("INVITE");
        bob.respond(leg, 200, "b");
        String to = alice.response(200).to().toString();
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        bob.request("ACK");
        alice.request(
                "INFO sip:10.0.0.1", FROM, to, "c1", 2, "User-Agent: alice", "Subject: alice");
        assertThat(bob.request("INFO").toString()).doesNotContainIgnoringCase("alice");
        bob.request(
                "INFO sip:10.0.0.1",
                leg.to() + ";tag=b",
                leg.from().toString(),
                leg.callId(),
                1,
                "User-Agent: bob");
        assertThat(alice.request("INFO").header(HeaderName.USER_AGENT)).isEqualTo("bob");
    }

    /** RFC 3323 5: with none "privacy services MUST NOT perform any privacy function". */
    @Test
    void whoWantsNoneIsHiddenNothing() throws Exception {
        server.container.settings().privacyService(new PrivacyService(false));
        deploy(new Bridge("sip:b@10.0.0.3:5060"));
        RawPeer inside = server.peer("10.0.1.9");
        invite(inside, "10.0.0.1", telling("none"));
        SipRequest leg = bob.request("INVITE");
        assertThat(leg.header(HeaderName.PRIVACY)).isEqualTo("none");
        assertThat(leg.header(HeaderName.IDENTITY)).contains("king");
        assertThat(leg.header(HeaderName.SUBJECT)).contains("king");
    }
}
