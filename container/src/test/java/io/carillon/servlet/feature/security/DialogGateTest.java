package io.carillon.servlet.feature.security;

import static io.carillon.servlet.feature.security.Guard.answer;
import static io.carillon.servlet.feature.security.Guard.challenged;
import static io.carillon.servlet.feature.security.Guard.constraint;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.app.SecurityConstraint;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.auth.DigestClient;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.servlet.ServletException;
import javax.servlet.sip.Proxy;
import javax.servlet.sip.SipApplicationSession;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests in dialogs before a protected servlet: whose dialog it is decides (RFC 3261 22). */
class DialogGateTest {
    private static final String US = "sip:uas@10.0.0.1:5060";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";
    private static final String ALICE = "<sip:alice@x>;tag=a";

    /**
     * Answers everything with 200, or proxies what begins; notes what it was given, and by whom.
     */
    private static final class Noting extends SipServlet {
        private static final long serialVersionUID = 1L;

        final transient List<String> served = new ArrayList<>();
        boolean proxies;

        @Override
        protected void doRequest(SipServletRequest request) throws ServletException, IOException {
            served.add(request.getMethod() + " " + request.getRemoteUser());
            String method = request.getMethod();
            if (method.equals("ACK") || method.equals("CANCEL")) {
                return;
            }
            if (!proxies) {
                request.createResponse(200).send();
            } else if (request.isInitial()) {
                Proxy proxy = request.getProxy();
                proxy.setRecordRoute(true);
                proxy.proxyTo(factory().createURI("sip:bob@10.0.0.3:5060"));
            }
        }

        @Override
        protected void doSuccessResponse(SipServletResponse response) throws IOException {
            if (!proxies && response.getMethod().equals("INVITE")) {
                response.createAck().send();
            }
        }

        SipFactory factory() {
            return Objects.requireNonNull(
                    (SipFactory) getServletContext().getAttribute(SIP_FACTORY));
        }

        void call() throws ServletException, IOException {
            SipApplicationSession session = factory().createApplicationSession();
            factory()
                    .createRequest(session, "INVITE", "sip:app@10.0.0.1", "sip:alice@10.0.0.2:5060")
                    .send();
        }
    }

    private final Noting noting = new Noting();
    private final Server server = Server.fresh(5);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private @Nullable String tag;
    private int cseq;

    private void deploy(ExecutionMode mode, SecurityConstraint... constraints) {
        server.container.security().users().store(Guard::find);
        try {
            server.container.deploy(Guard.application("test", mode, noting, constraints));
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
    }

    /** From Alice to the application, in the dialog when there is one. */
    private void send(RawPeer from, String method, String... headers) {
        String to = tag == null ? "<sip:uas@y>" : "<sip:uas@y>;tag=" + tag;
        from.request(method + " " + US, ALICE, to, "c1", ++cseq, headers);
    }

    private void ack() {
        alice.request("ACK " + US, ALICE, "<sip:uas@y>;tag=" + tag, "c1", cseq);
    }

    private SipResponse accepted(RawPeer from) {
        SipResponse ok = from.response(200);
        tag = ok.toTag();
        return ok;
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aDialogThatBeganWithoutCredentialsOpensNoProtectedMethod(ExecutionMode mode) {
        deploy(mode, constraint(Set.of("*"), "PUBLISH"));
        send(alice, "SUBSCRIBE", CONTACT, "Event: presence");
        accepted(alice);
        send(alice, "PUBLISH", "Event: presence");
        DigestClient client = challenged(alice, "alice");
        assertThat(noting.served).containsExactly("SUBSCRIBE null");
        send(alice, "PUBLISH", "Event: presence", answer(client, "PUBLISH", US));
        alice.response(200);
        // From now on it is known whose dialog it is.
        send(alice, "PUBLISH", "Event: presence");
        alice.response(200);
        assertThat(noting.served)
                .containsExactly("SUBSCRIBE null", "PUBLISH alice", "PUBLISH alice");
    }

    @Test
    void whatRefusesARequestLeavesItsDialogAsItIs() {
        deploy(ExecutionMode.BLOCKING, constraint(Set.of("*"), "PUBLISH", "MESSAGE"));
        send(alice, "INVITE", CONTACT);
        accepted(alice);
        ack();
        send(alice, "PUBLISH", "Event: presence");
        alice.response(401);
        send(alice, "BYE");
        alice.response(200);
        assertThat(noting.served).containsExactly("INVITE null", "ACK null", "BYE null");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @Test
    void aCallOfNobodyMayEndWhateverIsProtected() {
        deploy(ExecutionMode.BLOCKING, constraint(Set.of("*"), "BYE", "PRACK", "ACK"));
        send(alice, "INVITE", CONTACT);
        accepted(alice);
        ack();
        send(alice, "BYE");
        alice.response(200);
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    @Test
    void theRoleOfOneMethodIsNotThatOfAnother() {
        deploy(
                ExecutionMode.BLOCKING,
                constraint(Set.of("staff"), "INVITE"),
                constraint(Set.of("boss"), "MESSAGE"));
        send(alice, "INVITE", CONTACT);
        DigestClient client = challenged(alice, "alice");
        send(alice, "INVITE", CONTACT, answer(client, "INVITE", US));
        accepted(alice);
        ack();
        send(alice, "INVITE", CONTACT); // of the staff: without further ado
        alice.response(200);
        ack();
        send(alice, "MESSAGE");
        client = challenged(alice, "alice");
        send(alice, "MESSAGE", answer(client, "MESSAGE", US));
        alice.response(403);
        send(alice, "MESSAGE");
        client = challenged(alice, "bob");
        send(alice, "MESSAGE", answer(client, "MESSAGE", US));
        alice.response(200);
        send(alice, "INFO");
        alice.response(200);
        assertThat(noting.served).endsWith("MESSAGE bob", "INFO alice");
    }

    /** Phones move: who knows the tags is the caller, wherever he is. */
    @Test
    void theTagsTellTheCallerFromAnotherAddressToo() {
        deploy(ExecutionMode.BLOCKING, constraint(Set.of("*"), "INVITE", "INFO"));
        send(alice, "INVITE", CONTACT);
        DigestClient client = challenged(alice, "alice");
        send(alice, "INVITE", CONTACT, answer(client, "INVITE", US));
        accepted(alice);
        ack();
        send(bob, "INFO");
        bob.response(200);
        assertThat(noting.served).endsWith("INFO alice");
    }

    /**
     * The application chose whom it calls: he may talk and hang up, and is nobody in particular.
     */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void whomTheApplicationCalledKeepsUpTheCallButOpensNothingElse(ExecutionMode mode)
            throws Exception {
        deploy(mode, constraint(Set.of("staff")));
        noting.call();
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 200, "a");
        alice.request("ACK");
        String us = invite.contact().uri().toString();
        String callee = invite.to() + ";tag=a";
        String app = invite.from().toString();
        String id = invite.callId();
        alice.request("INFO " + us, callee, app, id, 1);
        alice.response(200);
        alice.request("INVITE " + us, callee, app, id, 2, CONTACT);
        alice.response(200);
        alice.request("ACK " + us, callee, app, id, 2);
        // RFC 3261 11.2: "does not have any impact on that dialog": some ask whether it lives.
        alice.request("OPTIONS " + us, callee, app, id, 3);
        alice.response(200);
        // RFC 3515 2.4.2 and 5: it makes the application call somebody else.
        alice.request("REFER " + us, callee, app, id, 4, CONTACT, "Refer-To: <sip:z@10.0.0.9>");
        alice.response(401);
        alice.request("MESSAGE " + us, callee, app, id, 5);
        DigestClient client = challenged(alice, "alice");
        alice.request("MESSAGE " + us, callee, app, id, 6, answer(client, "MESSAGE", us));
        alice.response(200);
        alice.request("BYE " + us, callee, app, id, 7);
        alice.response(200);
        assertThat(noting.served)
                .containsExactly(
                        "INFO null",
                        "INVITE null",
                        "ACK null",
                        "OPTIONS null",
                        "MESSAGE alice",
                        "BYE alice");
        server.run(Duration.ofSeconds(40));
        server.assertEmpty();
    }

    /** As in dialogs of our own: who is a user is believed what he says of his address. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rfc3261_17_1_2_2_aProxyRepeatsWhatGoesToACallerOnlyWhereHeHasProvedToBeAUser(
            boolean asked) {
        noting.proxies = true;
        deploy(ExecutionMode.BLOCKING, constraint(Set.of("staff"), asked ? "INVITE" : "MESSAGE"));
        send(alice, "INVITE", CONTACT);
        if (asked) {
            DigestClient client = challenged(alice, "alice");
            send(alice, "INVITE", CONTACT, answer(client, "INVITE", US));
        }
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b");
        accepted(alice);
        String route = "Route: " + invite.recordRoutes().getFirst();
        bob.request("BYE sip:10.0.0.2:5060", "<sip:uas@y>;tag=b", ALICE, "c1", 1, route);
        server.run(Duration.ofSeconds(40));
        assertThat(alice.requests("BYE")).isEqualTo(asked ? 11 : 1);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void theCalleeBehindAProxyIsNotItsCaller(ExecutionMode mode) {
        noting.proxies = true;
        deploy(mode, constraint(Set.of("staff"), "INVITE", "MESSAGE", "INFO"));
        send(alice, "INVITE", CONTACT);
        DigestClient client = challenged(alice, "alice");
        send(alice, "INVITE", CONTACT, answer(client, "INVITE", US));
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b");
        accepted(alice);
        String route = "Route: " + invite.recordRoutes().getFirst();
        alice.request("ACK sip:10.0.0.3:5060", ALICE, "<sip:uas@y>;tag=b", "c1", cseq, route);
        bob.request("ACK");
        String toAlice = " sip:10.0.0.2:5060";
        bob.request("INFO" + toAlice, "<sip:uas@y>;tag=b", ALICE, "c1", 1, route);
        SipRequest info = alice.request("INFO");
        alice.respond(info, 200, "");
        bob.response(200);
        bob.request("MESSAGE" + toAlice, "<sip:uas@y>;tag=b", ALICE, "c1", 2, route);
        DigestClient his = challenged(bob, "alice");
        assertThat(alice.requests("MESSAGE")).isZero();
        server.container.security().users().forget(); // so that the store has to be asked
        bob.request(
                "MESSAGE" + toAlice,
                "<sip:uas@y>;tag=b",
                ALICE,
                "c1",
                3,
                route,
                answer(his, "MESSAGE", "sip:10.0.0.2:5060"));
        SipRequest message = alice.request("MESSAGE");
        assertThat(message.has(HeaderName.AUTHORIZATION)).isFalse();
        alice.respond(message, 200, "");
        bob.response(200);
        bob.request("BYE" + toAlice, "<sip:uas@y>;tag=b", ALICE, "c1", 4, route);
        alice.respond(alice.request("BYE"), 200, "");
        bob.response(200);
        assertThat(noting.served)
                .containsExactly(
                        "INVITE alice", "ACK alice", "INFO null", "MESSAGE alice", "BYE null");
        assertThat(alice.requests("MESSAGE")).isEqualTo(1);
    }

    /** RFC 3325 5: whom we assert when a call begins stays who he is in it. */
    @Test
    void whoIsAssertedAtFirstAssertsNobodyElseLater() {
        server.container.security().asserter(new IdentityAsserter(List.of("example.com")));
        noting.proxies = true;
        deploy(ExecutionMode.BLOCKING, constraint(Set.of("staff"), "INVITE"));
        send(alice, "INVITE", CONTACT);
        DigestClient client = challenged(alice, "alice");
        send(alice, "INVITE", CONTACT, answer(client, "INVITE", US));
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 200, "b");
        accepted(alice);
        String route = "Route: " + invite.recordRoutes().getFirst();
        String to = "<sip:uas@y>;tag=b";
        alice.request("ACK sip:10.0.0.3:5060", ALICE, to, "c1", cseq, route);
        bob.request("ACK");
        alice.request(
                "UPDATE sip:10.0.0.3:5060",
                ALICE,
                to,
                "c1",
                ++cseq,
                route,
                "P-Asserted-Identity: <sip:king@example.com>");
        assertThat(bob.request("UPDATE").headers(HeaderName.P_ASSERTED_IDENTITY))
                .containsExactly("<sip:alice@example.com>");
    }

    /** A B2BUA passes on a second answer of a fork: another dialog of the same caller. */
    @Test
    void everyDialogOfOneRequestIsItsCallers() {
        SipServlet twice = new Twice(noting.served);
        server.container.security().users().store(Guard::find);
        try {
            server.container.deploy(
                    Guard.application(
                            "test",
                            ExecutionMode.BLOCKING,
                            twice,
                            constraint(Set.of("staff"), "INVITE", "INFO")));
        } catch (DeploymentException e) {
            throw new IllegalStateException(e);
        }
        send(alice, "INVITE", CONTACT);
        DigestClient client = challenged(alice, "alice");
        send(alice, "INVITE", CONTACT, answer(client, "INVITE", US));
        String first = accepted(alice).toTag();
        String second = accepted(alice).toTag();
        assertThat(second).isNotEqualTo(first);
        for (String each : List.of(String.valueOf(first), String.valueOf(second))) {
            tag = each;
            ack();
            int invite = cseq;
            send(alice, "INFO");
            alice.response(200);
            send(alice, "BYE");
            alice.response(200);
            cseq = invite;
        }
        assertThat(noting.served).filteredOn(s -> s.startsWith("INFO")).hasSize(2);
        assertThat(noting.served).allMatch(s -> s.endsWith(" alice"));
    }

    /** Answers an INVITE by two dialogs. */
    private static final class Twice extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final transient List<String> served;

        Twice(List<String> served) {
            this.served = served;
        }

        @Override
        protected void doRequest(SipServletRequest request) throws IOException {
            served.add(request.getMethod() + " " + request.getRemoteUser());
            if (request.isInitial()) {
                request.getB2buaHelper();
                request.createResponse(200).send();
                request.getB2buaHelper()
                        .createResponseToOriginalRequest(request.getSession(), 200, null)
                        .send();
            } else if (!request.getMethod().equals("ACK")) {
                request.createResponse(200).send();
            }
        }
    }

    @Test
    void whatIsForTlsOnlyIsSoInADialogToo() {
        deploy(
                ExecutionMode.BLOCKING,
                new SecurityConstraint(
                        List.of(
                                new SecurityConstraint.Resources(
                                        Set.of(), Set.of("MESSAGE", "BYE"))),
                        false,
                        null,
                        true));
        send(alice, "INVITE", CONTACT);
        accepted(alice);
        ack();
        send(alice, "MESSAGE");
        alice.response(403);
        send(alice, "BYE");
        alice.response(200);
    }

    /** A call of alice's through the proxy, for which she has shown her credentials. */
    private String proxiedCall() {
        noting.proxies = true;
        deploy(ExecutionMode.BLOCKING, constraint(Set.of("*"), "INVITE", "MESSAGE"));
        send(alice, "INVITE", CONTACT);
        DigestClient client = challenged(alice, "alice");
        send(alice, "INVITE", CONTACT, answer(client, "INVITE", US));
        bob.respond(bob.request("INVITE"), 200, "b");
        SipResponse ok = accepted(alice);
        String route = "Route: " + ok.recordRoutes().getFirst();
        String to = "<sip:uas@y>;tag=b";
        alice.request("ACK sip:bob@10.0.0.3:5060", ALICE, to, "c1", cseq, route);
        bob.request("ACK");
        noting.served.clear();
        return route;
    }

    /** Through a proxy the callee knows the caller's tag as well as he does. */
    @ParameterizedTest
    @ValueSource(strings = {"MESSAGE", "INVITE"})
    void theCallerSTagIsNoProofWhereTheCalleeHasIt(String method) {
        String route = proxiedCall();
        RawPeer third = server.peer("10.0.0.9");
        String to = "<sip:uas@y>;tag=b";
        bob.request(method + " sip:v@10.0.0.9:5060", ALICE, to, "c1", 70, route);
        bob.response(401);
        assertThat(third.all).isEmpty();
        assertThat(noting.served).isEmpty();
    }

    /** RFC 3261 16.12.1.1: in a dialog a request goes to its other end. */
    @Test
    void whoWasCalledBeginsNothingElsewhere() {
        String route = proxiedCall();
        RawPeer third = server.peer("10.0.0.9");
        String of = "<sip:uas@y>;tag=b";
        bob.request("INVITE sip:v@10.0.0.9:5060", of, ALICE, "c1", 1, route);
        bob.response(403);
        assertThat(third.all).isEmpty();
        bob.request("INVITE sip:10.0.0.2:5060", of, ALICE, "c1", 2, route);
        assertThat(alice.request("INVITE").callId()).isEqualTo("c1");
    }

    @Test
    void theCallerIsKnownAgainWhereHisCallCameFrom() {
        String route = proxiedCall();
        String to = "<sip:uas@y>;tag=b";
        alice.request("INVITE sip:10.0.0.3:5060", ALICE, to, "c1", 20, route);
        bob.respond(bob.request("INVITE"), 200, "b");
        alice.response(200);
        assertThat(noting.served).containsExactly("INVITE alice");
        // A datagram says only where it claims to come from: more than that is asked for again.
        alice.request("MESSAGE sip:bob@10.0.0.3:5060", ALICE, to, "c1", 21, route);
        alice.response(401);
    }
}
