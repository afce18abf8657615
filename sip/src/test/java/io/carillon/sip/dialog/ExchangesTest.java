package io.carillon.sip.dialog;

import static io.carillon.sip.dialog.DialogSamples.SDP;
import static io.carillon.sip.dialog.DialogSamples.alice;
import static io.carillon.sip.dialog.DialogSamples.answer;
import static io.carillon.sip.dialog.DialogSamples.bob;
import static io.carillon.sip.dialog.DialogSamples.invite;
import static io.carillon.sip.dialog.DialogSamples.ofAlice;
import static io.carillon.sip.dialog.DialogSamples.ofBob;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What may be under way in a dialog at once: RFC 3261 14, RFC 3311, RFC 3262. */
class ExchangesTest {
    private final SplittableRandom random = new SplittableRandom(1);

    // ---- RFC 3261 14: re-INVITE

    @Test
    void rfc3261_14_1_noNewInviteWhileOneIsInProgressInEitherDirection() {
        Dialog dialog = alice();
        assertThat(dialog.maySend("INVITE", true)).isTrue();
        SipRequest ours = ofAlice("INVITE", 2, SDP);
        dialog.sent(ours);
        assertThat(dialog.maySend("INVITE", true)).isFalse();
        dialog.received(answer(ours, 200, SDP));
        assertThat(dialog.maySend("INVITE", true)).isTrue();
        SipRequest theirs = ofBob("INVITE", 1, SDP);
        assertThat(dialog.receive(theirs)).isEqualTo(Accept.OK);
        assertThat(dialog.maySend("INVITE", true)).isFalse();
        dialog.responded(theirs, answer(theirs, 200, SDP));
        assertThat(dialog.maySend("INVITE", true)).as("the ACK has not come").isFalse();
        dialog.receive(ofBob("ACK", 1));
        assertThat(dialog.maySend("INVITE", true)).isTrue();
    }

    @Test
    void rfc3261_14_2_anInviteWhileOursIsInProgressMustGet491() {
        Dialog dialog = alice();
        dialog.sent(ofAlice("INVITE", 2, SDP));
        assertThat(dialog.receive(ofBob("INVITE", 1, SDP))).isEqualTo(Accept.GLARE);
        assertThat(dialog.receive(ofBob("INVITE", 2)))
                .as("whether it carries an offer or not")
                .isEqualTo(Accept.GLARE);
        assertThat(Accept.GLARE.status()).isEqualTo(491);
        assertThat(Accept.GLARE.retryAfter()).isFalse();
    }

    @Test
    void rfc3261_14_2_asWithTheRolesChanged() {
        Dialog dialog = bob();
        dialog.sent(ofBob("INVITE", 1, SDP));
        assertThat(dialog.receive(ofAlice("INVITE", 2, SDP))).isEqualTo(Accept.GLARE);
        // Ours gets 491 too, and both may try again.
        dialog.received(answer(ofBob("INVITE", 1), 491));
        assertThat(dialog.receive(ofAlice("INVITE", 3, SDP))).isEqualTo(Accept.OK);
    }

    @Test
    void rfc3261_14_1_aRefusedOfferLeavesTheSessionAsItWas() {
        Dialog dialog = alice();
        SipRequest ours = ofAlice("INVITE", 2, SDP);
        dialog.sent(ours);
        dialog.received(answer(ours, 488));
        assertThat(dialog.maySend("UPDATE", true)).isTrue();
        assertThat(dialog.state()).isEqualTo(Dialog.State.CONFIRMED);
    }

    @Test
    void rfc3261_13_3_1_4_anAckThatNeverComesFreesTheDialog() {
        Dialog dialog = bob();
        SipRequest invite = ofAlice("INVITE", 2);
        dialog.receive(invite);
        dialog.responded(invite, answer(invite, 200, SDP));
        assertThat(dialog.awaitsAck()).isTrue();
        dialog.ackMissing(2);
        assertThat(dialog.awaitsAck()).isFalse();
        assertThat(dialog.maySend("INVITE", true)).isTrue();
    }

    // ---- RFC 3311: UPDATE

    @Test
    void rfc3311_5_2_anOfferWhileOursHasNoAnswerMustGet491() {
        Dialog dialog = bob();
        dialog.sent(ofBob("UPDATE", 1, SDP));
        assertThat(dialog.receive(ofAlice("UPDATE", 2, SDP)).status()).isEqualTo(491);
        assertThat(dialog.receive(ofAlice("UPDATE", 3)))
                .as("without an offer it may pass")
                .isEqualTo(Accept.OK);
    }

    @Test
    void rfc3311_5_1_noOfferInAnUpdateBeforeTheInvitesOfferIsAnswered() {
        SipRequest invite = invite(SDP);
        Dialog dialog = Dialog.uac(invite, answer(invite, 180));
        assertThat(dialog.maySend("UPDATE", true)).isFalse();
        assertThat(dialog.maySend("UPDATE", false)).isTrue();
        dialog.received(answer(invite, 183, "Require: 100rel", "RSeq: 10", SDP));
        assertThat(dialog.maySend("UPDATE", true)).isTrue();
        SipRequest update = ofAlice("UPDATE", 2, SDP);
        dialog.sent(update);
        assertThat(dialog.maySend("UPDATE", false)).as("one at a time").isFalse();
        dialog.abandoned("UPDATE", 2);
        assertThat(dialog.state()).isEqualTo(Dialog.State.TERMINATED);
    }

    // ---- RFC 3262: reliable provisional responses

    private static SipResponse reliable(SipRequest invite, long rseq) {
        return answer(invite, 183, "Require: 100rel", "RSeq: " + rseq);
    }

    @Test
    void rfc3262_7_2_thePrackNamesRSeqCSeqAndMethod() {
        SipRequest invite = invite(SDP);
        SipResponse response = reliable(invite, 10);
        Dialog dialog = Dialog.uac(invite, response);
        dialog.received(response);
        assertThat(dialog.prack(response).get(HeaderName.RACK)).isEqualTo("10 1 INVITE");
        assertThat(dialog.localCSeq()).isEqualTo(2);
    }

    @Test
    void rfc3262_4_onlyRequireWith100relAndRSeqAskForAPrack() {
        SipRequest invite = invite(SDP);
        assertThat(Dialog.reliable(answer(invite, 183, "RSeq: 1"))).isFalse();
        assertThat(Dialog.reliable(answer(invite, 183, "Require: 100rel"))).isFalse();
        assertThat(Dialog.reliable(answer(invite, 183, "Require: x, 100REL", "RSeq: 1"))).isTrue();
        assertThat(Dialog.reliable(answer(invite, 200, "Require: 100rel", "RSeq: 1"))).isFalse();
    }

    @Test
    void rfc3262_3_theFirstRSeqIsBetween1And2To31AndGrowsByOne() {
        SipRequest invite = invite(SDP);
        Dialog dialog = Dialog.uas(invite, answer(invite, 180));
        long first = dialog.nextRSeq(1, random);
        assertThat(first).isBetween(1L, (1L << 31) - 1);
        assertThat(dialog.nextRSeq(1, random)).isEqualTo(first + 1);
    }

    @Test
    void rfc3262_3_aPrackThatMatchesNothingMustGet481() {
        SipRequest invite = invite(SDP);
        Dialog dialog = Dialog.uas(invite, answer(invite, 180));
        long rseq = dialog.nextRSeq(1, random);
        assertThat(dialog.awaitsPrack()).isTrue();
        String[] wrong = {
            "RAck: " + (rseq + 1) + " 1 INVITE",
            "RAck: " + rseq + " 2 INVITE",
            "RAck: " + rseq + " 1 UPDATE",
            "RAck: x",
            "X: y"
        };
        long cseq = 2;
        for (String rack : wrong) {
            assertThat(dialog.receive(ofAlice("PRACK", cseq++, rack)).status()).isEqualTo(481);
        }
        SipRequest right = ofAlice("PRACK", cseq++, "RAck: " + rseq + "  1 INVITE");
        assertThat(dialog.receive(right)).isEqualTo(Accept.OK);
        assertThat(dialog.awaitsPrack()).isFalse();
        assertThat(dialog.receive(ofAlice("PRACK", cseq, "RAck: " + rseq + " 1 INVITE")).status())
                .as("twice")
                .isEqualTo(481);
    }

    @Test
    void rfc3262_5_anOfferInAReliableResponseIsAnsweredInThePrack() {
        SipRequest invite = invite();
        SipResponse response = answer(invite, 183, "Require: 100rel", "RSeq: 1", SDP);
        Dialog dialog = Dialog.uas(invite, response);
        long rseq = dialog.nextRSeq(1, random);
        dialog.responded(invite, response);
        assertThat(dialog.maySend("UPDATE", true)).isFalse();
        dialog.receive(ofAlice("PRACK", 2, "RAck: " + rseq + " 1 INVITE", SDP));
        assertThat(dialog.maySend("UPDATE", true)).isTrue();
    }

    /** RFC 3264 4: an offer in a PRACK waits for the one before it, in either direction. */
    @Test
    void rfc3262_5_anOfferInAPrackIsRefusedWhileAnotherWaits() {
        SipRequest invite = invite();
        SipResponse response = answer(invite, 183, "Require: 100rel", "RSeq: 1", SDP);
        Dialog dialog = Dialog.uas(invite, response);
        long first = dialog.nextRSeq(1, random);
        dialog.responded(invite, response);
        String rack = "RAck: " + first + " 1 INVITE";
        assertThat(dialog.receive(ofAlice("PRACK", 2, rack, SDP)))
                .as("its answer")
                .isEqualTo(Accept.OK);
        final long second = dialog.nextRSeq(1, random);
        dialog.responded(invite, answer(invite, 183, "Require: 100rel", "RSeq: 2"));
        dialog.sent(ofBob("UPDATE", 1, SDP));
        Accept refused = dialog.receive(ofAlice("PRACK", 3, "RAck: " + second + " 1 INVITE", SDP));
        assertThat(refused.status()).as("ours has no answer").isEqualTo(491);
        assertThat(dialog.awaitsPrack()).as("the response has come").isFalse();
        final long third = dialog.nextRSeq(1, random);
        dialog.received(answer(ofBob("UPDATE", 1), 200, SDP));
        dialog.receive(ofAlice("UPDATE", 4, SDP));
        refused = dialog.receive(ofAlice("PRACK", 5, "RAck: " + third + " 1 INVITE", SDP));
        assertThat(refused.status()).as("theirs has no answer").isEqualTo(500);
        assertThat(refused.retryAfter()).isTrue();
        long last = dialog.nextRSeq(1, random);
        assertThat(dialog.receive(ofAlice("PRACK", 6, "RAck: " + last + " 1 INVITE")))
                .as("without an offer")
                .isEqualTo(Accept.OK);
    }
}
