package io.carillon.sip.dialog;

import static io.carillon.sip.dialog.DialogSamples.SDP;
import static io.carillon.sip.dialog.DialogSamples.alice;
import static io.carillon.sip.dialog.DialogSamples.answer;
import static io.carillon.sip.dialog.DialogSamples.invite;
import static io.carillon.sip.dialog.DialogSamples.ofAlice;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.bytes.StateFormatException;
import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.message.SipRequest;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A dialog's state as a value: what was open stays open, and no bytes can harm. */
class DialogBytesTest {
    private static byte[] written(Dialog dialog) {
        StateWriter out = new StateWriter();
        dialog.write(out);
        return out.toByteArray();
    }

    @Test
    void anEarlyDialogOfACalleeStillAwaitsItsPrack() {
        SipRequest invite = invite(SDP);
        Dialog dialog = Dialog.uas(invite, answer(invite, 180));
        long rseq = dialog.nextRSeq(1, new SplittableRandom(1));
        Dialog copy = Dialog.read(new StateReader(written(dialog)));
        assertThat(copy.state()).isEqualTo(Dialog.State.EARLY);
        assertThat(copy.callIdOwner()).isFalse();
        assertThat(copy.awaitsPrack()).isTrue();
        assertThat(copy.receive(ofAlice("INVITE", 2)).status()).as("one is open").isEqualTo(500);
        assertThat(copy.receive(ofAlice("PRACK", 3, "RAck: " + rseq + " 1 INVITE")))
                .isEqualTo(Accept.OK);
    }

    @Test
    void bytesThatWereCutOffAreRefused() {
        byte[] good = written(alice());
        for (int length = 0; length < good.length; length++) {
            byte[] part = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> Dialog.read(new StateReader(part)))
                    .isInstanceOf(StateFormatException.class);
        }
    }

    /** What reads back can be used: no byte of the store makes a request that cannot be printed. */
    @Test
    void bytesThatWereChangedAreRefusedOrMakeADialogThatWorks() {
        byte[] good = written(alice());
        SplittableRandom random = new SplittableRandom(7);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bad = good.clone();
            bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            try {
                Dialog dialog = Dialog.read(new StateReader(bad));
                dialog.request("BYE").freezeRequest();
            } catch (StateFormatException e) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }
}
