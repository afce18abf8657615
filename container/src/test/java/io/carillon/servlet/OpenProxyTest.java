package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the two ends of a call may do through a record-routing proxy that asks nobody. */
class OpenProxyTest {
    private static final String ALICE = "<sip:a@x>;tag=a";
    private static final String BOB = "<sip:uas@y>;tag=b";

    /** A header of another name, so that the response has no Contact. */
    private static final String NO_CONTACT = "Contact-None: x";

    private Server server = Server.fresh(1);
    private RawPeer alice = server.peer("10.0.0.2");
    private RawPeer bob = server.peer("10.0.0.3");
    private String route = "";

    @BeforeEach
    void deploy() {
        server.deploy(new ProxyTest.Forwarder(), ExecutionMode.NON_BLOCKING);
    }

    private SipRequest invite() {
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                ALICE,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:alice@10.0.0.2:5060>");
        return bob.request("INVITE");
    }

    private void call() {
        bob.respond(invite(), 200, "b", "Contact: <sip:bob@10.0.0.3:5060>");
        SipResponse ok = alice.response(200);
        route = "Route: " + ok.recordRoutes().getFirst();
        alice.request("ACK sip:bob@10.0.0.3:5060", ALICE, BOB, "c1", 1, route);
        bob.request("ACK");
    }

    /** RFC 3261 12.2.1.1, 16.12.1.1: in a dialog a request goes to its other end. */
    @ParameterizedTest
    @ValueSource(strings = {"INVITE", "MESSAGE", "REFER", "SUBSCRIBE", "PUBLISH", "REGISTER"})
    void neitherEndBeginsAnythingElsewhere(String method) {
        call();
        RawPeer third = server.peer("10.0.0.9");
        int cseq = 2;
        String own = "sip:bob@10.0.0.3:5060";
        String byThird = route + ", <sip:10.0.0.9;lr>";
        for (String[] way :
                List.of(
                        new String[] {"sip:v@10.0.0.9:5060", route},
                        new String[] {"sip:premium@10.0.0.3:5060", route},
                        new String[] {"sip:10.0.0.3:5060", route},
                        new String[] {own, byThird})) {
            alice.request(method + " " + way[0], ALICE, BOB, "c1", ++cseq, way[1]);
            alice.response(403);
        }
        bob.request(method + " sip:v@10.0.0.9:5060", BOB, ALICE, "c1", ++cseq, route);
        bob.response(403);
        assertThat(third.all).isEmpty();
        alice.request(method + " " + own, ALICE, BOB, "c1", ++cseq, route);
        bob.respond(bob.request(method), 200, "b", "Contact: <sip:bob@10.0.0.3:5060>");
        alice.response(200);
    }

    /** RFC 3261 12.2: a target refresh gives another one. */
    @ParameterizedTest
    @ValueSource(strings = {"INVITE", "UPDATE", "NOTIFY"})
    void afterARefreshTheOtherEndIsThere(String method) {
        call();
        String contact = "Contact: <sip:elsewhere@10.0.0.3:5060>";
        bob.request(method + " sip:alice@10.0.0.2:5060", BOB, ALICE, "c1", 5, route, contact);
        alice.respond(alice.request(method), 200, "");
        bob.response(200);
        alice.request("INVITE sip:elsewhere@10.0.0.3:5060", ALICE, BOB, "c1", 9, route);
        assertThat(bob.request("INVITE").requestUri()).hasToString("sip:elsewhere@10.0.0.3:5060");
    }

    /** Whoever answers in the place of an end does not say where that end is. */
    @Test
    void anAnswerFromElsewhereIsNoTargetOfTheCaller() {
        call();
        RawPeer accomplice = server.peer("10.0.0.9");
        bob.request("UPDATE sip:x@10.0.0.9:5060", BOB, ALICE, "c1", 5, route);
        accomplice.respond(
                accomplice.request("UPDATE"), 200, "", "Contact: <sip:z@10.0.0.66:5060>");
        bob.response(200);
        // To ourselves, as an end does that keeps no route set: the way is what we know.
        bob.request("INFO sip:10.0.0.1:5060", BOB, ALICE, "c1", 6);
        assertThat(alice.request("INFO").requestUri()).hasToString("sip:alice@10.0.0.2:5060");
    }

    /** RFC 3261 16.11: the ACK of a call passes whoever is on its route. */
    @ParameterizedTest
    @ValueSource(strings = {"b", "b,c,d"})
    void withoutAnAckThereIsNoCall(String tags) {
        SipRequest invite = invite();
        for (String tag : tags.split(",")) {
            bob.respond(invite, 200, tag);
        }
        alice.response(200);
        server.run(Duration.ofSeconds(20));
        assertThat(server.container.status().confirmed()).isPositive();
        server.run(Duration.ofSeconds(60));
        server.assertEmpty();
        assertThat(server.container.status().acksMissing()).isEqualTo(tags.split(",").length);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ACK", "UPDATE"})
    void whoeverWasHeardHasACall(String method) {
        bob.respond(invite(), 200, "b", "Contact: <sip:bob@10.0.0.3:5060>");
        route = "Route: " + alice.response(200).recordRoutes().getFirst();
        alice.request(method + " sip:bob@10.0.0.3:5060", ALICE, BOB, "c1", 1, route);
        bob.request(method);
        server.run(Duration.ofSeconds(120));
        assertThat(server.container.status().confirmed()).isEqualTo(1);
    }

    /** RFC 3261 16.6 step 6: one without lr becomes the Request-URI. */
    @ParameterizedTest
    @ValueSource(strings = {"INVITE", "MESSAGE", "REFER"})
    void aStrictRouteBeginsNothingAtAnotherUser(String method) {
        call();
        String own = "sip:bob@10.0.0.3:5060";
        int cseq = 1;
        for (String strict :
                List.of(
                        route + ", <sip:premium@10.0.0.3:5060>",
                        "Route: <sip:premium@10.0.0.3:5060>",
                        route + ", <sip:10.0.0.3:5060;lr>, <sip:premium@10.0.0.3:5060>")) {
            alice.request(method + " " + own, ALICE, BOB, "c1", ++cseq, strict);
            alice.response(403);
        }
        alice.request(method + " sip:bob:premium@10.0.0.3:5060", ALICE, BOB, "c1", 9, route);
        alice.response(403);
        assertThat(bob.requests(method)).isEqualTo(method.equals("INVITE") ? 1 : 0);
    }

    /** What an application has let go on to a number goes on to that number. */
    @Test
    void norDoesItWhereTheCallBegins() {
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                ALICE,
                "<sip:uas@y>",
                "c1",
                1,
                "Route: <sip:10.0.0.1;lr>, <sip:premium@10.0.0.3:5060>",
                "Contact: <sip:alice@10.0.0.2:5060>");
        assertThat(bob.request("INVITE").requestUri().toString()).doesNotContain("premium");
    }

    /** RFC 3261 13.3.1.4: a 2xx MUST have a Contact. Without it he is where he was called. */
    @ParameterizedTest
    @ValueSource(strings = {NO_CONTACT, "Contact: *"})
    void whoNamesNoContactLeadsNowhereElse(String contact) {
        bob.respond(invite(), 200, "b", contact);
        route = "Route: " + alice.response(200).recordRoutes().getFirst();
        alice.request("ACK sip:uas@10.0.0.3:5060", ALICE, BOB, "c1", 1, route);
        bob.request("ACK");
        RawPeer third = server.peer("10.0.0.9");
        int cseq = 1;
        for (String method : List.of("INVITE", "MESSAGE", "REFER", "SUBSCRIBE", "REGISTER")) {
            alice.request(method + " sip:v@10.0.0.9:5060", ALICE, BOB, "c1", ++cseq, route);
            alice.response(403);
        }
        assertThat(third.all).isEmpty();
        alice.request("INVITE sip:uas@10.0.0.3:5060", ALICE, BOB, "c1", ++cseq, route);
        bob.request("INVITE");
    }

    @Test
    void norDoesWhoRingsWithoutOne() {
        bob.respond(invite(), 183, "b", NO_CONTACT);
        route = "Route: " + alice.response(183).recordRoutes().getFirst();
        alice.request("INVITE sip:v@10.0.0.9:5060", ALICE, BOB, "c1", 2, route);
        alice.response(403);
    }

    /** A caller who named none is nowhere. */
    @Test
    void norDoesACallerWithoutOne() {
        alice.request("INVITE sip:uas@10.0.0.1", ALICE, "<sip:uas@y>", "c1", 1);
        bob.respond(bob.request("INVITE"), 200, "b", "Contact: <sip:bob@10.0.0.3:5060>");
        route = "Route: " + alice.response(200).recordRoutes().getFirst();
        bob.request("INVITE sip:v@10.0.0.9:5060", BOB, ALICE, "c1", 2, route);
        bob.response(403);
    }

    /**
     * RFC 3261 12.2.2: a refresh moves the target of who sends it, and both ends know both tags.
     */
    @ParameterizedTest
    @ValueSource(strings = {"UPDATE", "NOTIFY"})
    void neitherEndMovesTheOtherInItsName(String method) {
        call();
        String moved = "Contact: <sip:v@10.0.0.9:5060>";
        alice.request(method + " sip:alice@10.0.0.2:5060", BOB, ALICE, "c1", 5, route, moved);
        alice.respond(alice.request(method), 200, "");
        alice.response(200);
        alice.request("INVITE sip:v@10.0.0.9:5060", ALICE, BOB, "c1", 6, route);
        alice.response(403);
        bob.request(method + " sip:bob@10.0.0.3:5060", ALICE, BOB, "c1", 7, route, moved);
        bob.respond(bob.request(method), 200, "");
        bob.response(200);
        bob.request("INVITE sip:v@10.0.0.9:5060", BOB, ALICE, "c1", 8, route);
        bob.response(403);
    }

    /** Nor by an answer that it gives itself, where a Route of its own has led. */
    @Test
    void neitherEndAnswersForTheOther() {
        call();
        String moved = "Contact: <sip:v@10.0.0.9:5060>";
        String back = route + ", <sip:10.0.0.2:5060;lr>";
        alice.request("UPDATE sip:bob@10.0.0.3:5060", ALICE, BOB, "c1", 5, back);
        alice.respond(alice.request("UPDATE"), 200, "", moved);
        alice.response(200);
        alice.request("INVITE sip:v@10.0.0.9:5060", ALICE, BOB, "c1", 6, route);
        alice.response(403);
    }

    /** A datagram with the other end's source leads no further than to that end's host. */
    @Test
    void noForgedDatagramMovesAnEndToAnotherHost() {
        call();
        bob.request(
                "UPDATE sip:alice@10.0.0.2:5060",
                BOB,
                ALICE,
                "c1",
                5,
                route,
                "Contact: <sip:v@10.0.0.9:5060>");
        alice.respond(alice.request("UPDATE"), 200, "");
        bob.response(200);
        alice.request("INVITE sip:v@10.0.0.9:5060", ALICE, BOB, "c1", 6, route);
        alice.response(403);
    }

    /** By a connection from another network he shows that he is there. */
    @Test
    void whoHasMovedIsReachedWhereHisConnectionComesFrom() {
        call();
        RawPeer mobile = server.peer("10.0.0.7").over(Transport.TCP);
        String contact = "Contact: <sip:bob@10.0.0.7:5060;transport=tcp>";
        mobile.request("UPDATE sip:alice@10.0.0.2:5060", BOB, ALICE, "c1", 5, route, contact);
        alice.respond(alice.request("UPDATE"), 200, "");
        mobile.response(200);
        alice.request("INVITE sip:bob@10.0.0.7:5060;transport=tcp", ALICE, BOB, "c1", 6, route);
        mobile.request("INVITE");
    }

    /** The callee knows the caller's tag too. */
    @ParameterizedTest
    @ValueSource(strings = {"ACK", "INFO"})
    void aCalleeDoesNotAcknowledgeInTheCallersName(String method) {
        bob.respond(invite(), 200, "b", "Contact: <sip:bob@10.0.0.3:5060>");
        route = "Route: " + alice.response(200).recordRoutes().getFirst();
        bob.request(method + " sip:bob@10.0.0.3:5060", ALICE, BOB, "c1", 1, route);
        SipRequest own = bob.request(method);
        if (method.equals("INFO")) {
            bob.respond(own, 200, "");
        }
        server.run(Duration.ofSeconds(90));
        server.assertEmpty();
    }

    /** RFC 3261 16.11: its ACK may come past the proxy that its INVITE came by. */
    @Test
    void aCallersAckFromElsewhereIsHis() {
        bob.respond(invite(), 200, "b", "Contact: <sip:bob@10.0.0.3:5060>");
        route = "Route: " + alice.response(200).recordRoutes().getFirst();
        server.peer("10.0.0.8").request("ACK sip:bob@10.0.0.3:5060", ALICE, BOB, "c1", 1, route);
        bob.request("ACK");
        server.run(Duration.ofSeconds(120));
        assertThat(server.container.status().confirmed()).isEqualTo(1);
    }
}
