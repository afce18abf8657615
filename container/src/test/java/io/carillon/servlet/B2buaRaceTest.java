package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.sip.message.SipRequest;
import java.io.IOException;
import java.time.Duration;
import javax.servlet.ServletException;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What crosses on the wire, seen by a back-to-back user agent application. */
class B2buaRaceTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    private final Bridge bridge = new Bridge("sip:b@10.0.0.3:5060");
    private final Server server = Server.fresh(13);
    private final RawPeer alice = server.peer("10.0.0.2");
    private final RawPeer bob = server.peer("10.0.0.3");
    private String to = "";
    private SipRequest leg;

    private void ring(ExecutionMode mode) {
        ring(bridge, mode);
    }

    private void ring(Bridge application, ExecutionMode mode) {
        server.deploy(application, mode);
        alice.send(
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bKinv",
                        FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        CONTACT));
        leg = bob.request("INVITE");
        bob.respond(leg, 180, "b");
        to = "<sip:uas@y>;tag=" + alice.response(180).toTag();
    }

    private void talk(ExecutionMode mode) {
        talk(bridge, mode);
    }

    private void talk(Bridge application, ExecutionMode mode) {
        ring(application, mode);
        bob.respond(leg, 200, "b");
        alice.response(200);
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        bob.request("ACK");
        server.run(Duration.ofMillis(50));
    }

    private void cancel() {
        alice.send(
                alice.text("CANCEL sip:uas@10.0.0.1", "z9hG4bKinv", FROM, "<sip:uas@y>", "c1", 1));
    }

    private void bye() {
        alice.request("BYE sip:10.0.0.1", FROM, to, "c1", 7);
    }

    private void bobRequest(String method, int cseq) {
        bob.request(
                method + " sip:10.0.0.1",
                leg.to() + ";tag=b",
                leg.from().toString(),
                leg.callId(),
                cseq,
                "Contact: <sip:10.0.0.3:5060>");
    }

    private void assertNothingLeft() {
        server.run(Duration.ofMillis(200));
        server.assertEmpty();
        server.run(Duration.ofSeconds(70));
        assertThat(server.node.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_9_2_aCancelBeforeTheCallees200EndsBothLegs(ExecutionMode mode) {
        ring(mode);
        cancel();
        server.run(Duration.ofNanos(1_500_000));
        bob.respond(leg, 200, "b");
        alice.response(200);
        alice.response(487);
        boolean released = false;
        while (!released) {
            if (bob.any() instanceof SipRequest request && request.is("BYE")) {
                bob.respond(request, 200, "");
                released = true;
            }
        }
        assertThat(bob.requests("ACK")).isEqualTo(1);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_2_2_4_a2xxWhoseHandlerThrowsIsAcknowledgedAndReleased(ExecutionMode mode) {
        ring(new Failing(), mode);
        bob.respond(leg, 200, "b");
        boolean released = false;
        while (!released) {
            if (bob.any() instanceof SipRequest request && request.is("BYE")) {
                bob.respond(request, 200, "");
                released = true;
            }
        }
        assertThat(bob.requests("ACK")).isEqualTo(1);
        cancel();
        alice.response(200);
        alice.response(487);
        server.run(Duration.ofSeconds(70));
        assertThat(server.node.leftovers()).isEmpty();
    }

    /** Its caller is gone when the callee answers, and it did not think of that. */
    private static final class Failing extends Bridge {
        Failing() {
            super("sip:b@10.0.0.3:5060");
        }

        @Override
        protected void doResponse(SipServletResponse response)
                throws ServletException, IOException {
            if (response.getStatus() == 200 && response.getMethod().equals("INVITE")) {
                throw new IllegalStateException("the caller is gone");
            }
            super.doResponse(response);
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_9_2_aCancelAfter200ChangesNothing(ExecutionMode mode) {
        ring(mode);
        bob.respond(leg, 200, "b");
        server.run(Duration.ofMillis(8));
        cancel();
        assertThat(alice.response(200).cseq().method()).isEqualTo("INVITE");
        assertThat(alice.response(200).cseq().method()).isEqualTo("CANCEL");
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 1);
        bob.request("ACK");
        bye();
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_3_1_4_anAckThatNeverComesEndsBothLegs(ExecutionMode mode) {
        ring(mode);
        bob.respond(leg, 200, "b");
        alice.response(200);
        alice.respond(alice.request("BYE"), 200, "");
        assertThat(server.container.status().acksMissing()).isEqualTo(1);
        // The callee never got its ACK either, and may say nothing more at all.
        bob.respond(bob.request("BYE"), 200, "");
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_2_2_4_aRepeated200GetsItsAckAgain(ExecutionMode mode) {
        talk(mode);
        bob.respond(leg, 200, "b");
        bob.respond(leg, 200, "b");
        server.run(Duration.ofMillis(50));
        assertThat(bob.requests("ACK")).isEqualTo(3);
        bye();
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_2_2_4_a2xxToAReInviteAfterTheByeIsAcknowledgedAndKeepsNothing(
            ExecutionMode mode) {
        talk(mode);
        bobRequest("INVITE", 5);
        SipRequest reInvite = alice.request("INVITE");
        bobRequest("BYE", 6);
        SipRequest bye = alice.request("BYE");
        alice.respond(bye, 200, "");
        alice.respond(reInvite, 200, "");
        assertThat(alice.request("ACK").cseq().number()).isEqualTo(reInvite.cseq().number());
        server.run(Duration.ofSeconds(40));
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_2_2_4_soIsOneBetweenTheByeAndItsAnswer(ExecutionMode mode) {
        talk(mode);
        bobRequest("INVITE", 5);
        SipRequest reInvite = alice.request("INVITE");
        bobRequest("BYE", 6);
        SipRequest bye = alice.request("BYE");
        alice.respond(reInvite, 200, "");
        assertThat(bob.response(200).cseq().method()).isEqualTo("INVITE");
        alice.respond(bye, 200, "");
        assertThat(bob.response(200).cseq().method()).isEqualTo("BYE");
        assertThat(alice.request("ACK").cseq().number()).isEqualTo(reInvite.cseq().number());
        // The one that it would have come from is on its way still.
        bobRequest("ACK", 5);
        server.run(Duration.ofSeconds(40));
        assertThat(alice.requests("ACK")).isEqualTo(1);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_2_2_4_soIsOneAfterTheByeOfTheOtherSide(ExecutionMode mode) {
        talk(mode);
        bobRequest("INVITE", 5);
        SipRequest reInvite = alice.request("INVITE");
        bye();
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        alice.respond(reInvite, 200, "");
        assertThat(alice.request("ACK").cseq().number()).isEqualTo(reInvite.cseq().number());
        server.run(Duration.ofSeconds(40));
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_15_1_2_aByeCrossesAReInvite(ExecutionMode mode) {
        talk(mode);
        bobRequest("INVITE", 5);
        SipRequest reInvite = alice.request("INVITE");
        bye();
        SipRequest released = bob.request("BYE");
        bob.respond(released, 200, "");
        alice.response(200);
        alice.respond(reInvite, 487, "");
        server.run(Duration.ofMillis(100));
        alice.forget();
        bob.forget();
        assertNothingLeft();
        assertThat(bob.responses(487) + bob.responses(481) + bob.responses(500)).isPositive();
    }

    /** As most applications are, which do not think of it. */
    private static final class Careless extends Bridge {
        private static final long serialVersionUID = 1L;

        Careless() {
            super("sip:b@10.0.0.3:5060");
        }

        @Override
        protected void pending(SipServletRequest request, IllegalStateException glare) {
            throw glare;
        }
    }

    /** Alice's ACK to Bob's first one is on its way still. */
    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_14_2_whatAnApplicationCannotRelayYetIsAnswered491(ExecutionMode mode) {
        talk(new Careless(), mode);
        alice.request("INVITE sip:10.0.0.1", FROM, to, "c1", 2, CONTACT);
        SipRequest first = bob.request("INVITE");
        bob.respond(first, 200, "");
        alice.response(200);
        bobRequest("INVITE", 5);
        assertThat(bob.response(491).cseqNumber()).isEqualTo(5);
        alice.request("ACK sip:10.0.0.1", FROM, to, "c1", 2);
        bob.request("ACK");
        bobRequest("INVITE", 6);
        SipRequest second = alice.request("INVITE");
        alice.respond(second, 200, "");
        bob.response(200);
        assertThat(server.container.errors().ofApplications()).isZero();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_14_2_bothEndsReInviteAndBothHear491(ExecutionMode mode) {
        talk(mode);
        bobRequest("INVITE", 5);
        alice.request("INVITE sip:10.0.0.1", FROM, to, "c1", 2, CONTACT);
        server.run(Duration.ofMillis(50));
        // Whatever order they took: nobody got a 200, everybody may try again.
        for (RawPeer peer : new RawPeer[] {alice, bob}) {
            for (var message : peer.unread()) {
                if (message instanceof SipRequest request && request.is("INVITE")) {
                    peer.respond(request, 491, "");
                }
            }
        }
        server.run(Duration.ofMillis(100));
        assertThat(alice.responses(491)).isEqualTo(1);
        assertThat(bob.responses(491)).isEqualTo(1);
        alice.forget();
        bob.forget();
        bye();
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_2_2_4_aSecond2xxOfAForkIsConfirmedAndReleased(ExecutionMode mode) {
        talk(mode);
        bob.respond(leg, 200, "other");
        assertThat(bob.request("ACK").toTag()).isEqualTo("other");
        SipRequest released = bob.request("BYE");
        assertThat(released.toTag()).isEqualTo("other");
        bob.respond(released, 200, "");
        server.run(Duration.ofMillis(50));
        assertThat(server.container.status().confirmed()).isEqualTo(2);
        bye();
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_17_1_1_2_aLate1xxIsNoEvent(ExecutionMode mode) {
        talk(mode);
        bob.respond(leg, 183, "b");
        server.run(Duration.ofMillis(50));
        assertThat(bridge.events).doesNotContain("INVITE 183");
        assertThat(alice.responses(183)).isZero();
        bye();
        bob.respond(bob.request("BYE"), 200, "");
        alice.response(200);
        assertNothingLeft();
    }
}
