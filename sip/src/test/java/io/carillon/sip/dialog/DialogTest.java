package io.carillon.sip.dialog;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.bytes.StateReader;
import io.carillon.sip.bytes.StateWriter;
import io.carillon.sip.codec.Compliance;
import io.carillon.sip.codec.MessageLimits;
import io.carillon.sip.codec.MessageParser;
import io.carillon.sip.codec.ParseResult;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The rules of dialogs, named by section: RFC 3261 12 to 15, RFC 3262, RFC 3311, RFC 6141. */
class DialogTest {
    private static final String SDP = "v=0\r\n";

    private static SipMessage parse(String text) {
        byte[] bytes = text.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        MessageParser parser = new MessageParser(Compliance.DEFAULT, MessageLimits.DEFAULT);
        if (parser.parseDatagram(bytes, bytes.length) instanceof ParseResult.Parsed parsed) {
            return parsed.message();
        }
        throw new AssertionError("no message: " + text);
    }

    /** A request of alice. */
    private static SipRequest request(
            String method, long cseq, String toTag, String extra, boolean sdp) {
        return (SipRequest)
                parse(
                        message(
                                method + " sip:bob@10.0.2.1 SIP/2.0",
                                method,
                                cseq,
                                "alice",
                                "alice",
                                "bob",
                                toTag,
                                extra,
                                sdp));
    }

    /** A request of bob in the dialog of a UAC alice. */
    private static SipRequest fromBob(String method, long cseq, String extra, boolean sdp) {
        return (SipRequest)
                parse(
                        message(
                                method + " sip:alice@10.0.1.1 SIP/2.0",
                                method,
                                cseq,
                                "bob",
                                "b1",
                                "alice",
                                "alice",
                                extra,
                                sdp));
    }

    /** A response of bob to alice. */
    private static SipResponse response(
            int status, String method, long cseq, String toTag, String extra, boolean sdp) {
        return (SipResponse)
                parse(
                        message(
                                "SIP/2.0 " + status + " X",
                                method,
                                cseq,
                                "alice",
                                "alice",
                                "bob",
                                toTag,
                                extra,
                                sdp));
    }

    private static String message(
            String start,
            String method,
            long cseq,
            String from,
            String fromTag,
            String to,
            String toTag,
            String extra,
            boolean sdp) {
        String body = sdp ? SDP : "";
        return start
                + "\nVia: SIP/2.0/UDP 10.0.1.1;branch=z9hG4bK1\nMax-Forwards: 70"
                + "\nFrom: <sip:"
                + from
                + "@10.0.0.1>"
                + (fromTag == null ? "" : ";tag=" + fromTag)
                + "\nTo: <sip:"
                + to
                + "@10.0.0.2>"
                + (toTag == null ? "" : ";tag=" + toTag)
                + "\nCall-ID: c1\nCSeq: "
                + cseq
                + " "
                + method
                + (extra.isEmpty() ? "" : "\n" + extra)
                + (sdp ? "\nContent-Type: application/sdp" : "")
                + "\nContent-Length: "
                + body.length()
                + "\n\n"
                + body;
    }

    private static Dialog uas(String extra, int status) {
        SipRequest invite =
                request("INVITE", 5, null, "Contact: <sip:alice@10.0.1.1>" + extra, true);
        SipResponse response = MessageDraft.responseTo(invite, status, null, "b1").freezeResponse();
        Dialog dialog = Dialog.uas(invite, response);
        return status < 200 ? dialog : answered(dialog, invite, response);
    }

    private static Dialog answered(Dialog dialog, SipRequest invite, SipResponse response) {
        SipResponse withAnswer =
                MessageDraft.copyOf(response)
                        .body(SDP.getBytes(StandardCharsets.US_ASCII), "application/sdp")
                        .freezeResponse();
        dialog.responded(invite, withAnswer);
        dialog.receive(request("ACK", invite.cseq().number(), "b1", "", false));
        return dialog;
    }

    private static Dialog uac(int status, String extra, boolean sdp) {
        SipRequest invite = request("INVITE", 5, null, "Contact: <sip:alice@10.0.1.1>", true);
        SipResponse response = response(status, "INVITE", 5, "b1", extra, sdp);
        Dialog dialog = Dialog.uac(invite, response);
        dialog.received(response);
        if (status >= 200) {
            dialog.ack(5);
        }
        return dialog;
    }

    // ---- RFC 3261 12
    // --------------------------------------------------------------------------------

    @Test
    void rfc3261_12_1_1_theUasTakesRouteSetTargetAndNumbersFromTheRequest() {
        Dialog dialog = uas("\nRecord-Route: <sip:p2;lr;x=1>, <sip:p1;lr>", 200);
        assertThat(dialog.key()).isEqualTo(new DialogKey("c1", "b1", "alice"));
        assertThat(dialog.remoteCSeq()).isEqualTo(5);
        assertThat(dialog.localCSeq()).isZero();
        assertThat(dialog.remoteTarget()).hasToString("sip:alice@10.0.1.1");
        assertThat(dialog.routeSet())
                .extracting(Object::toString)
                .containsExactly("<sip:p2;lr;x=1>", "<sip:p1;lr>");
        assertThat(dialog.state()).isEqualTo(Dialog.State.CONFIRMED);
        assertThat(dialog.callIdOwner()).isFalse();
    }

    @Test
    void rfc3261_12_1_2_theUacTakesTheRouteSetInReverse() {
        Dialog dialog =
                uac(
                        180,
                        "Record-Route: <sip:p2;lr>, <sip:p1;lr>\nContact: <sip:bob@10.0.2.1>",
                        false);
        assertThat(dialog.key()).isEqualTo(new DialogKey("c1", "alice", "b1"));
        assertThat(dialog.routeSet())
                .extracting(Object::toString)
                .containsExactly("<sip:p1;lr>", "<sip:p2;lr>");
        assertThat(dialog.remoteCSeq()).isEqualTo(-1);
        assertThat(dialog.localCSeq()).isEqualTo(5);
        assertThat(dialog.state()).isEqualTo(Dialog.State.EARLY);
    }

    @Test
    void rfc3261_13_2_2_4_a2xxComputesTheRouteSetAnew() {
        Dialog dialog = uac(180, "Record-Route: <sip:p1;lr>\nContact: <sip:early@10.0.2.1>", false);
        dialog.received(
                response(
                        200,
                        "INVITE",
                        5,
                        "b1",
                        "Record-Route: <sip:p3;lr>\nContact: <sip:late@10.0.2.1>",
                        true));
        assertThat(dialog.routeSet()).extracting(Object::toString).containsExactly("<sip:p3;lr>");
        assertThat(dialog.remoteTarget()).hasToString("sip:late@10.0.2.1");
        assertThat(dialog.state()).isEqualTo(Dialog.State.CONFIRMED);
    }

    @Test
    void rfc3261_12_1_2_aPeerWithoutTagIsTolerated() {
        SipRequest invite = request("INVITE", 5, null, "", true);
        Dialog dialog = Dialog.uac(invite, response(200, "INVITE", 5, null, "", true));
        assertThat(dialog.remoteTag()).isEmpty();
        assertThat(dialog.request("BYE").freezeRequest().toTag()).isNull();
        assertThat(dialog.remoteTarget()).hasToString("sip:bob@10.0.2.1");
    }

    @Test
    void rfc3261_12_2_1_1_aLooseRouteSetGoesIntoRoute() {
        Dialog dialog =
                uac(
                        200,
                        "Record-Route: <sip:p2;lr>, <sip:p1;lr>\nContact: <sip:bob@10.0.2.1>",
                        true);
        SipRequest bye = dialog.request("BYE").freezeRequest();
        assertThat(bye.requestUri()).hasToString("sip:bob@10.0.2.1");
        assertThat(bye.headers(HeaderName.ROUTE)).containsExactly("<sip:p1;lr>", "<sip:p2;lr>");
        assertThat(bye.cseq()).hasToString("6 BYE");
        assertThat(bye.maxForwards()).isEqualTo(70);
        assertThat(bye.from().tag()).isEqualTo("alice");
        assertThat(bye.to().tag()).isEqualTo("b1");
        assertThat(dialog.nextHop()).hasToString("sip:p1;lr");
    }

    @Test
    void rfc3261_12_2_1_1_aStrictRouterTakesTheRequestUri() {
        Dialog dialog =
                uac(
                        200,
                        "Record-Route: <sip:p2;lr>, <sip:p1;method=BYE>\nContact: <sip:bob@10.0.2.1>",
                        true);
        SipRequest bye = dialog.request("BYE").freezeRequest();
        assertThat(bye.requestUri()).hasToString("sip:p1");
        assertThat(bye.headers(HeaderName.ROUTE))
                .containsExactly("<sip:p2;lr>", "<sip:bob@10.0.2.1>");
        assertThat(dialog.nextHop()).hasToString("sip:p1;method=BYE");
    }

    @Test
    void rfc3261_12_2_2_aLowerCSeqGets500AndAHigherOneIsTaken() {
        Dialog dialog = uas("", 200);
        assertThat(dialog.receive(request("INFO", 4, "b1", "", false)))
                .isEqualTo(Accept.STALE_CSEQ);
        assertThat(dialog.receive(request("INFO", 90, "b1", "", false))).isEqualTo(Accept.OK);
        assertThat(dialog.remoteCSeq()).isEqualTo(90);
        assertThat(Accept.STALE_CSEQ.status()).isEqualTo(500);
    }

    @Test
    void rfc3261_12_2_1_2_a481EndsTheDialog() {
        Dialog dialog = uac(200, "Contact: <sip:bob@10.0.2.1>", true);
        SipRequest info = dialog.request("INFO").freezeRequest();
        dialog.received(response(481, "INFO", info.cseq().number(), "b1", "", false));
        assertThat(dialog.state()).isEqualTo(Dialog.State.TERMINATED);
        assertThat(dialog.receive(fromBob("INFO", 1, "", false))).isEqualTo(Accept.TERMINATED);
    }

    @Test
    void rfc5057_5_1_a481ToNotifyEndsASubscriptionAndNotTheCall() {
        for (boolean call : new boolean[] {true, false}) {
            Dialog dialog = uac(200, "Contact: <sip:bob@10.0.2.1>", true);
            SipRequest notify = dialog.request("NOTIFY").freezeRequest();
            dialog.received(response(481, "NOTIFY", notify.cseq().number(), "b1", "", false), call);
            assertThat(dialog.state())
                    .isEqualTo(call ? Dialog.State.CONFIRMED : Dialog.State.TERMINATED);
        }
    }

    @Test
    void rfc3261_12_3_aRefusalEndsEveryEarlyDialogOfTheSet() {
        DialogSet set = new DialogSet(request("INVITE", 5, null, "", true));
        assertThat(set.of(response(100, "INVITE", 5, null, "", false))).isNull();
        Dialog one = set.of(response(180, "INVITE", 5, "b1", "", false));
        Dialog two = set.of(response(180, "INVITE", 5, "b2", "", false));
        assertThat(one).isNotSameAs(two);
        assertThat(set.of(response(183, "INVITE", 5, "b1", "", false))).isSameAs(one);
        assertThat(set.of(response(486, "INVITE", 5, "b3", "", false))).isNull();
        set.failed();
        assertThat(set.dialogs()).extracting(Dialog::state).containsOnly(Dialog.State.TERMINATED);
    }

    @Test
    void rfc3261_13_2_2_4_theAckHasTheNumberAndTheCredentialsOfItsInvite() {
        Dialog dialog = uac(200, "Contact: <sip:bob@10.0.2.1>", true);
        SipRequest invite =
                request("INVITE", 5, null, "Authorization: Digest a=\"1\", b=\"2\"", true);
        SipRequest ack = dialog.ack(invite).freezeRequest();
        assertThat(ack.cseq()).hasToString("5 ACK");
        assertThat(ack.header(HeaderName.AUTHORIZATION)).isEqualTo("Digest a=\"1\", b=\"2\"");
        assertThat(dialog.localCSeq()).isEqualTo(5);
    }

    // ---- RFC 3261 14
    // --------------------------------------------------------------------------------

    @Test
    void rfc3261_14_2_aSecondInviteBeforeTheFinalResponseGets500WithRetryAfter() {
        Dialog dialog = uas("", 180);
        assertThat(dialog.receive(request("INVITE", 6, "b1", "", true)))
                .isEqualTo(Accept.INVITE_UNANSWERED);
        assertThat(Accept.INVITE_UNANSWERED.retryAfter()).isTrue();
        assertThat(Accept.INVITE_UNANSWERED.status()).isEqualTo(500);
    }

    @Test
    void rfc3261_14_2_anInviteWhileOursIsInProgressGets491() {
        Dialog dialog = uac(200, "Contact: <sip:bob@10.0.2.1>", true);
        assertThat(dialog.maySend("INVITE", true)).isTrue();
        SipRequest own = dialog.request("INVITE").freezeRequest();
        dialog.sent(own);
        assertThat(dialog.maySend("INVITE", true)).isFalse();
        assertThat(dialog.receive(fromBob("INVITE", 1, "", true))).isEqualTo(Accept.GLARE);
        dialog.received(response(491, "INVITE", own.cseq().number(), "b1", "", false));
        assertThat(dialog.receive(fromBob("INVITE", 2, "", true))).isEqualTo(Accept.OK);
        assertThat(dialog.maySend("INVITE", true)).isFalse();
    }

    @Test
    void rfc3261_14_1_aNewInviteWaitsForTheAckOfThePeers() {
        Dialog dialog = uas("", 200);
        SipRequest again = request("INVITE", 6, "b1", "Contact: <sip:alice@10.0.1.9>", true);
        assertThat(dialog.receive(again)).isEqualTo(Accept.OK);
        assertThat(dialog.remoteTarget()).hasToString("sip:alice@10.0.1.1");
        SipResponse ok = MessageDraft.responseTo(again, 200, null, null).freezeResponse();
        dialog.responded(again, ok);
        // RFC 6141 4.6: the 2xx, not the request, moves the target.
        assertThat(dialog.remoteTarget()).hasToString("sip:alice@10.0.1.9");
        assertThat(dialog.awaitsAck()).isTrue();
        assertThat(dialog.maySend("INVITE", true)).isFalse();
        dialog.receive(request("ACK", 6, "b1", "", false));
        assertThat(dialog.maySend("INVITE", true)).isTrue();
    }

    @Test
    void rfc6141_4_6_aRefusedTargetRefreshLeavesTheTarget() {
        Dialog dialog = uas("", 200);
        SipRequest again = request("INVITE", 6, "b1", "Contact: <sip:alice@10.0.1.9>", true);
        dialog.receive(again);
        dialog.responded(again, MessageDraft.responseTo(again, 488, null, null).freezeResponse());
        assertThat(dialog.remoteTarget()).hasToString("sip:alice@10.0.1.1");
        assertThat(dialog.state()).isEqualTo(Dialog.State.CONFIRMED);
    }

    @Test
    void rfc3261_14_1_theWaitAfterA491LiesInItsRange() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000; i++) {
            long owner = Glare.waitNanos(true, random);
            long other = Glare.waitNanos(false, random);
            assertThat(owner).isBetween(2_100_000_000L, 4_000_000_000L);
            assertThat(other).isBetween(0L, 2_000_000_000L);
            assertThat(owner % 10_000_000).isZero();
            assertThat(other % 10_000_000).isZero();
            assertThat(Glare.retryAfterSeconds(random)).isBetween(0, 10);
        }
    }

    // ---- RFC 3311
    // -----------------------------------------------------------------------------------

    @Test
    void rfc3311_5_2_anUpdateBeforeTheAnswerToAnEarlierOneGets500() {
        Dialog dialog = uas("", 200);
        SipRequest first = request("UPDATE", 6, "b1", "", true);
        assertThat(dialog.receive(first)).isEqualTo(Accept.OK);
        assertThat(dialog.receive(request("UPDATE", 7, "b1", "", false)))
                .isEqualTo(Accept.UPDATE_UNANSWERED);
        dialog.responded(first, MessageDraft.responseTo(first, 200, null, null).freezeResponse());
        assertThat(dialog.receive(request("UPDATE", 8, "b1", "", true))).isEqualTo(Accept.OK);
    }

    @Test
    void rfc3311_5_2_anOfferWhileOursIsUnansweredGets491() {
        Dialog dialog = uas("", 200);
        SipRequest own =
                dialog.request("UPDATE")
                        .body(SDP.getBytes(StandardCharsets.US_ASCII), "application/sdp")
                        .freezeRequest();
        dialog.sent(own);
        assertThat(dialog.receive(request("UPDATE", 6, "b1", "", true))).isEqualTo(Accept.GLARE);
        // Without an offer nothing stands against it.
        assertThat(dialog.receive(request("UPDATE", 7, "b1", "", false))).isEqualTo(Accept.OK);
    }

    @Test
    void rfc3311_5_2_anOfferBeforeWeAnsweredThePeersGets500() {
        // The INVITE's offer has no answer yet.
        Dialog dialog = uas("", 180);
        assertThat(dialog.receive(request("UPDATE", 6, "b1", "", true)))
                .isEqualTo(Accept.UPDATE_UNANSWERED);
    }

    @Test
    void rfc3264_4_anOfferInThe2xxIsAnsweredByTheAck() {
        SipRequest invite = request("INVITE", 5, null, "", false);
        SipResponse ok = response(200, "INVITE", 5, "b1", "Contact: <sip:bob@10.0.2.1>", true);
        Dialog dialog = Dialog.uac(invite, ok);
        dialog.received(ok);
        assertThat(dialog.maySend("INVITE", true)).isFalse();
        dialog.ack(5);
        assertThat(dialog.maySend("INVITE", true)).isTrue();
    }

    // ---- RFC 3262
    // -----------------------------------------------------------------------------------

    @Test
    void rfc3262_4_reliableResponsesAreTakenInOrder() {
        Dialog dialog = uac(180, "Contact: <sip:bob@10.0.2.1>", false);
        assertThat(dialog.received(reliable(7))).isEqualTo(Progress.PROCESS_AND_PRACK);
        SipRequest prack = dialog.prack(reliable(7)).freezeRequest();
        assertThat(prack.header(HeaderName.RACK)).isEqualTo("7 5 INVITE");
        assertThat(prack.cseq()).hasToString("6 PRACK");
        assertThat(dialog.received(reliable(7))).isEqualTo(Progress.REPEATED);
        assertThat(dialog.received(reliable(9))).isEqualTo(Progress.OUT_OF_ORDER);
        assertThat(dialog.received(reliable(8))).isEqualTo(Progress.PROCESS_AND_PRACK);
        assertThat(dialog.received(reliable(9))).isEqualTo(Progress.PROCESS_AND_PRACK);
    }

    private static SipResponse reliable(long rseq) {
        return response(183, "INVITE", 5, "b1", "Require: 100rel\nRSeq: " + rseq, false);
    }

    @Test
    void rfc3262_3_aPrackThatMatchesNothingGets481() {
        Dialog dialog = uas("", 180);
        long rseq = dialog.nextRSeq(5, new SplittableRandom(1));
        assertThat(rseq).isBetween(1L, (1L << 31) - 1);
        assertThat(dialog.awaitsPrack()).isTrue();
        assertThat(prack(dialog, 6, rseq + 1, 5)).isEqualTo(Accept.PRACK_UNMATCHED);
        assertThat(prack(dialog, 7, rseq, 4)).isEqualTo(Accept.PRACK_UNMATCHED);
        assertThat(prack(dialog, 8, rseq, 5)).isEqualTo(Accept.OK);
        assertThat(dialog.awaitsPrack()).isFalse();
        assertThat(prack(dialog, 9, rseq, 5)).isEqualTo(Accept.PRACK_UNMATCHED);
        assertThat(dialog.nextRSeq(5, new SplittableRandom(2))).isEqualTo(rseq + 1);
    }

    private static Accept prack(Dialog dialog, long cseq, long rseq, long inviteCSeq) {
        return dialog.receive(
                request(
                        "PRACK",
                        cseq,
                        "b1",
                        "RAck: " + rseq + " " + inviteCSeq + " INVITE",
                        false));
    }

    // ---- RFC 3261 15, state as a value
    // ---------------------------------------------------------------

    @Test
    void rfc3261_15_1_aByeEndsTheDialogWhenItIsAnswered() {
        Dialog dialog = uas("", 200);
        SipRequest bye = request("BYE", 6, "b1", "", false);
        assertThat(dialog.receive(bye)).isEqualTo(Accept.OK);
        dialog.responded(bye, MessageDraft.responseTo(bye, 200, null, null).freezeResponse());
        assertThat(dialog.state()).isEqualTo(Dialog.State.TERMINATED);
    }

    @Test
    void rfc3261_15_1_1_ourByeSurvivesAChallenge() {
        Dialog dialog = uac(200, "Contact: <sip:bob@10.0.2.1>", true);
        SipRequest bye = dialog.request("BYE").freezeRequest();
        dialog.received(response(407, "BYE", bye.cseq().number(), "b1", "", false));
        assertThat(dialog.state()).isEqualTo(Dialog.State.CONFIRMED);
        dialog.received(response(500, "BYE", bye.cseq().number(), "b1", "", false));
        assertThat(dialog.state()).isEqualTo(Dialog.State.TERMINATED);
    }

    @Test
    void aDialogComesBackFromItsBytesWithEverythingThatIsOpen() {
        Dialog dialog = uas("\nRecord-Route: <sip:p2;lr;x=1>, <sip:p1;lr>", 200);
        dialog.nextRSeq(6, new SplittableRandom(1));
        SipRequest own = dialog.request("INVITE").freezeRequest();
        dialog.sent(own);
        StateWriter out = new StateWriter();
        dialog.write(out);
        Dialog copy = Dialog.read(new StateReader(out.toByteArray()));
        StateWriter again = new StateWriter();
        copy.write(again);
        assertThat(again.toByteArray()).isEqualTo(out.toByteArray());
        assertThat(copy.key()).isEqualTo(dialog.key());
        assertThat(copy.routeSet()).hasToString(dialog.routeSet().toString());
        assertThat(copy.receive(request("INVITE", 6, "b1", "", true))).isEqualTo(Accept.GLARE);
        assertThat(copy.receive(request("INFO", 5, "b1", "", false))).isEqualTo(Accept.STALE_CSEQ);
        assertThat(copy.request("INFO").freezeRequest().bytes())
                .isEqualTo(dialog.request("INFO").freezeRequest().bytes());
    }

    @Test
    void anOfferThatWaitsForItsAckStillWaitsAfterTheWayThroughBytes() {
        SipRequest invite = request("INVITE", 5, null, "", false);
        SipResponse ok = response(200, "INVITE", 5, "b1", "Contact: <sip:bob@10.0.2.1>", true);
        Dialog dialog = Dialog.uac(invite, ok);
        dialog.received(ok);
        StateWriter out = new StateWriter();
        dialog.write(out);
        Dialog copy = Dialog.read(new StateReader(out.toByteArray()));
        StateWriter again = new StateWriter();
        copy.write(again);
        assertThat(again.toByteArray()).isEqualTo(out.toByteArray());
        assertThat(copy.maySend("INVITE", true)).isFalse();
    }

    @Test
    void everyChangeRaisesTheRevision() {
        Dialog dialog = uas("", 200);
        int before = dialog.revision();
        dialog.receive(request("INFO", 6, "b1", "", false));
        assertThat(dialog.revision()).isGreaterThan(before);
        before = dialog.revision();
        dialog.request("INFO");
        assertThat(dialog.revision()).isGreaterThan(before);
    }
}
