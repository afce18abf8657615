package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.members.Proves;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A back-to-back user agent as an application. */
class B2buaTest {
    private static final String FROM = "<sip:a@x>;tag=a";

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves(
            also = {
                "B2buaHelper#getPendingMessages(SipSession,UAMode)",
                "B2buaHelper#createRequest(SipSession,SipServletRequest,Map)",
            })
    void twoDialogsOneCall(ExecutionMode mode) {
        Server server = Server.fresh(1).deploy(new Bridge("sip:uas@10.0.0.3:5060"), mode);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>",
                "X-One: 1");
        SipRequest invite = bob.request("INVITE");
        assertThat(invite.callId()).isNotEqualTo("c1");
        assertThat(invite.fromTag()).isNotEqualTo("a");
        assertThat(invite.toTag()).isNull();
        assertThat(invite.maxForwards()).isEqualTo(69);
        assertThat(invite.vias()).hasSize(1);
        assertThat(invite.contact()).hasToString("<sip:10.0.0.1:5060>");
        assertThat(invite.requestUri()).hasToString("sip:uas@10.0.0.3:5060");
        bob.respond(invite, 180, "b");
        alice.response(180);
        bob.respond(invite, 200, "b");
        SipResponse ok = alice.response(200);
        String to = "<sip:uas@y>;tag=" + ok.toTag();
        alice.request("ACK sip:10.0.0.1:5060", FROM, to, "c1", 1);
        bob.request("ACK");
        server.run(Duration.ofSeconds(1));
        assertThat(server.container.callsHeld()).isEqualTo(1);
        assertThat(server.container.status().confirmed()).isEqualTo(2);
        alice.request("BYE sip:10.0.0.1:5060", FROM, to, "c1", 2);
        SipRequest bye = bob.request("BYE");
        assertThat(bye.requestUri()).hasToString("sip:10.0.0.3:5060");
        bob.respond(bye, 200, "");
        alice.response(200);
        server.run(Duration.ofMillis(100));
        server.assertEmpty();
        server.run(Duration.ofSeconds(70));
        assertThat(server.node.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves(
            also = {
                "B2buaHelper#createRequest(SipServletRequest,boolean,Map)",
                "B2buaHelper#getLinkedSipServletRequest(SipServletRequest)",
                "SipServletRequest#setRequestURI(URI)",
            })
    void calleeRefusesAndNothingIsLeft(ExecutionMode mode) {
        Server server = Server.fresh(1).deploy(new Bridge("sip:uas@10.0.0.3:5060"), mode);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        bob.respond(bob.request("INVITE"), 486, "b");
        alice.response(486);
        bob.request("ACK");
        server.run(Duration.ofMillis(100));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    @Proves(also = "B2buaHelper#getLinkedSession(SipSession)")
    void callerCancels(ExecutionMode mode) {
        Server server = Server.fresh(1).deploy(new Bridge("sip:uas@10.0.0.3:5060"), mode);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        alice.send(
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bKinv",
                        FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        "Contact: <sip:10.0.0.2:5060>"));
        SipRequest invite = bob.request("INVITE");
        bob.respond(invite, 180, "b");
        alice.response(180);
        alice.send(
                alice.text("CANCEL sip:uas@10.0.0.1", "z9hG4bKinv", FROM, "<sip:uas@y>", "c1", 1));
        alice.response(200);
        alice.response(487);
        bob.respond(bob.request("CANCEL"), 200, "b");
        bob.respond(invite, 487, "b");
        bob.request("ACK");
        server.run(Duration.ofMillis(100));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void calleeNeverAnswers408(ExecutionMode mode) {
        Server server = Server.fresh(1).deploy(new Bridge("sip:uas@10.0.0.9:5060"), mode);
        RawPeer alice = server.peer("10.0.0.2");
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        alice.response(408);
        server.run(Duration.ofMillis(100));
        server.assertEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_8_1_2_aStrictRouterIsTheNextHopOfAckAndBye(ExecutionMode mode) {
        Server server = Server.fresh(1).deploy(new Bridge("sip:uas@10.0.0.3:5060"), mode);
        RawPeer alice = server.peer("10.0.0.2");
        RawPeer bob = server.peer("10.0.0.3");
        RawPeer strict = server.peer("10.0.0.4");
        alice.request(
                "INVITE sip:uas@10.0.0.1",
                FROM,
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        // The UAC takes the routes in reverse order: the strict router is the first.
        bob.respond(
                bob.request("INVITE"), 200, "b", "Record-Route: <sip:10.0.0.5;lr>, <sip:10.0.0.4>");
        String to = "<sip:uas@y>;tag=" + alice.response(200).toTag();
        alice.request("ACK sip:10.0.0.1:5060", FROM, to, "c1", 1);
        SipRequest ack = strict.request("ACK");
        assertThat(ack.requestUri()).hasToString("sip:10.0.0.4");
        assertThat(ack.routes()).hasToString("[<sip:10.0.0.5;lr>, <sip:10.0.0.3:5060>]");
        alice.request("BYE sip:10.0.0.1:5060", FROM, to, "c1", 2);
        SipRequest bye = strict.request("BYE");
        assertThat(bye.requestUri()).hasToString("sip:10.0.0.4");
        assertThat(bye.routes()).hasToString("[<sip:10.0.0.5;lr>, <sip:10.0.0.3:5060>]");
        strict.respond(bye, 200, "");
        alice.response(200);
        server.run(Duration.ofSeconds(1));
        server.assertEmpty();
    }
}
