package io.carillon.sip.dialog;

import static io.carillon.sip.dialog.DialogSamples.SDP;
import static io.carillon.sip.dialog.DialogSamples.answer;
import static io.carillon.sip.dialog.DialogSamples.invite;
import static io.carillon.sip.dialog.DialogSamples.ofAlice;
import static io.carillon.sip.dialog.DialogSamples.ofBob;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What was under way in an early dialog whose node died: nothing of it blocks the rest. */
class DialogTakeOverTest {
    private static final SipRequest INVITE = invite(SDP);

    /** As another node has it, which takes it over while its INVITE goes on. */
    private static Dialog next(Dialog dialog) {
        StateWriter out = new StateWriter();
        dialog.write(out);
        Dialog copy = Dialog.read(new StateReader(out.toByteArray()));
        DialogTakeOver.goOn(copy, 100, false);
        return copy;
    }

    private static SipResponse progress(long rseq, String... more) {
        String[] headers = {"Require: 100rel", "RSeq: " + rseq};
        String[] all = new String[headers.length + more.length];
        System.arraycopy(headers, 0, all, 0, headers.length);
        System.arraycopy(more, 0, all, headers.length, more.length);
        return answer(INVITE, 183, all);
    }

    /** Bob's, who has answered the offer reliably. */
    private static Dialog callee(long rseq) {
        SipResponse progress = progress(rseq, SDP);
        Dialog dialog = Dialog.uas(INVITE, progress);
        dialog.responded(INVITE, progress);
        return dialog;
    }

    /** Alice's, who has acknowledged the first reliable response, of RSeq 10. */
    private static Dialog caller() {
        SipResponse progress = progress(10, SDP);
        Dialog dialog = Dialog.uac(INVITE, progress);
        assertThat(dialog.received(progress)).isEqualTo(Progress.PROCESS_AND_PRACK);
        SipRequest prack = ofAlice("PRACK", 2, "RAck: 10 1 INVITE");
        dialog.sent(prack);
        dialog.received(answer(prack, 200));
        return dialog;
    }

    /** RFC 3311 5.2 would refuse the next one with 500 for as long as the dialog lives. */
    @Test
    void anUpdateOfThePeerThatWasUnderWayDoesNotBlockTheNextOne() {
        Dialog dialog = callee(5);
        assertThat(dialog.receive(ofAlice("UPDATE", 2, SDP))).isEqualTo(Accept.OK);
        assertThat(dialog.receive(ofAlice("UPDATE", 3))).isEqualTo(Accept.UPDATE_UNANSWERED);
        Dialog next = next(dialog);
        assertThat(next.receive(ofAlice("UPDATE", 4, SDP))).isEqualTo(Accept.OK);
        next.responded(ofAlice("UPDATE", 4, SDP), answer(ofAlice("UPDATE", 4), 200, SDP));
        assertThat(next.receive(ofAlice("INVITE", 5)).status()).as("one rings").isEqualTo(500);
    }

    @Test
    void anUpdateOfOursThatWasUnderWayDoesNotBlockTheNextOne() {
        Dialog dialog = callee(5);
        dialog.sent(ofBob("UPDATE", 1, SDP));
        assertThat(dialog.maySend("UPDATE", false)).isFalse();
        assertThat(next(dialog).maySend("UPDATE", true)).isTrue();
    }

    /** RFC 3264 4: its answer may still come. */
    @Test
    void theOfferOfTheInviteStillWaitsForItsAnswer() {
        SipResponse ringing = answer(INVITE, 180);
        Dialog dialog = Dialog.uac(INVITE, ringing);
        dialog.received(ringing);
        assertThat(dialog.maySend("UPDATE", true)).isFalse();
        assertThat(next(dialog).maySend("UPDATE", true)).isFalse();
    }

    /** Its answer has died with the node; RFC 3262 3 would refuse with 481 what comes again. */
    @Test
    void aPrackThatWasMatchedMayComeOnceMore() {
        Dialog dialog = callee(5);
        long rseq = dialog.nextRSeq(1, new SplittableRandom(1));
        String rack = "RAck: " + rseq + " 1 INVITE";
        assertThat(dialog.receive(ofAlice("PRACK", 2, rack))).isEqualTo(Accept.OK);
        assertThat(dialog.receive(ofAlice("PRACK", 2, rack)))
                .as("here its transaction answers")
                .isEqualTo(Accept.PRACK_UNMATCHED);
        Dialog next = next(dialog);
        assertThat(next.receive(ofAlice("PRACK", 2, rack))).isEqualTo(Accept.OK);
        assertThat(next.receive(ofAlice("PRACK", 3, rack))).isEqualTo(Accept.PRACK_UNMATCHED);
        long second = next.nextRSeq(1, new SplittableRandom(1));
        String next2 = "RAck: " + second + " 1 INVITE";
        assertThat(next.receive(ofAlice("PRACK", 4, next2))).isEqualTo(Accept.OK);
        assertThat(next.receive(ofAlice("PRACK", 4, next2)))
                .as("its transaction is here")
                .isEqualTo(Accept.PRACK_UNMATCHED);
    }

    /** The application that would have acknowledged it has died: 3262 3 says it again for 32 s. */
    @Test
    void aReliableResponseThatWasNotAcknowledgedIsTakenOnceMore() {
        Dialog dialog = caller();
        assertThat(dialog.received(progress(11))).isEqualTo(Progress.PROCESS_AND_PRACK);
        assertThat(dialog.received(progress(11))).isEqualTo(Progress.REPEATED);
        Dialog next = next(dialog);
        assertThat(next.received(progress(13))).isEqualTo(Progress.OUT_OF_ORDER);
        assertThat(next.received(progress(11))).isEqualTo(Progress.PROCESS_AND_PRACK);
        assertThat(next.received(progress(12))).isEqualTo(Progress.PROCESS_AND_PRACK);
    }

    /** Its PRACK may be lost, held, or have arrived: who has it sends the next response. */
    @Test
    void whereThePrackHasNoAnswerTheSameResponseMayComeOrTheNext() {
        Dialog dialog = caller();
        dialog.received(progress(11));
        dialog.sent(ofAlice("PRACK", 3, "RAck: 11 1 INVITE"));
        assertThat(next(dialog).received(progress(11))).isEqualTo(Progress.PROCESS_AND_PRACK);
        assertThat(next(dialog).received(progress(12))).isEqualTo(Progress.PROCESS_AND_PRACK);
        Dialog next = next(dialog);
        next.received(progress(11));
        assertThat(next.received(progress(11))).as("once more").isEqualTo(Progress.REPEATED);
        assertThat(next.received(progress(10))).isEqualTo(Progress.REPEATED);
    }

    /** A build before wrote only what was received: as that build would, it takes all as told. */
    @Test
    void aDialogOfABuildBeforeHasAcknowledgedAll() {
        StateWriter out = new StateWriter();
        Dialog dialog = Dialog.uac(INVITE, progress(10));
        dialog.received(progress(10));
        dialog.write(out);
        byte[] bytes = out.toByteArray();
        byte[] before = Arrays.copyOf(bytes, bytes.length - 5); // five values of one byte
        before[0] = 1;
        before[4] -= 5;
        Dialog copy = Dialog.read(new StateReader(before));
        DialogTakeOver.goOn(copy, 100, false);
        assertThat(copy.received(progress(10))).isEqualTo(Progress.REPEATED);
        assertThat(copy.received(progress(11))).isEqualTo(Progress.PROCESS_AND_PRACK);
    }

    @Test
    void soIsTheFirstOne() {
        SipResponse first = progress(10);
        Dialog dialog = Dialog.uac(INVITE, first);
        dialog.received(first);
        assertThat(next(dialog).received(first)).isEqualTo(Progress.PROCESS_AND_PRACK);
    }

    @Test
    void aReliableResponseThatWasAcknowledgedIsARepetition() {
        assertThat(next(caller()).received(progress(10, SDP))).isEqualTo(Progress.REPEATED);
    }
}
