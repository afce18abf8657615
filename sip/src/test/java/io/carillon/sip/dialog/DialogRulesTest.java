package io.carillon.sip.dialog;

import static io.carillon.sip.dialog.DialogSamples.alice;
import static io.carillon.sip.dialog.DialogSamples.answer;
import static io.carillon.sip.dialog.DialogSamples.answerBy;
import static io.carillon.sip.dialog.DialogSamples.invite;
import static io.carillon.sip.dialog.DialogSamples.ofAlice;
import static io.carillon.sip.dialog.DialogSamples.ofBob;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sentences of RFC 3261 12 and 13 that DialogTest leaves out. */
class DialogRulesTest {
    private static final String P1 = "<sip:p1.example.com;lr>";
    private static final String P2 = "<sip:p2.example.com;lr>";

    @Test
    void rfc3261_12_2_theRouteSetOfAConfirmedDialogDoesNotChange() {
        Dialog dialog = alice();
        SipRequest again = ofAlice("INVITE", 2);
        dialog.sent(again);
        dialog.received(answer(again, 200, "Record-Route: " + P2));
        assertThat(dialog.routeSet()).isEmpty();
    }

    @Test
    void rfc3261_12_2_1_1_parametersThatAreNotAllowedInARequestUriAreStripped() {
        SipRequest invite = invite();
        String strict = "<sip:strict.example.com;method=INVITE;x=1>";
        SipResponse ok = answer(invite, 200, "Record-Route: " + P2 + ", " + strict);
        Dialog dialog = Dialog.uac(invite, ok);
        dialog.received(ok);
        for (MessageDraft draft : List.of(dialog.request("BYE"), dialog.ack(1))) {
            assertThat(draft.requestUri()).hasToString("sip:strict.example.com;x=1");
            assertThat(draft.all(HeaderName.ROUTE)).containsExactly(P2, "<sip:bob@192.0.2.1>");
        }
    }

    @Test
    void rfc3261_12_2_1_1_ackAndCancelHaveNoSequenceNumberOfTheirOwn() {
        Dialog dialog = alice();
        for (String method : List.of("ACK", "CANCEL")) {
            assertThatThrownBy(() -> dialog.request(method))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(dialog.localCSeq()).isEqualTo(1);
    }

    @Test
    void rfc3261_12_2_1_2_a2xxToATargetRefreshRequestReplacesTheRemoteTarget() {
        Dialog dialog = alice();
        SipRequest update = ofAlice("UPDATE", 2);
        dialog.sent(update);
        dialog.received(answer(update, 200, "Contact: <sip:bob@192.0.2.77>"));
        assertThat(dialog.remoteTarget()).hasToString("sip:bob@192.0.2.77");
    }

    @Test
    void rfc3261_12_2_1_2_noOtherResponseReplacesTheRemoteTarget() {
        Dialog dialog = alice();
        SipRequest info = ofAlice("INFO", 2);
        dialog.sent(info);
        dialog.received(answer(info, 200, "Contact: <sip:bob@192.0.2.77>"));
        SipRequest again = ofAlice("INVITE", 3);
        dialog.sent(again);
        dialog.received(answer(again, 183, "Contact: <sip:bob@192.0.2.77>"));
        dialog.received(answer(again, 488, "Contact: <sip:bob@192.0.2.77>"));
        assertThat(dialog.remoteTarget()).hasToString("sip:bob@192.0.2.1");
    }

    @Test
    void rfc3261_12_2_2_anEmptyRemoteSequenceNumberTakesAnyCSeq() {
        Dialog dialog = alice();
        assertThat(dialog.remoteCSeq()).as("MUST be empty").isEqualTo(-1);
        assertThat(dialog.receive(ofBob("INFO", 0))).isEqualTo(Accept.OK);
        assertThat(dialog.remoteCSeq()).isZero();
    }

    @Test
    void rfc3261_12_2_1_2_a408TerminatesTheDialogAndNothingMoreMayBeSent() {
        Dialog dialog = alice();
        SipRequest info = ofAlice("INFO", 2);
        dialog.sent(info);
        dialog.received(answer(info, 408));
        assertThat(dialog.state()).isEqualTo(Dialog.State.TERMINATED);
        assertThat(dialog.receive(ofBob("INFO", 3)).status()).isEqualTo(481);
        assertThat(dialog.maySend("INFO", false)).isFalse();
    }

    @Test
    void rfc3261_13_2_2_4_every2xxWithANewTagMakesADialogAndARepeatedOneDoesNot() {
        SipRequest invite = invite();
        DialogSet forks = new DialogSet(invite);
        assertThat(forks.of(answer(invite, 100))).isNull();
        Dialog one = forks.of(answerBy("x", invite, 200));
        assertThat(forks.of(answerBy("x", invite, 200))).isSameAs(one);
        Dialog other = forks.of(answerBy("y", invite, 200));
        assertThat(other).isNotSameAs(one);
        assertThat(forks.of(answerBy("z", invite, 486))).isNull();
        assertThat(forks.dialogs()).hasSize(2);
    }

    @Test
    void rfc6665_4_4_1_theNotifyCreatesTheDialogOfASubscriber() {
        SipRequest notify = ofBob("NOTIFY", 7, "Event: presence", "Record-Route: " + P1);
        Dialog dialog = Dialog.subscriber(invite(), notify);
        assertThat(dialog.key()).isEqualTo(new DialogKey("c", "alice", "bob"));
        assertThat(dialog.routeSet()).hasToString("[" + P1 + "]");
        assertThat(dialog.receive(notify)).isEqualTo(Accept.OK);
    }
}
