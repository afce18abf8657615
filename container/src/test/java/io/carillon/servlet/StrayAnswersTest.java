package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.time.Duration;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** 2xx to INVITE that belong to no transaction: ended where the INVITE was ours, else dropped. */
class StrayAnswersTest {
    private final Manual phone = new Manual();
    private final Server server = Server.fresh(7).deploy(phone, ExecutionMode.NON_BLOCKING);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer stranger = server.peer("10.0.0.8");
    private final RawPeer victim = server.peer("10.0.0.9");

    /** A 200 to an INVITE with that one Via. */
    private static String ok(
            String branch, String callId, String fromTag, String toTag, long cseq, String contact) {
        return "SIP/2.0 200 OK\n"
                + "Via: SIP/2.0/UDP 10.0.0.1:5060;branch="
                + branch
                + "\nFrom: <sip:server@10.0.0.1>;tag="
                + fromTag
                + "\nTo: <sip:bob@10.0.0.2:5060>;tag="
                + toTag
                + "\nCall-ID: "
                + callId
                + "\nCSeq: "
                + cseq
                + " INVITE\nContact: <"
                + contact
                + ">\nContent-Length: 0\n\n";
    }

    private static String late(SipRequest invite, String toTag, String contact) {
        return ok(
                String.valueOf(invite.topVia().branch()),
                invite.callId(),
                String.valueOf(invite.fromTag()),
                toTag,
                invite.cseq().number(),
                contact);
    }

    /** An INVITE of ours that alice refused, and whose transaction is over. */
    private SipRequest refused() {
        phone.call("sip:bob@10.0.0.2:5060");
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 486, "busy");
        alice.request("ACK");
        server.run(Duration.ofSeconds(40));
        return invite;
    }

    private void settle() {
        server.run(Duration.ofSeconds(70));
        server.assertClean();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sip:v@10.0.0.9:5060", "sip:v@10.0.0.9:5060;transport=tcp"})
    void aStray2xxMakesUsSendNothing(String contact) {
        for (int i = 0; i < 10; i++) {
            stranger.send(ok("z9hG4bKstray" + i, "stray" + i, "f", "t", 1, contact));
            // A token that anybody can write: of the right form, without our mark.
            stranger.send(
                    ok(
                            "z9hG4bK" + server.node.shards().getFirst().newTag(-1),
                            "made" + i,
                            "f",
                            "t",
                            1,
                            contact));
        }
        settle();
        assertThat(victim.all).isEmpty();
        assertThat(stranger.all).isEmpty();
        assertThat(server.container.status().strays()).isEqualTo(20);
        assertThat(server.container.status().lateAnswers()).isZero();
    }

    @Test
    void rfc3261_13_2_2_4_aLate2xxOfAnInviteOfOursIsConfirmedAndEnded() {
        SipRequest invite = refused();
        alice.send(late(invite, "late", "sip:bob@10.0.0.2:5060"));
        assertThat(alice.request("ACK").toTag()).isEqualTo("late");
        alice.respond(alice.request("BYE"), 200, "");
        settle();
        assertThat(server.container.status().lateAnswers()).isEqualTo(1);
    }

    @Test
    void rfc3261_13_2_2_4_aRepetitionOfItGetsItsAckAgainAndNoSecondBye() {
        SipRequest invite = refused();
        for (int i = 0; i < 30; i++) {
            alice.send(late(invite, "late", "sip:bob@10.0.0.2:5060"));
            server.run(Duration.ofMillis(10));
            if (i == 0) {
                alice.request("ACK");
                alice.respond(alice.request("BYE"), 200, "");
            }
        }
        settle();
        assertThat(alice.requests("BYE")).isEqualTo(1);
        // One for the 486, and those for the eleven times that a 2xx is sent (13.3.1.4).
        assertThat(alice.requests("ACK")).isEqualTo(1 + 11);
    }

    @Test
    void oneInviteIsAnsweredForFourForksAtMost() {
        SipRequest invite = refused();
        for (int i = 0; i < 40; i++) {
            stranger.send(late(invite, "fork" + i, "sip:v@10.0.0.9:5060"));
        }
        settle();
        assertThat(victim.requests("BYE")).isEqualTo(4);
        assertThat(victim.all).hasSize(4);
        assertThat(server.container.counters().lateAnswersLeft.sum()).isEqualTo(36);
    }

    @Test
    void forksOfACallThatIsOverBringAnotherNoMoreThanCameIn() {
        SipServletRequest call = phone.call("sip:bob@10.0.0.2:5060");
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 200, "answer");
        alice.request("ACK");
        call.getApplicationSession().invalidate();
        for (int i = 0; i < 40; i++) {
            alice.send(late(invite, "fork" + i, "sip:v@10.0.0.9:5060"));
        }
        settle();
        assertThat(victim.requests("BYE")).isEqualTo(40);
        assertThat(victim.all).hasSize(40);
    }

    @Test
    void rfc3261_13_2_2_4_aForkOfACallThatIsOverIsConfirmedAndEnded() {
        SipServletRequest call = phone.call("sip:bob@10.0.0.2:5060");
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 200, "answer");
        alice.request("ACK");
        call.getApplicationSession().invalidate();
        alice.send(late(invite, "fork", "sip:bob@10.0.0.2:5060"));
        assertThat(alice.request("ACK").toTag()).isEqualTo("fork");
        alice.request("BYE");
        settle();
        assertThat(alice.requests("BYE")).isEqualTo(11);
    }

    @Test
    void whatIsWrittenBehindABranchOfOursMakesItNoneOfOurs() {
        SipRequest invite = refused();
        String branch = String.valueOf(invite.topVia().branch());
        for (int i = 0; i < 40; i++) {
            stranger.send(
                    ok(
                            branch + "x" + i,
                            invite.callId(),
                            String.valueOf(invite.fromTag()),
                            "fork" + i,
                            invite.cseq().number(),
                            "sip:v@10.0.0.9:5060"));
        }
        settle();
        assertThat(victim.all).isEmpty();
    }

    @Test
    void aKnownBranchServesNoOtherCall() {
        SipRequest invite = refused();
        String branch = String.valueOf(invite.topVia().branch());
        String callId = invite.callId();
        String tag = String.valueOf(invite.fromTag());
        String contact = "sip:v@10.0.0.9:5060";
        stranger.send(ok(branch, "other", tag, "t", invite.cseq().number(), contact));
        stranger.send(ok(branch, callId, "other", "t", invite.cseq().number(), contact));
        stranger.send(ok(branch, callId, tag, "t", invite.cseq().number() + 1, contact));
        settle();
        assertThat(victim.all).isEmpty();
    }

    @Test
    void theBranchOfAnInviteOfLongAgoServesNobody() {
        SipRequest invite = refused();
        server.run(Duration.ofMinutes(16));
        stranger.send(late(invite, "late", "sip:v@10.0.0.9:5060"));
        settle();
        assertThat(victim.all).isEmpty();
    }

    @Test
    void noConnectionIsOpenedForALate2xx() {
        SipRequest invite = refused();
        for (String contact :
                new String[] {"sip:v@10.0.0.9;transport=tcp", "sips:v@10.0.0.9", "tel:+1"}) {
            stranger.send(late(invite, "late", contact));
        }
        settle();
        assertThat(victim.all).isEmpty();
        assertThat(server.container.counters().lateAnswersLeft.sum()).isEqualTo(3);
    }

    @Test
    void aLate2xxOfALivingDialogEndsNothing() {
        phone.call("sip:bob@10.0.0.2:5060");
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 200, "b");
        alice.request("ACK");
        server.run(Duration.ofSeconds(40));
        stranger.send(late(invite, "b", "sip:v@10.0.0.9:5060"));
        stranger.send(late(invite, "b", "sip:bob@10.0.0.2:5060"));
        settle();
        assertThat(alice.requests("BYE")).isZero();
        assertThat(victim.all).isEmpty();
        assertThat(server.container.status().confirmed()).isEqualTo(1);
    }

    @Test
    void rfc6026_7_2_aForkThatAnswersAfterTimerMIsEndedAndTheCallGoesOn() {
        phone.call("sip:bob@10.0.0.2:5060");
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 200, "b");
        alice.request("ACK");
        server.run(Duration.ofSeconds(40));
        alice.send(late(invite, "other", "sip:bob@10.0.0.2:5060"));
        assertThat(alice.request("ACK").toTag()).isEqualTo("other");
        SipRequest bye = alice.request("BYE");
        assertThat(bye.toTag()).isEqualTo("other");
        alice.respond(bye, 200, "");
        settle();
        assertThat(server.container.status().confirmed()).isEqualTo(1);
    }

    /** RFC 3261 17.1.1.2: over TCP nothing is left of the INVITE once its 487 has come. */
    @Test
    void rfc3261_9_1_a200ThatCrossesTheCancelOverTcpIsEnded() throws IOException {
        alice.over(Transport.TCP);
        SipServletRequest call = phone.call("<sip:bob@10.0.0.2:5060;transport=tcp>");
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 180, "b");
        server.run(Duration.ofMillis(100));
        call.createCancel().send();
        alice.respond(alice.request("CANCEL"), 200, "b");
        alice.respond(invite, 487, "a");
        alice.request("ACK");
        server.run(Duration.ofMillis(100));
        alice.send(late(invite, "b", "sip:bob@10.0.0.2:5060;transport=tcp"));
        assertThat(alice.request("ACK").toTag()).isEqualTo("b");
        alice.respond(alice.request("BYE"), 200, "");
        assertThat(alice.lastTransport).isEqualTo(Transport.TCP);
        settle();
    }

    @Test
    void rfc6026_7_3_theBranchOfAProxyServesNoStray2xx() {
        Server proxy =
                Server.fresh(8).deploy(new ProxyTest.Forwarder(), ExecutionMode.NON_BLOCKING);
        RawPeer caller = proxy.peer("10.0.0.2");
        RawPeer callee = proxy.peer("10.0.0.3");
        RawPeer third = proxy.peer("10.0.0.9");
        caller.request(
                "INVITE sip:uas@10.0.0.1",
                "<sip:a@x>;tag=a",
                "<sip:uas@y>",
                "c1",
                1,
                "Contact: <sip:10.0.0.2:5060>");
        SipRequest invite = callee.request("INVITE");
        callee.respond(invite, 486, "busy");
        proxy.run(Duration.ofSeconds(40));
        callee.send(late(invite, "late", "sip:v@10.0.0.9:5060"));
        proxy.run(Duration.ofSeconds(70));
        assertThat(third.all).isEmpty();
    }
}
