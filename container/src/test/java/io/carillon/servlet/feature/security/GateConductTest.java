package io.carillon.servlet.feature.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.SecurityConstraint;
import io.carillon.servlet.app.SecurityDescription;
import io.carillon.servlet.app.SecurityDescription.IdentityAssertion;
import io.carillon.servlet.config.ContainerConfig;
import io.carillon.servlet.feature.store.RoundTripStore;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a guard is told of those who answer challenges. */
class GateConductTest {
    private static final String REALM = "carillon.test";
    private static final String BROWSER = "df7jal23ls0d.invalid";

    private final List<String> heard = new ArrayList<>();
    private boolean held;
    private String trusted = "";

    private final class Listening implements PeerConduct {
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

        @Override
        public boolean holdsCredentials(Hop from, long nowNanos) {
            return held;
        }

        @Override
        public boolean trusts(Hop from) {
            return from.remoteHost().equals(trusted);
        }
    }

    private static final class Open extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            request.createResponse(200).send();
            if (request.getHeader("Subject") != null) {
                ((SipFactory) getServletContext().getAttribute(SIP_FACTORY))
                        .createRequest(
                                request.getApplicationSession(),
                                "OPTIONS",
                                "sip:us@10.0.0.1",
                                "sip:a@" + BROWSER + ";transport=ws")
                        .send();
            }
        }
    }

    private final Server server =
            new Server(
                    new SimulatedNetwork(new VirtualTime(), 1),
                    "10.0.0.1",
                    1,
                    1,
                    new RoundTripStore(),
                    StackConfig.builder().conduct(new Listening()).build(),
                    ContainerConfig.defaults());
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer mallory = server.peer("10.0.0.3");
    private int cseq;

    @BeforeEach
    void deploy() throws Exception {
        server.container
                .security()
                .users()
                .store((realm, name) ->
                        name.equals("alice") || name.equals("carol")
                                ? new UserStore.User(
                                        name,
                                        Map.of(
                                                DigestAlgorithm.SHA_256,
                                                DigestAlgorithm.SHA_256.ha1(name, realm, "secret")),
                                        Set.of())
                                : null);
        server.container.deploy(
                ApplicationDescription.builder("test")
                        .servlet("main", Open::new)
                        .execution(ExecutionMode.BLOCKING)
                        .security(
                                new SecurityDescription(
                                        List.of(
                                                new SecurityConstraint(
                                                        List.of(
                                                                new SecurityConstraint.Resources(
                                                                        Set.of(), Set.of())),
                                                        false,
                                                        Set.of("*"),
                                                        false)),
                                        REALM,
                                        IdentityAssertion.NONE,
                                        Set.of(),
                                        Map.of(),
                                        Map.of()))
                        .build());
    }

    private void send(RawPeer peer, String... headers) {
        peer.request(
                "MESSAGE sip:uas@10.0.0.1",
                "<sip:alice@x>;tag=a",
                "<sip:uas@y>",
                "c1",
                ++cseq,
                headers);
    }

    /** As a browser does, which has a name and no address. */
    private void named(RawPeer peer, String credentials, String... vias) {
        String text =
                peer.text(
                        "MESSAGE sip:uas@10.0.0.1",
                        "z9hG4bKn" + ++cseq,
                        "<sip:alice@x>;tag=a",
                        "<sip:uas@y>",
                        "c" + cseq,
                        cseq,
                        credentials);
        String via = "Via: SIP/2.0/WS " + BROWSER + ";branch=";
        text = text.replaceFirst("Via: .*;branch=", via);
        for (String below : vias) {
            text = text.replaceFirst("\nMax-Forwards:", "\nVia: " + below + "\nMax-Forwards:");
        }
        peer.send(text);
        peer.response(200);
    }

    private AuthHeader challenge(RawPeer peer) throws Exception {
        send(peer);
        return AuthHeader.parse(peer.response(401).header(HeaderName.WWW_AUTHENTICATE));
    }

    private static String answer(AuthHeader challenge, String user, String password) {
        return "Authorization: "
                + DigestClient.of(challenge, user, password)
                        .answer("MESSAGE", "sip:uas@10.0.0.1", new byte[0], "abc");
    }

    @Test
    void aWrongPasswordSurelyComesFromWhoGotTheChallenge() throws Exception {
        send(alice, answer(challenge(alice), "alice", "wrong"));
        alice.response(401);
        assertThat(heard).containsExactly("WRONG_CREDENTIALS 10.0.0.2 proven");
    }

    @Test
    void aGuessedUserCountsLikeAWrongPassword() throws Exception {
        send(alice, answer(challenge(alice), "nobody", "secret"));
        alice.response(401);
        assertThat(heard).containsExactly("WRONG_CREDENTIALS 10.0.0.2 proven");
    }

    /**
     * Mallory writes alice's address on what he sends: right or wrong, it is not looked at. Whoever
     * is there may answer a challenge of his own (RFC 7616 3.3: stale).
     */
    @ParameterizedTest
    @ValueSource(strings = {"wrong", "secret"})
    void aChallengeThatSomebodyElseGotIsAskedAnewOfThisAddress(String password) throws Exception {
        AuthHeader ofMallory = challenge(mallory);
        send(alice, answer(ofMallory, "alice", password));
        AuthHeader again =
                AuthHeader.parse(alice.response(401).header(HeaderName.WWW_AUTHENTICATE));
        assertThat(again.param("stale")).isEqualTo("true");
        assertThat(heard).isEmpty();
        send(alice, answer(again, "alice", "secret"));
        alice.response(200);
        assertThat(heard).containsExactly("proven 10.0.0.2");
    }

    /** A connection cannot be forged, and clients move. */
    @Test
    void byAConnectionAChallengeIsAnsweredFromWherever() throws Exception {
        AuthHeader ofMallory = challenge(mallory);
        alice.over(Transport.TCP);
        send(alice, answer(ofMallory, "alice", "secret"));
        alice.response(200);
    }

    /** An edge of the operator's own may send by one address now and by another then. */
    @Test
    void aTrustedSourceAnswersChallengesOfAnother() throws Exception {
        AuthHeader ofMallory = challenge(mallory);
        trusted = "10.0.0.2";
        send(alice, answer(ofMallory, "alice", "secret"));
        alice.response(200);
        assertThat(heard).isEmpty();
    }

    /** Nobody looks at them: after a restart every phone sends such credentials once. */
    @Test
    void credentialsForANonceThatIsNotOursSayNothing() throws Exception {
        send(alice, answer(challenge(alice).withQuoted("nonce", "made-up"), "alice", "wrong"));
        alice.response(401);
        assertThat(heard).isEmpty();
    }

    @Test
    void theRightPasswordProvesTheAddressAndNoCredentialsSayNothing() throws Exception {
        AuthHeader challenge = challenge(alice);
        assertThat(heard).isEmpty();
        send(alice, answer(challenge, "alice", "secret"));
        alice.response(200);
        assertThat(heard).containsExactly("proven 10.0.0.2");
    }

    @ParameterizedTest
    @EnumSource(names = {"WS", "WSS", "TCP", "UDP"})
    void aWrongPasswordCountsAlsoWhereTheRightOneCameFrom(Transport transport) throws Exception {
        alice.over(transport);
        send(alice, answer(challenge(alice), "alice", "secret"));
        alice.response(200);
        send(alice, answer(challenge(alice), "alice", "guess"));
        alice.response(401);
        assertThat(heard).containsExactly("proven 10.0.0.2", "WRONG_CREDENTIALS 10.0.0.2 proven");
    }

    @Test
    void credentialsThatAreHeldBackAreNotLookedAt() throws Exception {
        alice.over(Transport.WS);
        AuthHeader challenge = challenge(alice);
        held = true;
        send(alice, answer(challenge, "alice", "secret"));
        assertThat(alice.response(503).header(HeaderName.RETRY_AFTER)).isNotNull();
        send(alice, answer(challenge, "alice", "guess"));
        alice.response(503);
        assertThat(heard).isEmpty();
    }

    /** What a page tries does not keep a user from his own connection. */
    @Test
    void onItsUsersConnectionABrowserGoesOn() throws Exception {
        RawPeer home = server.peer("10.0.0.4").over(Transport.WS);
        named(home, answer(challenge(home), "alice", "secret"));
        AuthHeader second = challenge(home);
        AuthHeader third = challenge(home);
        held = true;
        named(home, answer(second, "alice", "secret"));
        send(home, answer(third, "carol", "secret"));
        home.response(503);
    }

    private void reachedByName(RawPeer peer) throws Exception {
        send(alice, answer(challenge(alice), "alice", "secret"), "Subject: call the browser");
        alice.response(200);
        peer.respond(peer.request("OPTIONS"), 200, "o");
    }

    /** RFC 7118 B.1: it keeps its name when it connects from another network. */
    @Test
    void aBrowserTakesItsNameAlongByItsUsersPassword() throws Exception {
        RawPeer home = server.peer("10.0.0.4").over(Transport.WS);
        RawPeer mobile = server.peer("10.0.0.5").over(Transport.WS);
        named(home, answer(challenge(home), "alice", "secret"));
        reachedByName(home);
        named(mobile, answer(challenge(mobile), "carol", "secret"));
        reachedByName(home);
        named(mobile, answer(challenge(mobile), "alice", "secret"));
        reachedByName(mobile);
    }

    /** Many users come by a proxy, and its name is none of theirs. */
    @Test
    void aUserBehindAProxyTakesNoNameAlong() throws Exception {
        RawPeer proxy = server.peer("10.0.0.4").over(Transport.WS);
        RawPeer mobile = server.peer("10.0.0.5").over(Transport.WS);
        String below = "SIP/2.0/WS 192.0.2.1;branch=z9hG4bKuser";
        named(proxy, answer(challenge(proxy), "alice", "secret"), below);
        named(mobile, answer(challenge(mobile), "alice", "secret"));
        reachedByName(proxy);
    }
}
