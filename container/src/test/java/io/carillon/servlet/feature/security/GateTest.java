package io.carillon.servlet.feature.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.SecurityConstraint;
import io.carillon.servlet.app.SecurityDescription;
import io.carillon.servlet.app.SecurityDescription.IdentityAssertion;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.members.Proves;
import io.carillon.sip.auth.DigestAlgorithm;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.header.AuthHeader;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Security constraints: who reaches a servlet, and as whom (JSR 289, security; RFC 3261 22). */
class GateTest {
    private static final String REALM = "carillon.test";

    static final class Guarded extends SipServlet {
        final List<String> served = new ArrayList<>();
        final List<String> users = new ArrayList<>();
        final List<String> asserted = new ArrayList<>();
        final List<String> preferred = new ArrayList<>();

        @Override
        protected void doRequest(SipServletRequest request) throws IOException {
            served.add(
                    request.getMethod()
                            + " "
                            + request.getRemoteUser()
                            + " "
                            + request.isUserInRole("staff"));
            Principal principal = request.getUserPrincipal();
            users.add(
                    request.getMethod()
                            + " "
                            + request.getRemoteUser()
                            + " "
                            + (principal == null ? null : principal.getName())
                            + " staff "
                            + request.isUserInRole("staff")
                            + " boss "
                            + request.isUserInRole("boss"));
            asserted.add(String.valueOf(request.getHeader("P-Asserted-Identity")));
            preferred.add(String.valueOf(request.getHeader("P-Preferred-Identity")));
            if (!request.getMethod().equals("ACK") && !request.getMethod().equals("CANCEL")) {
                request.createResponse(200).send();
            }
        }
    }

    private final Guarded guarded = new Guarded();
    private final Server server = Server.fresh(1);
    private final AtomicInteger asked = new AtomicInteger();

    private void deploy(ExecutionMode mode, SecurityDescription security) {
        server.container.security().users().store(this::find);
        try {
            server.container.deploy(
                    ApplicationDescription.builder("test")
                            .servlet("main", () -> guarded)
                            .execution(mode)
                            .security(security)
                            .build());
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
    }

    private UserStore.User find(String realm, String name) {
        asked.incrementAndGet();
        if (!name.equals("alice")) {
            return null;
        }
        Map<DigestAlgorithm, String> ha1 = new EnumMap<>(DigestAlgorithm.class);
        for (DigestAlgorithm one : DigestAlgorithm.values()) {
            ha1.put(one, one.ha1(name, realm, "secret"));
        }
        return new UserStore.User(name, ha1, Set.of("staff"));
    }

    private static SecurityDescription of(Set<String> roles, boolean proxy) {
        return of(roles, proxy, false, IdentityAssertion.NONE);
    }

    private static SecurityDescription of(
            Set<String> roles, boolean proxy, boolean confidential, IdentityAssertion assertion) {
        return new SecurityDescription(
                List.of(
                        new SecurityConstraint(
                                List.of(
                                        new SecurityConstraint.Resources(
                                                Set.of(), Set.of("INVITE", "MESSAGE"))),
                                proxy,
                                roles,
                                confidential)),
                REALM,
                assertion,
                Set.of(),
                Map.of(),
                Map.of());
    }

    private final RawPeer alice = server.peer("10.0.0.2");
    private int cseq;

    private void send(String method, String... headers) {
        alice.request(
                method + " sip:uas@10.0.0.1",
                "<sip:alice@x>;tag=a",
                "<sip:uas@y>",
                "c1",
                ++cseq,
                headers);
    }

    private static DigestClient client(SipResponse challenge, String header, String password)
            throws Exception {
        return DigestClient.of(
                AuthHeader.parse(challenge.header(HeaderName.of(header))), "alice", password);
    }

    private static String answer(DigestClient client, String method) {
        return client.answer(method, "sip:uas@10.0.0.1", new byte[0], "abc").toString();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRequestWithoutCredentialsIsChallengedOnceForEachAlgorithm(ExecutionMode mode) {
        deploy(mode, of(Set.of("*"), false));
        send("MESSAGE");
        SipResponse challenge = alice.response(401);
        assertThat(challenge.headers(HeaderName.WWW_AUTHENTICATE))
                .hasSize(3)
                .allSatisfy(value -> assertThat(value).contains("realm=\"carillon.test\""));
        assertThat(guarded.served).isEmpty();
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rightCredentialsAreServedAsThatUserInItsRoles(ExecutionMode mode) throws Exception {
        deploy(mode, of(Set.of("staff"), false));
        send("MESSAGE");
        DigestClient client = client(alice.response(401), "WWW-Authenticate", "secret");
        send("MESSAGE", "Authorization: " + answer(client, "MESSAGE"));
        alice.response(200);
        send("MESSAGE", "Authorization: " + answer(client, "MESSAGE"));
        alice.response(200);
        assertThat(guarded.served).containsExactly("MESSAGE alice true", "MESSAGE alice true");
        assertThat(asked).as("the store is asked once, then remembered").hasValue(1);
        server.assertClean();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void proxyAuthenticationChallengesBy407(ExecutionMode mode) throws Exception {
        deploy(mode, of(Set.of("*"), true));
        send("MESSAGE");
        DigestClient client = client(alice.response(407), "Proxy-Authenticate", "secret");
        send("MESSAGE", "Proxy-Authorization: " + answer(client, "MESSAGE"));
        alice.response(200);
        assertThat(guarded.served).containsExactly("MESSAGE alice true");
    }

    /** RFC 3325 5: who proved by digest who he is, is asserted as that, and as no more. */
    @ParameterizedTest
    @CsvSource({
        "'\"King\" <sip:king@example.com>', '<sip:alice@example.com>'",
        "'\"Police 110\" <sip:alice@example.com>', '<sip:alice@example.com>'",
        "'<sip:alice@EXAMPLE.com;maddr=192.0.2.4;transport=tcp>', '<sip:alice@example.com>'",
        "'<sip:alice@example.com:9999?Route=x>', '<sip:alice@example.com>'",
        "'<sip:alice:pw@example.com>', '<sip:alice@example.com>'",
        "'<sip:%61lice@example.com;user=phone>', '<sip:alice@example.com;user=phone>'",
        "'<sip:alice@elsewhere.com>', '<sip:alice@example.com>'",
        "'<sip:alice', '<sip:alice@example.com>'",
    })
    void whatACallerPrefersIsAssertedWhenItIsHis(String preferred, String asserted)
            throws Exception {
        server.container.security().asserter(new IdentityAsserter(List.of("Example.com")));
        deploy(ExecutionMode.NON_BLOCKING, of(Set.of("staff"), false));
        send("MESSAGE");
        DigestClient client = client(alice.response(401), "WWW-Authenticate", "secret");
        send(
                "MESSAGE",
                "Authorization: " + answer(client, "MESSAGE"),
                "P-Preferred-Identity: " + preferred,
                "P-Asserted-Identity: <sip:king@example.com>");
        alice.response(200);
        assertThat(guarded.asserted).containsExactly(asserted);
        assertThat(guarded.preferred).containsExactly("null");
    }

    @Test
    void wrongPasswordAndUnknownUserGetTheSameAnswer() throws Exception {
        deploy(ExecutionMode.BLOCKING, of(Set.of("*"), false));
        send("MESSAGE");
        SipResponse challenge = alice.response(401);
        send(
                "MESSAGE",
                "Authorization: "
                        + answer(client(challenge, "WWW-Authenticate", "wrong"), "MESSAGE"));
        SipResponse wrong = alice.response(401);
        send(
                "MESSAGE",
                "Authorization: "
                        + answer(client(challenge, "WWW-Authenticate", "secret"), "MESSAGE")
                                .replace("alice", "nobody"));
        SipResponse unknown = alice.response(401);
        assertThat(wrong.header(HeaderName.WWW_AUTHENTICATE)).doesNotContain("stale");
        assertThat(unknown.headers(HeaderName.WWW_AUTHENTICATE)).hasSize(3);
        assertThat(unknown.header(HeaderName.WWW_AUTHENTICATE)).doesNotContain("stale");
        assertThat(guarded.served).isEmpty();
    }

    @Test
    void aReplayedRequestIsToldThatItsNonceIsStale() throws Exception {
        deploy(ExecutionMode.BLOCKING, of(Set.of("*"), false));
        send("MESSAGE");
        String once = answer(client(alice.response(401), "WWW-Authenticate", "secret"), "MESSAGE");
        send("MESSAGE", "Authorization: " + once);
        alice.response(200);
        send("MESSAGE", "Authorization: " + once);
        assertThat(alice.response(401).header(HeaderName.WWW_AUTHENTICATE)).contains("stale=true");
        assertThat(guarded.served).hasSize(1);
    }

    @Test
    void aNonceAgesInVirtualTime() throws Exception {
        deploy(ExecutionMode.BLOCKING, of(Set.of("*"), false));
        send("MESSAGE");
        DigestClient client = client(alice.response(401), "WWW-Authenticate", "secret");
        server.run(Duration.ofMinutes(6));
        send("MESSAGE", "Authorization: " + answer(client, "MESSAGE"));
        assertThat(alice.response(401).header(HeaderName.WWW_AUTHENTICATE)).contains("stale=true");
    }

    @Test
    void whoHasNotTheRoleGets403() throws Exception {
        deploy(ExecutionMode.BLOCKING, of(Set.of("boss"), false));
        send("MESSAGE");
        DigestClient client = client(alice.response(401), "WWW-Authenticate", "secret");
        send("MESSAGE", "Authorization: " + answer(client, "MESSAGE"));
        alice.response(403);
        assertThat(guarded.served).isEmpty();
    }

    @Test
    void aConstraintWithoutRolesClosesToEverybody() {
        deploy(ExecutionMode.BLOCKING, of(Set.of(), false));
        send("MESSAGE");
        alice.response(403);
    }

    @Test
    void confidentialIsRefusedOverUdp() {
        deploy(ExecutionMode.BLOCKING, of(null, false, true, IdentityAssertion.NONE));
        send("MESSAGE");
        alice.response(403);
    }

    @Test
    void methodsThatNoConstraintNamesAreFree() {
        deploy(ExecutionMode.BLOCKING, of(Set.of("*"), false));
        send("OPTIONS");
        alice.response(200);
        assertThat(guarded.served).containsExactly("OPTIONS null false");
    }

    @Test
    void theDialogOfAnAuthenticatedInviteIsItsUsersAndAckIsNotChallenged() throws Exception {
        deploy(ExecutionMode.BLOCKING, of(Set.of("*"), false));
        send("INVITE", "Contact: <sip:10.0.0.2:5060>");
        DigestClient client = client(alice.response(401), "WWW-Authenticate", "secret");
        send(
                "INVITE",
                "Contact: <sip:10.0.0.2:5060>",
                "Authorization: " + answer(client, "INVITE"));
        SipResponse ok = alice.response(200);
        String to = "<sip:uas@y>;tag=" + ok.toTag();
        alice.request("ACK sip:uas@10.0.0.1:5060", "<sip:alice@x>;tag=a", to, "c1", cseq);
        alice.request("BYE sip:uas@10.0.0.1:5060", "<sip:alice@x>;tag=a", to, "c1", ++cseq);
        alice.response(200);
        assertThat(guarded.served)
                .containsExactly("INVITE alice true", "ACK alice true", "BYE alice true");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @Test
    void anAssertedIdentityCountsFromATrustedPeerOnly() {
        server.container
                .security()
                .settings(List.of(DigestAlgorithm.SHA_256), "r", 300, Set.of("10.0.0.2"));
        deploy(
                ExecutionMode.NON_BLOCKING,
                of(Set.of("staff"), false, false, IdentityAssertion.SUPPORTED));
        send("MESSAGE", "P-Asserted-Identity: <sip:alice@carillon.test>");
        alice.response(200);
        assertThat(guarded.served).containsExactly("MESSAGE alice true");
        RawPeer mallory = server.peer("10.0.0.9");
        mallory.request(
                "MESSAGE sip:uas@10.0.0.1",
                "<sip:alice@x>;tag=a",
                "<sip:uas@y>",
                "c2",
                1,
                "P-Asserted-Identity: <sip:alice@carillon.test>");
        mallory.response(401);
    }

    private String servedAs(String callId, String identity) {
        guarded.served.clear();
        alice.request(
                "MESSAGE sip:uas@10.0.0.1",
                "<sip:alice@x>;tag=a",
                "<sip:uas@y>",
                callId,
                1,
                "P-Asserted-Identity: " + identity);
        alice.response(200);
        return guarded.served.getFirst();
    }

    @Test
    void anAssertedIdentityIsOursInOurRealmAndAtOurHostsOnly() {
        server.container
                .security()
                .settings(List.of(DigestAlgorithm.SHA_256), "r", 300, Set.of("10.0.0.2"));
        deploy(ExecutionMode.BLOCKING, of(Set.of("*"), false, false, IdentityAssertion.SUPPORTED));
        assertThat(servedAs("p1", "\"A, B\" <sip:alice@10.0.0.1>")).isEqualTo("MESSAGE alice true");
        assertThat(servedAs("p2", "<sip:alice@elsewhere.example>"))
                .isEqualTo("MESSAGE alice@elsewhere.example false");
        assertThat(servedAs("p3", "<tel:+12015550123>, <sip:alice@carillon.test>"))
                .isEqualTo("MESSAGE alice true");
        assertThat(servedAs("p4", "<tel:+12015550123>")).isEqualTo("MESSAGE +12015550123 false");
        send("MESSAGE", "P-Asserted-Identity: <sip:alice@carillon.test>, <");
        alice.response(401);
    }

    @Test
    void whomATrustedPeerVouchesForIsKnownWhereNobodyIsAsked() {
        server.container
                .security()
                .settings(List.of(DigestAlgorithm.SHA_256), "r", 300, Set.of("10.0.0.2"));
        deploy(
                ExecutionMode.BLOCKING,
                new SecurityDescription(
                        List.of(),
                        REALM,
                        IdentityAssertion.SUPPORTED,
                        Set.of(),
                        Map.of(),
                        Map.of()));
        assertThat(servedAs("v1", "<sip:alice@carillon.test>")).isEqualTo("MESSAGE alice true");
        send("MESSAGE");
        alice.response(200);
        assertThat(guarded.served).endsWith("MESSAGE null false");
    }

    @Test
    void aTrustedPeerIsTheSameInEverySpellingOfItsAddress() {
        Security security = server.container.security();
        security.settings(List.of(DigestAlgorithm.MD5), "r", 300, Set.of("2001:DB8::1"));
        assertThat(security.trusts("2001:db8:0:0:0:0:0:1")).isTrue();
        assertThat(security.trusts("2001:db8::2")).isFalse();
        assertThatThrownBy(() ->
                        security.settings(List.of(DigestAlgorithm.MD5), "r", 300, Set.of("host")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRequiredIdentityThatIsMissingGets403() {
        deploy(ExecutionMode.BLOCKING, of(Set.of("*"), false, false, IdentityAssertion.REQUIRED));
        send("MESSAGE");
        alice.response(403);
    }

    @Test
    void aStoreThatFailsIsAnsweredBy500AndTheNextRequestAsksAgain() throws Exception {
        deploy(ExecutionMode.BLOCKING, of(Set.of("*"), false));
        send("MESSAGE");
        SipResponse challenge = alice.response(401);
        server.container
                .security()
                .users()
                .store((realm, name) -> {
                    throw new IllegalStateException("no database");
                });
        send(
                "MESSAGE",
                "Authorization: "
                        + answer(client(challenge, "WWW-Authenticate", "secret"), "MESSAGE"));
        alice.response(500);
        assertThat(guarded.served).isEmpty();
    }

    /** Only what the gate has proved counts: without it there is no user and no role. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves({
        "SipServletMessage#getRemoteUser()",
        "SipServletMessage#getUserPrincipal()",
        "SipServletMessage#isUserInRole(String)",
    })
    void theUserOfARequestIsWhoseCredentialsWereRight(ExecutionMode mode) throws Exception {
        deploy(mode, of(Set.of("*"), false));
        send("OPTIONS", "Authorization: Digest username=\"alice\", realm=\"carillon.test\"");
        alice.response(200);
        send("MESSAGE");
        DigestClient client = client(alice.response(401), "WWW-Authenticate", "secret");
        send("MESSAGE", "Authorization: " + answer(client, "MESSAGE"));
        alice.response(200);
        assertThat(guarded.users)
                .containsExactly(
                        "OPTIONS null null staff false boss false",
                        "MESSAGE alice alice staff true boss false");
    }
}
