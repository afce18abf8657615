package io.carillon.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.harness.RawPeer;
import io.carillon.servlet.harness.Server;
import io.carillon.servlet.kernel.ServletSession;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import javax.servlet.ServletException;
import javax.servlet.sip.SipFactory;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.SipServletResponse;
import javax.servlet.sip.SipSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What crosses on the wire, seen by a user agent application. */
class UaRaceTest {
    private static final String FROM = "<sip:a@x>;tag=a";
    private static final String CONTACT = "Contact: <sip:10.0.0.2:5060>";

    private final Manual phone = new Manual();
    private final Server server = Server.fresh(7);
    private final RawPeer alice = server.peer("10.0.0.2");

    private String ring(ExecutionMode mode) {
        server.deploy(phone, mode);
        alice.send(
                alice.text(
                        "INVITE sip:uas@10.0.0.1",
                        "z9hG4bKinv",
                        FROM,
                        "<sip:uas@y>",
                        "c1",
                        1,
                        CONTACT));
        return "<sip:uas@y>;tag=" + alice.response(180).toTag();
    }

    private String talk(ExecutionMode mode) {
        String to = ring(mode);
        phone.answer(200);
        alice.response(200);
        alice.request("ACK sip:uas@10.0.0.1", FROM, to, "c1", 1);
        server.run(Duration.ofMillis(100));
        assertThat(phone.events).contains("ACK");
        return to;
    }

    private void cancel() {
        alice.send(
                alice.text("CANCEL sip:uas@10.0.0.1", "z9hG4bKinv", FROM, "<sip:uas@y>", "c1", 1));
    }

    private void assertNothingLeft() {
        server.run(Duration.ofMillis(200));
        server.assertEmpty();
        server.run(Duration.ofSeconds(70));
        assertThat(server.node.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_9_2_a200BeforeTheCancelStands(ExecutionMode mode) {
        String to = ring(mode);
        phone.answer(200);
        server.run(Duration.ofMillis(3));
        cancel();
        assertThat(alice.response(200).cseq().method()).isEqualTo("INVITE");
        assertThat(alice.response(200).cseq().method()).isEqualTo("CANCEL");
        alice.request("ACK sip:uas@10.0.0.1", FROM, to, "c1", 1);
        alice.request("BYE sip:uas@10.0.0.1", FROM, to, "c1", 2);
        alice.response(200);
        assertThat(phone.events).containsExactly("INVITE", "ACK", "BYE");
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_9_2_aCancelBefore200WinsAndTheApplicationIsTold(ExecutionMode mode) {
        ring(mode);
        cancel();
        assertThat(alice.response(200).cseq().method()).isEqualTo("CANCEL");
        alice.response(487);
        server.run(Duration.ofMillis(100));
        assertThatThrownBy(() -> phone.answer(200)).isInstanceOf(IllegalStateException.class);
        assertThat(phone.events).containsExactly("INVITE", "CANCEL");
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_3_1_4_a200WithoutAckIsRepeatedAndThenEndedByBye(ExecutionMode mode) {
        ring(mode);
        phone.answer(200);
        alice.response(200);
        SipRequest bye = alice.request("BYE");
        assertThat(alice.responses(200)).isGreaterThan(5);
        alice.respond(bye, 200, "");
        assertThat(server.container.status().acksMissing()).isEqualTo(1);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_2_2_4_aRepeated200GetsItsAckAgainAndNoSecondEvent(ExecutionMode mode) {
        server.deploy(phone, mode);
        phone.call("sip:bob@10.0.0.2:5060");
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 200, "b");
        alice.request("ACK");
        alice.respond(invite, 200, "b");
        alice.respond(invite, 200, "b");
        server.run(Duration.ofMillis(200));
        assertThat(alice.requests("ACK")).isEqualTo(3);
        assertThat(phone.events).containsExactly("INVITE 200");
        alice.request(
                "BYE sip:10.0.0.1",
                "<sip:b@y>;tag=b",
                "<sip:s@x>;tag=" + invite.fromTag(),
                invite.callId(),
                9);
        alice.response(200);
        assertNothingLeft();
    }

    /** Never acknowledges. */
    private static final class Forgetful extends SipServlet {
        private static final long serialVersionUID = 1L;

        transient @Nullable SipSession answered;

        void call() {
            SipFactory factory = (SipFactory) getServletContext().getAttribute(SIP_FACTORY);
            try {
                factory.createRequest(
                                factory.createApplicationSession(),
                                "INVITE",
                                "sip:server@10.0.0.1",
                                "sip:bob@10.0.0.2:5060")
                        .send();
            } catch (ServletException | IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        protected void doResponse(SipServletResponse response) {
            answered = response.getSession();
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_3_1_4_a2xxThatNobodyAcknowledgesIsKeptAsLongAsItMayComeAgain(
            ExecutionMode mode) {
        Forgetful forgetful = new Forgetful();
        server.deploy(forgetful, mode);
        forgetful.call();
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 200, "b");
        server.run(Duration.ofSeconds(31));
        ServletSession session = (ServletSession) Objects.requireNonNull(forgetful.answered);
        assertThat(session.open()).hasSize(1);
        server.run(Duration.ofSeconds(2));
        assertThat(session.open()).isEmpty();
        alice.request(
                "BYE sip:10.0.0.1",
                "<sip:b@y>;tag=b",
                "<sip:s@x>;tag=" + invite.fromTag(),
                invite.callId(),
                9);
        alice.any();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_3_1_1_whoRingsAndSaysNothingMoreIsCancelled(ExecutionMode mode) {
        server.deploy(phone, mode);
        phone.call("sip:bob@10.0.0.2:5060").getApplicationSession().setExpires(0);
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 180, "b");
        server.run(Duration.ofMinutes(14));
        assertThat(alice.requests("CANCEL")).isZero();
        server.run(Duration.ofMinutes(2));
        assertThat(alice.request("CANCEL").header(HeaderName.REASON)).contains("cause=408");
        alice.respond(invite, 180, "b"); // does not prolong it
        server.run(Duration.ofSeconds(70));
        assertThat(phone.events).contains("INVITE 408");
        assertThat(server.node.shards().getFirst().counters().get(Counter.RINGING_TOO_LONG))
                .isEqualTo(1);
        alice.forget();
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_3_1_1_whoSaysEveryMinuteThatItRingsMayGoOn(ExecutionMode mode) {
        server.deploy(phone, mode);
        phone.call("sip:bob@10.0.0.2:5060");
        SipRequest invite = alice.request("INVITE");
        for (int i = 0; i < 60; i++) {
            alice.respond(invite, 180, "b");
            server.run(Duration.ofMinutes(1));
        }
        assertThat(alice.requests("CANCEL")).isZero();
        alice.respond(invite, 200, "b");
        alice.request("ACK");
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_15_1_2_aByeCrossesOurReInvite(ExecutionMode mode) throws IOException {
        String to = talk(mode);
        phone.invite.getSession().createRequest("INVITE").send();
        SipRequest reInvite = alice.request("INVITE");
        alice.request("BYE sip:uas@10.0.0.1", FROM, to, "c1", 2);
        alice.response(200);
        alice.respond(reInvite, 487, "");
        alice.request("ACK");
        assertThat(phone.events).contains("BYE");
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_14_2_bothSidesReInviteAndBothGet491(ExecutionMode mode) throws IOException {
        String to = talk(mode);
        SipServletRequest ours = phone.invite.getSession().createRequest("INVITE");
        ours.send();
        SipRequest reInvite = alice.request("INVITE");
        alice.request("INVITE sip:uas@10.0.0.1", FROM, to, "c1", 2, CONTACT);
        alice.response(491);
        alice.respond(reInvite, 491, "");
        alice.request("ACK");
        server.run(Duration.ofMillis(100));
        assertThat(phone.events).endsWith("INVITE 491");
        alice.request("BYE sip:uas@10.0.0.1", FROM, to, "c1", 3);
        alice.response(200);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_2_2_4_aSecond2xxOfAForkIsASessionOfItsOwn(ExecutionMode mode) {
        server.deploy(phone, mode);
        phone.call("sip:bob@10.0.0.2:5060");
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 180, "one");
        alice.respond(invite, 180, "two");
        alice.respond(invite, 200, "one");
        assertThat(alice.request("ACK").toTag()).isEqualTo("one");
        alice.respond(invite, 200, "two");
        assertThat(alice.request("ACK").toTag()).isEqualTo("two");
        SipRequest bye = alice.request("BYE");
        assertThat(bye.toTag()).isEqualTo("two");
        alice.respond(bye, 200, "");
        server.run(Duration.ofMillis(100));
        assertThat(phone.events)
                .containsExactly("INVITE 180", "INVITE 180", "INVITE 200", "INVITE 200", "BYE 200");
        assertThat(server.container.status().confirmed()).isEqualTo(1);
        alice.request(
                "BYE sip:10.0.0.1",
                "<sip:b@y>;tag=one",
                "<sip:s@x>;tag=" + invite.fromTag(),
                invite.callId(),
                9);
        alice.response(200);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_13_2_2_4_a200AfterTheSessionIsGoneGetsAckAndBye(ExecutionMode mode) {
        server.deploy(phone, mode);
        SipServletRequest invite = phone.call("sip:bob@10.0.0.2:5060");
        SipRequest received = alice.request("INVITE");
        alice.respond(received, 180, "b");
        server.run(Duration.ofMillis(100));
        invite.getApplicationSession().invalidate();
        server.run(Duration.ofMillis(10));
        alice.respond(received, 200, "b");
        assertThat(alice.request("CANCEL").callId()).isEqualTo(received.callId());
        alice.request("ACK");
        alice.respond(alice.request("BYE"), 200, "");
        assertThat(server.container.status().lateAnswers()).isEqualTo(1);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_17_1_1_2_aLate1xxAfterThe200IsNoEvent(ExecutionMode mode) {
        server.deploy(phone, mode);
        phone.call("sip:bob@10.0.0.2:5060");
        SipRequest invite = alice.request("INVITE");
        alice.respond(invite, 200, "b");
        alice.respond(invite, 180, "b");
        SipRequest ack = alice.request("ACK");
        server.run(Duration.ofMillis(100));
        assertThat(phone.events).containsExactly("INVITE 200");
        assertThat(phone.responses.getFirst().getSession().getState().name())
                .isEqualTo("CONFIRMED");
        alice.request(
                "BYE sip:10.0.0.1",
                "<sip:b@y>;tag=b",
                "<sip:s@x>;tag=" + ack.fromTag(),
                ack.callId(),
                9);
        alice.response(200);
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void rfc3261_8_1_3_1_noAnswerIsA408(ExecutionMode mode) {
        server.deploy(phone, mode);
        phone.call("sip:bob@10.0.0.2:5060");
        server.run(Duration.ofSeconds(33));
        assertThat(phone.events).containsExactly("INVITE 408");
        assertNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void anExceptionIs500AndNoOtherCallSuffers(ExecutionMode mode) {
        Manual failing = phone;
        server.deploy(
                new javax.servlet.sip.SipServlet() {
                    @Override
                    protected void doInvite(SipServletRequest request) throws IOException {
                        if (request.getCallId().equals("bad")) {
                            throw new IllegalArgumentException("on purpose");
                        }
                        failing.doInviteFor(request);
                    }
                },
                mode);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "bad", 1, CONTACT);
        alice.response(500);
        alice.request("INVITE sip:uas@10.0.0.1", FROM, "<sip:uas@y>", "good", 1, CONTACT);
        SipResponse ringing = alice.response(180);
        assertThat(ringing.callId()).isEqualTo("good");
        assertThat(server.container.errors().ofApplications()).isEqualTo(1);
        assertThat(server.container.callsHeld()).isEqualTo(1);
    }
}
