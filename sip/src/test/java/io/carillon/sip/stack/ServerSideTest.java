package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.ALICE;
import static io.carillon.sip.stack.StackHarness.BOB;
import static io.carillon.sip.stack.StackHarness.ackFor;
import static io.carillon.sip.stack.StackHarness.invite;
import static io.carillon.sip.stack.StackHarness.parse;
import static io.carillon.sip.stack.StackHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.admission.Room;
import io.carillon.sip.admission.WaitingMessages;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.server.MergedRequests;
import io.carillon.sip.server.Role;
import io.carillon.sip.server.ServerTransaction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ServerSideTest {
    private static final String B = "z9hG4bK-one";

    private final StackHarness h = new StackHarness();

    private ServerTransaction tx() {
        return h.transactions.getLast();
    }

    private SipResponse answerAsUas() {
        SipResponse ok = h.response(tx(), 200);
        tx().setRole(Role.UAS);
        tx().respondAsUas(ok);
        return ok;
    }

    // 17.2.3 and 17.2.1

    @Test
    @DisplayName(
            "17.2.3: branch, sent-by and method match: a retransmission is not passed up; most"
                    + " recent provisional response is sent again")
    void inviteAgain() {
        h.receive(invite(B), ALICE);
        tx().respond(h.response(tx(), 180));
        tx().respond(h.response(tx(), 183));
        h.receive(invite(B), ALICE);
        assertThat(h.told).containsExactly("request INVITE");
        assertThat(h.sentNames()).containsExactly("180 INVITE", "183 INVITE", "183 INVITE");
        assertThat(h.count(Counter.REQUEST_RETRANSMISSIONS_SEEN)).isEqualTo(1);
        assertThat(h.count(Counter.RESPONSE_RETRANSMISSIONS_SENT)).isEqualTo(1);
    }

    @Test
    @DisplayName("17.2.3: the same branch from another sent-by is another transaction")
    void sameBranchOtherSentBy() {
        h.receive(invite(B), ALICE);
        h.receive(
                invite(B).replace("192.0.2.1:5060", "192.0.2.9:5060").replace("call-1", "call-2"),
                ALICE);
        assertThat(h.told).containsExactly("request INVITE", "request INVITE");
        h.receive(
                invite(B).replace("192.0.2.1:5060", "192.0.2.1:5061").replace("call-1", "call-3"),
                ALICE);
        assertThat(h.told).hasSize(3);
    }

    @Test
    @DisplayName(
            "17.2.3: a request with the branch and sent-by of another one, from elsewhere, repeats"
                    + " no response to whom that one is from, nor is it hidden by it")
    void sameBranchFromElsewhere() {
        h.receive(invite(B), ALICE);
        tx().respond(h.response(tx(), 183));
        h.receive(invite(B).replace("call-1", "call-2"), BOB);
        assertThat(h.sentNames()).containsExactly("183 INVITE");
        assertThat(h.told).containsExactly("request INVITE", "request INVITE");
        tx().respond(h.response(tx(), 486));
        assertThat(h.last().to().remote()).isEqualTo(BOB.remote());
        h.receive(invite(B), ALICE);
        assertThat(h.last().name()).isEqualTo("183 INVITE");
        assertThat(h.told).hasSize(2);
    }

    @Test
    @DisplayName(
            "17.2.3: with another Call-ID or CSeq number it is no repetition, wherever it is from")
    void sameBranchOfAnotherCall() {
        h.receive(invite(B), ALICE);
        tx().respond(h.response(tx(), 183));
        h.receive(invite(B).replace("call-1", "call-2"), ALICE);
        h.receive(invite(B).replace("CSeq: 1", "CSeq: 2"), ALICE);
        assertThat(h.sentNames()).containsExactly("183 INVITE");
        assertThat(h.told).hasSize(3);
    }

    @Test
    @DisplayName(
            "RFC 3581: from another port of the same address it is a repetition, as a router that"
                    + " translates addresses has forgotten the first one")
    void fromAnotherPort() {
        h.receive(invite(B), ALICE);
        tx().respond(h.response(tx(), 183));
        h.receive(invite(B), StackHarness.udp("192.0.2.1", 40_000));
        assertThat(h.told).hasSize(1);
        h.receive(text("CANCEL", B, ""), StackHarness.tcp("192.0.2.1", 41_000, 7));
        assertThat(h.told).containsExactly("request INVITE", "cancelled true");
    }

    @Test
    @DisplayName(
            "17.1.2.1: a client sends a request 11 times: who repeats it more often gets no answer")
    void repeatedForEver() {
        h.receive(invite(B), ALICE);
        tx().respond(h.response(tx(), 183));
        for (int i = 0; i < 100; i++) {
            h.receive(invite(B), ALICE);
        }
        assertThat(h.sent).hasSize(12);
        assertThat(h.count(Counter.REPEATS_NOT_ANSWERED)).isEqualTo(89);
        tx().respond(h.response(tx(), 486));
        assertThat(h.last().name()).isEqualTo("486 INVITE");
        h.runTo(31_000);
        assertThat(h.sent).as("timer G").hasSize(22);
    }

    @Test
    @DisplayName("9.2: a CANCEL from elsewhere ends nothing, whatever it copies")
    void cancelFromElsewhere() {
        h.receive(invite(B), ALICE);
        tx().respond(h.response(tx(), 180));
        h.receive(text("CANCEL", B, ""), BOB);
        h.receive(text("CANCEL", B, "").replace("call-1", "call-2"), ALICE);
        assertThat(h.told).containsExactly("request INVITE");
        assertThat(h.sentNames()).containsExactly("180 INVITE", "481 CANCEL", "481 CANCEL");
        assertThat(h.sent.get(1).to().remote()).isEqualTo(BOB.remote());
    }

    @Test
    @DisplayName("17.2.1: an ACK from elsewhere does not end the repetition of a final response")
    void ackFromElsewhere() {
        h.receive(invite(B), ALICE);
        SipResponse busy = h.response(tx(), 486);
        tx().respond(busy);
        h.receive(ackFor(busy, B), BOB);
        h.runTo(600);
        assertThat(h.sentNames()).containsExactly("486 INVITE", "486 INVITE");
    }

    @Test
    @DisplayName(
            "17.2.3: a 2543 peer without branch: Request-URI, tags, Call-ID, CSeq and top Via make"
                    + " the transaction")
    void withoutBranch() {
        h.receive(invite(""), ALICE);
        h.receive(invite(""), ALICE);
        assertThat(h.told).containsExactly("request INVITE");
        h.receive(invite("").replace("CSeq: 1", "CSeq: 2"), ALICE);
        h.receive(
                invite("")
                        .replace("INVITE sip:bob@", "INVITE sip:carol@")
                        .replace("CSeq: 1", "CSeq: 3"),
                ALICE);
        assertThat(h.told).hasSize(3);
    }

    @Test
    @DisplayName(
            "17.2.3: a 2543 ACK matches by the To tag of the response; with another tag it goes up")
    void ackWithoutBranch() {
        h.receive(invite(""), ALICE);
        SipResponse busy = h.response(tx(), 486);
        tx().respond(busy);
        h.receive(ackFor(busy, "").replace("tag=" + tx().localTag(), "tag=other"), ALICE);
        assertThat(h.told).containsExactly("request INVITE", "ack");
        h.receive(ackFor(busy, ""), ALICE);
        assertThat(h.told).containsExactly("request INVITE", "ack");
        h.runTo(600);
        assertThat(h.sentNames()).as("Timer G was stopped").containsExactly("486 INVITE");
    }

    @Test
    @DisplayName(
            "RFC 6026 6: an ACK without magic cookie that matches an \"Accepted\" transaction must"
                    + " be passed directly to the TU")
    void legacyAckInAccepted() {
        h.receive(invite(""), ALICE);
        SipResponse ok = answerAsUas();
        h.receive(ackFor(ok, ""), ALICE);
        assertThat(h.told).containsExactly("request INVITE", "ack");
        h.runTo(20_000);
        assertThat(h.sentNames()).containsExactly("200 INVITE");
    }

    @Test
    @DisplayName(
            "RFC 4475 3.2.1: a branch of just the magic cookie identifies nothing: two calls with"
                    + " it are two transactions")
    void bareCookie() {
        h.receive(invite("z9hG4bK"), ALICE);
        h.receive(invite("z9hG4bK").replace("call-1", "call-2"), ALICE);
        assertThat(h.told).containsExactly("request INVITE", "request INVITE");
        h.receive(invite("z9hG4bK"), ALICE);
        assertThat(h.told).hasSize(2);
    }

    @Test
    @DisplayName(
            "17.2.1: ACK for a final response of 300 and above is absorbed, and ends its"
                    + " repetition")
    void ackForBusy() {
        h.receive(invite(B), ALICE);
        SipResponse busy = h.response(tx(), 486);
        tx().respond(busy);
        h.runTo(1_600);
        assertThat(h.sentTimes())
                .containsExactly("486 INVITE @0", "486 INVITE @500", "486 INVITE @1500");
        h.receive(ackFor(busy, B), ALICE);
        h.receive(ackFor(busy, B), ALICE);
        h.runTo(6_599);
        assertThat(h.shard.transactionCount()).isEqualTo(1);
        assertThat(h.shard.lingeringCount()).isEqualTo(1);
        h.runTo(6_600);
        assertThat(h.shard.transactionCount()).isZero();
        assertThat(h.shard.lingeringCount()).isZero();
        assertThat(h.told).containsExactly("request INVITE");
        assertThat(h.sent).hasSize(3);
    }

    // 13.3.1.4

    @Test
    @DisplayName(
            "13.3.1.4: 2xx with an interval that starts at T1 and doubles until T2, until an ACK"
                    + " arrives, independent of transport")
    void twoHundredUntilAck() {
        Hop tcp = StackHarness.tcp("192.0.2.1", 40_000, 7);
        h.receive(invite(B).replace("UDP", "TCP"), tcp);
        SipResponse ok = answerAsUas();
        h.runTo(12_000);
        assertThat(h.sentTimes())
                .containsExactly(
                        "200 INVITE @0",
                        "200 INVITE @500",
                        "200 INVITE @1500",
                        "200 INVITE @3500",
                        "200 INVITE @7500",
                        "200 INVITE @11500");
        assertThat(h.last().to()).isEqualTo(tcp);
        h.receive(ackFor(ok, "z9hG4bK-ack"), tcp);
        assertThat(h.told).containsExactly("request INVITE", "ack");
        assertThat(h.shard.waitingForAck()).isZero();
        h.runTo(60_000);
        assertThat(h.sent).hasSize(6);
        assertThat(h.shard.transactionCount()).isZero();
        assertThat(h.shard.timers().size()).isZero();
    }

    @Test
    @DisplayName("13.3.1.4: 64*T1 without ACK: the layer above ends the session")
    void ackNeverComes() {
        h.receive(invite(B), ALICE);
        answerAsUas();
        h.runTo(60_000);
        assertThat(h.told).containsExactly("request INVITE", "ackMissing @32000");
        assertThat(h.sent).as("0, .5, 1.5, 3.5, then every 4 s").hasSize(11);
        assertThat(h.count(Counter.ACKS_MISSING)).isEqualTo(1);
    }

    @Test
    @DisplayName("13.3.1.4: an ACK that came another way stops the 2xx too")
    void ackReceivedElsewhere() {
        h.receive(invite(B), ALICE);
        SipResponse ok = answerAsUas();
        tx().ackReceived((SipRequest) parse(ackFor(ok, "z9hG4bK-ack")));
        h.runTo(60_000);
        assertThat(h.sentNames()).containsExactly("200 INVITE");
        assertThat(h.told).containsExactly("request INVITE");
    }

    @Test
    @DisplayName(
            "RFC 6026 7.1: while \"Accepted\" a repeated INVITE is absorbed, and a 2xx passed again"
                    + " by a proxy is sent")
    void proxyForwardsRepeated2xx() {
        h.receive(invite(B), ALICE);
        tx().setRole(Role.PROXY);
        SipResponse ok = h.response(tx(), 200);
        tx().respond(ok);
        tx().respond(ok);
        h.receive(invite(B), ALICE);
        h.runTo(31_999);
        assertThat(h.sentNames()).containsExactly("200 INVITE", "200 INVITE");
        h.runTo(32_000);
        tx().respond(ok);
        assertThat(h.sent).hasSize(2);
        assertThat(h.shard.transactionCount()).isZero();
    }

    @Test
    @DisplayName(
            "RFC 6026 7.1: an ACK with the branch of the INVITE in \"Accepted\" is passed to the TU"
                    + " and not absorbed")
    void ackWithSameBranch() {
        h.receive(invite(B), ALICE);
        SipResponse ok = answerAsUas();
        h.receive(ackFor(ok, B), ALICE);
        h.receive(ackFor(ok, B), ALICE);
        assertThat(h.told).containsExactly("request INVITE", "ack", "ack");
        h.runTo(5_000);
        assertThat(h.sentNames()).containsExactly("200 INVITE");
    }

    @Test
    @DisplayName("17.2.1: a late 1xx after the final response is not sent")
    void late1xx() {
        h.receive(invite(B), ALICE);
        SipResponse ringing = h.response(tx(), 180);
        answerAsUas();
        tx().respond(ringing);
        assertThat(h.sentNames()).containsExactly("200 INVITE");
        assertThat(h.count(Counter.RESPONSES_SUPPRESSED)).isEqualTo(1);
    }

    // RFC 3262

    @Test
    @DisplayName(
            "RFC 3262 3: a reliable provisional is repeated from T1, doubling, until its PRACK")
    void reliableProvisional() {
        h.receive(invite(B), ALICE);
        tx().respondReliably(h.response(tx(), 183), 17);
        h.runTo(4_000);
        assertThat(h.sentTimes())
                .containsExactly(
                        "183 INVITE @0", "183 INVITE @500", "183 INVITE @1500", "183 INVITE @3500");
        tx().pracked(99);
        tx().pracked(17);
        h.runTo(60_000);
        assertThat(h.sent).hasSize(4);
        assertThat(h.told).containsExactly("request INVITE");
    }

    @Test
    @DisplayName(
            "RFC 3262 3: 64*T1 without PRACK: the UAS SHOULD reject the original request with a 5xx"
                    + " response")
    void prackNeverComes() {
        h.receive(invite(B), ALICE);
        tx().respondReliably(h.response(tx(), 183), 17);
        h.runTo(60_000);
        assertThat(h.told).containsExactly("request INVITE", "prackMissing @32000");
        assertThat(h.sentTimes()).endsWith("183 INVITE @15500", "183 INVITE @31500");
        tx().respond(h.response(tx(), 504));
        assertThat(h.last().name()).isEqualTo("504 INVITE");
    }

    @Test
    @DisplayName(
            "RFC 3262 3: after a final response the unacknowledged reliable provisional is not"
                    + " repeated")
    void finalStopsReliableProvisional() {
        h.receive(invite(B), ALICE);
        tx().respondReliably(h.response(tx(), 183), 17);
        tx().respondReliably(h.response(tx(), 183), 18);
        SipResponse busy = h.response(tx(), 486);
        tx().respond(busy);
        h.receive(ackFor(busy, B), ALICE);
        h.runTo(60_000);
        assertThat(h.sentNames()).containsExactly("183 INVITE", "183 INVITE", "486 INVITE");
    }

    // 9.2

    @Test
    @DisplayName(
            "9.2: CANCEL of a pending INVITE: 200 to the CANCEL, 487 to the INVITE, with the same"
                    + " To tag")
    void cancel() {
        h.receive(invite(B), ALICE);
        h.receive(text("CANCEL", B, ""), ALICE);
        assertThat(h.sentNames()).containsExactly("200 CANCEL", "487 INVITE");
        assertThat(h.sent.get(0).response().toTag())
                .isEqualTo(h.sent.get(1).response().toTag())
                .isNotNull();
        assertThat(h.told).containsExactly("request INVITE", "cancelled true");
        tx().respond(h.response(tx(), 200));
        assertThat(h.sent).as("the application lost the decision").hasSize(2);
        assertThat(tx().claimFinal()).isFalse();
        h.receive(text("CANCEL", B, ""), ALICE);
        assertThat(h.last().name()).as("repeated CANCEL, same transaction").isEqualTo("200 CANCEL");
        assertThat(h.told).hasSize(2);
    }

    @Test
    @DisplayName("9.2: the 487 has the To tag of the provisional responses before it")
    void cancelAfterRinging() {
        h.receive(invite(B), ALICE);
        tx().respond(MessageDraft.responseTo(tx().request(), 180, null, "mine").freezeResponse());
        h.receive(text("CANCEL", B, ""), ALICE);
        assertThat(h.last().response().toTag()).isEqualTo("mine");
    }

    @Test
    @DisplayName(
            "9.2: a CANCEL that crosses a 200 whose decision is made already has no effect; the 200"
                    + " goes out")
    void cancelCrossesClaimed200() {
        h.receive(invite(B), ALICE);
        assertThat(tx().claimFinal()).isTrue();
        h.receive(text("CANCEL", B, ""), ALICE);
        assertThat(h.sentNames()).containsExactly("200 CANCEL");
        assertThat(h.told).containsExactly("request INVITE", "cancelled false");
        answerAsUas();
        assertThat(h.sentNames()).containsExactly("200 CANCEL", "200 INVITE");
        assertThat(tx().claimFinal()).isFalse();
    }

    @Test
    @DisplayName("9.2: if it has sent a final response, the CANCEL has no effect, and gets its 200")
    void cancelAfterFinal() {
        h.receive(invite(B), ALICE);
        answerAsUas();
        h.receive(text("CANCEL", B, ""), ALICE);
        assertThat(h.sentNames()).containsExactly("200 INVITE", "200 CANCEL");
        assertThat(h.told).containsExactly("request INVITE");
    }

    @Test
    @DisplayName(
            "16.10: a stateful proxy gets its CANCEL reported and answers the INVITE by what its"
                    + " branches say")
    void cancelForProxy() {
        h.receive(invite(B), ALICE);
        tx().setRole(Role.PROXY);
        h.receive(text("CANCEL", B, ""), ALICE);
        assertThat(h.sentNames()).containsExactly("200 CANCEL");
        assertThat(h.told).containsExactly("request INVITE", "cancelled false");
        tx().respond(h.response(tx(), 487));
        assertThat(h.last().name()).isEqualTo("487 INVITE");
    }

    @Test
    @DisplayName("9.2: no matching transaction: 481")
    void strayCancel() {
        h.receive(text("CANCEL", B, ""), ALICE);
        assertThat(h.sentNames()).containsExactly("481 CANCEL");
        assertThat(h.told).isEmpty();
        assertThat(h.count(Counter.STRAY_CANCELS)).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "9.2: a CANCEL has no impact on transactions with other methods, and is answered with"
                    + " 200")
    void cancelOfOptions() {
        h.receive(text("OPTIONS", B, ""), ALICE);
        h.receive(text("CANCEL", B, ""), ALICE);
        assertThat(h.sentNames()).containsExactly("200 CANCEL");
        assertThat(h.told).containsExactly("request OPTIONS");
    }

    // 8.2.2.2

    @Test
    @DisplayName(
            "8.2.2.2: From tag, Call-ID and CSeq as of an ongoing transaction of a UAS, another"
                    + " branch: 482")
    void merged() {
        h.receive(invite(B), ALICE);
        tx().setRole(Role.UAS);
        h.receive(invite("z9hG4bK-two"), ALICE);
        assertThat(h.sentNames()).containsExactly("482 INVITE");
        assertThat(h.told).containsExactly("request INVITE");
        assertThat(h.count(Counter.MERGED_REQUESTS)).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "8.2.2.2: not against a sibling that is proxied, nor with a To tag, nor another CSeq,"
                    + " nor after its end")
    void notMerged() {
        h.receive(invite(B), ALICE);
        tx().setRole(Role.PROXY);
        h.receive(invite("z9hG4bK-two"), ALICE);
        assertThat(h.told).hasSize(2);
        tx().setRole(Role.UAS);
        h.receive(text("INVITE", "z9hG4bK-three", "To: <sip:bob@example.com>;tag=x\n"), ALICE);
        h.receive(invite("z9hG4bK-four").replace("CSeq: 1", "CSeq: 2"), ALICE);
        assertThat(h.told).hasSize(4);
        for (ServerTransaction t : h.transactions) {
            t.respond(h.response(t, 200));
        }
        h.runTo(33_000);
        h.receive(invite("z9hG4bK-five"), ALICE);
        assertThat(h.told).hasSize(5);
        assertThat(h.count(Counter.MERGED_REQUESTS)).isZero();
    }

    @Test
    @DisplayName(
            "8.2.2.2: a sibling that comes before the application has decided waits, and is merged"
                    + " when it answers as a user agent")
    void mergedWhileUndecided() {
        h.receive(invite(B), ALICE);
        h.receive(invite("z9hG4bK-two"), ALICE);
        h.receive(invite("z9hG4bK-three"), ALICE);
        assertThat(h.told).containsExactly("request INVITE");
        ServerTransaction first = h.transactions.getFirst();
        first.setRole(Role.UAS);
        assertThat(h.sentNames()).containsExactly("482 INVITE", "482 INVITE");
        assertThat(h.count(Counter.MERGED_REQUESTS)).isEqualTo(2);
        first.respond(h.response(first, 200));
        assertThat(h.told).containsExactly("request INVITE");
    }

    @Test
    @DisplayName(
            "16.3: a sibling of a request that is proxied is passed on too, when that is known")
    void proxiedSiblings() {
        h.receive(invite(B), ALICE);
        h.receive(invite("z9hG4bK-two"), ALICE);
        h.receive(invite("z9hG4bK-three"), ALICE);
        assertThat(h.told).hasSize(1);
        h.transactions.get(0).setRole(Role.PROXY);
        h.drain();
        assertThat(h.told).hasSize(2);
        h.transactions.get(1).setRole(Role.PROXY);
        h.drain();
        assertThat(h.told).hasSize(3);
        assertThat(h.sent).isEmpty();
        assertThat(h.count(Counter.MERGED_REQUESTS)).isZero();
    }

    @Test
    @DisplayName(
            "8.2.2.2: \"ongoing transactions\": where the first one was refused without a role, the"
                    + " next one is a request of its own")
    void siblingOfARefusedOne() {
        h.receive(invite(B), ALICE);
        h.receive(invite("z9hG4bK-two"), ALICE);
        h.transactions.getFirst().respond(h.response(h.transactions.getFirst(), 503));
        h.drain();
        assertThat(h.told).containsExactly("request INVITE", "request INVITE");
    }

    @Test
    @DisplayName("9.2: a sibling that waits can be cancelled, and nobody is told of it")
    void cancelledSibling() {
        h.receive(invite(B), ALICE);
        h.receive(invite("z9hG4bK-two"), ALICE);
        h.receive(text("CANCEL", "z9hG4bK-two", ""), ALICE);
        assertThat(h.sentNames()).containsExactly("200 CANCEL", "487 INVITE");
        h.transactions.getFirst().setRole(Role.PROXY);
        h.drain();
        assertThat(h.told).containsExactly("request INVITE");
        h.transactions.getFirst().respond(h.response(h.transactions.getFirst(), 486));
        h.runTo(70_000);
        assertThat(h.shard.transactionCount()).isZero();
        assertThat(h.shard.heldBytes()).isZero();
    }

    @Test
    @DisplayName(
            "a sibling of a request that nobody answers is told of, and lives no longer than others")
    void siblingThatExpires() {
        h.receive(text("OPTIONS", B, ""), ALICE);
        h.receive(text("OPTIONS", "z9hG4bK-two", ""), ALICE);
        assertThat(h.told).containsExactly("request OPTIONS");
        h.runTo(40_000);
        assertThat(h.told).hasSizeBetween(1, 2);
        assertThat(h.shard.transactionCount()).isZero();
        assertThat(h.shard.heldBytes()).isZero();
    }

    @Test
    @DisplayName("siblings that wait are bounded for each request; further ones are merged")
    void manySiblings() {
        h.receive(invite(B), ALICE);
        for (int i = 0; i < 2 * MergedRequests.MOST_WAITING; i++) {
            h.receive(invite("z9hG4bK-" + i), ALICE);
        }
        assertThat(h.count(Counter.MERGED_REQUESTS)).isEqualTo(MergedRequests.MOST_WAITING);
        assertThat(h.told).hasSize(1);
    }

    // 18.2.1, 18.2.2, RFC 3581

    @Test
    @DisplayName(
            "18.2.1: sent-by is the source address: nothing is added; 18.2.2: the response goes to"
                    + " the sent-by port")
    void sentByIsSource() {
        h.receive(invite(B), StackHarness.udp("192.0.2.1", 33_333));
        assertThat(tx().request().topVia().received()).isNull();
        tx().respond(h.response(tx(), 180));
        assertThat(h.last().to()).isEqualTo(StackHarness.udp("192.0.2.1", 5060));
    }

    @Test
    @DisplayName(
            "18.2.1: a domain name or another address: the server MUST add a \"received\""
                    + " parameter")
    void received() {
        h.receive(
                invite(B).replace("192.0.2.1:5060", "pc.example.com"),
                StackHarness.udp("192.0.2.7", 5060));
        assertThat(tx().request().topVia().received()).isEqualTo("192.0.2.7");
        h.receive(
                invite("z9hG4bK-x")
                        .replace("192.0.2.1:5060", "10.1.1.1:5070")
                        .replace("CSeq: 1", "CSeq: 2"),
                StackHarness.udp("192.0.2.7", 9));
        assertThat(tx().request().topVia().received()).isEqualTo("192.0.2.7");
        tx().respond(h.response(tx(), 180));
        assertThat(h.last().to()).isEqualTo(StackHarness.udp("192.0.2.7", 5070));
    }

    @Test
    @DisplayName("18.2.1: IPv6 sent-by equal to the source in another spelling needs no received")
    void ipv6() {
        h.receive(
                invite(B).replace("192.0.2.1:5060", "[2001:DB8:0::1]:5060"),
                StackHarness.udp("2001:db8::1", 5060));
        assertThat(tx().request().topVia().received()).isNull();
        h.receive(
                invite("z9hG4bK-x")
                        .replace("192.0.2.1:5060", "[2001:db8::2]:5060")
                        .replace("CSeq: 1", "CSeq: 2"),
                StackHarness.udp("2001:db8::1", 5060));
        assertThat(tx().request().topVia().received()).isEqualTo("2001:db8:0:0:0:0:0:1");
    }

    @Test
    @DisplayName(
            "RFC 3581 4: rport gets the source port, received is added even if identical, and the"
                    + " response goes to the source")
    void rport() {
        Hop nat = StackHarness.udp("192.0.2.1", 33_333);
        h.receive(invite(B + ";rport"), nat);
        assertThat(tx().request().topVia().rport()).isEqualTo(33_333);
        assertThat(tx().request().topVia().received()).isEqualTo("192.0.2.1");
        tx().respond(h.response(tx(), 180));
        assertThat(h.last().to()).isEqualTo(nat);
        assertThat(h.last().response().topVia().rport()).isEqualTo(33_333);
    }

    @Test
    @DisplayName(
            "18.2.2, declared deviation: maddr in a Via is not followed: no stranger aims our"
                    + " responses at others")
    void maddr() {
        h.receive(invite(B + ";maddr=192.0.2.50"), ALICE);
        tx().respond(h.response(tx(), 180));
        assertThat(h.last().to()).isEqualTo(StackHarness.udp("192.0.2.1", 5060));
    }

    @Test
    @DisplayName(
            "18.2.2: reliable: the existing connection, and when it is closed one to received and"
                    + " the sent-by port")
    void connectionOfTheRequest() {
        Hop tcp = StackHarness.tcp("192.0.2.1", 40_000, 7);
        h.receive(invite(B).replace("UDP", "TCP"), tcp);
        tx().respond(h.response(tx(), 180));
        assertThat(h.last().to()).isEqualTo(tcp);
        h.failLast();
        assertThat(h.last().to()).isEqualTo(StackHarness.tcp("192.0.2.1", 5060, 0));
        assertThat(h.sentNames()).containsExactly("180 INVITE", "180 INVITE");
        h.failLast();
        assertThat(h.sent).hasSize(2);
        assertThat(h.count(Counter.TRANSPORT_FAILURES)).isEqualTo(1);
        tx().respond(h.response(tx(), 200));
        assertThat(h.last().name())
                .as("RFC 6026: the transaction is still there")
                .isEqualTo("200 INVITE");
    }

    @Test
    @DisplayName(
            "18.2.2: the final response to a non-INVITE request too, although the transaction is"
                    + " over then")
    void connectionOfTheRequestNonInvite() {
        Hop tcp = StackHarness.tcp("192.0.2.1", 40_000, 7);
        h.receive(text("OPTIONS", B, "").replace("UDP", "TCP"), tcp);
        tx().respond(h.response(tx(), 200));
        assertThat(h.last().to()).isEqualTo(tcp);
        assertThat(h.shard.transactionCount()).isZero();
        h.failLast();
        assertThat(h.last().to()).isEqualTo(StackHarness.tcp("192.0.2.1", 5060, 0));
        assertThat(h.sentNames()).containsExactly("200 OPTIONS", "200 OPTIONS");
        h.failLast();
        assertThat(h.sent).hasSize(2);
        assertThat(h.count(Counter.TRANSPORT_FAILURES)).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "17.2.2, timer J: a router of the cluster repeats what its connections have brought, so"
                    + " what comes again is known, as over UDP")
    void byAConnectionOfARouterARequestMayComeAgain() {
        Hop flow = StackHarness.tcp("192.0.2.1", 40_000, 1L << 62 | 7);
        h.receive(text("OPTIONS", B, "").replace("UDP", "TCP"), flow);
        tx().respond(h.response(tx(), 200));
        h.runTo(31_900);
        h.receive(text("OPTIONS", B, "").replace("UDP", "TCP"), flow);
        assertThat(h.told).containsExactly("request OPTIONS");
        assertThat(h.sentTimes())
                .as("nothing by itself, and the answer again")
                .containsExactly("200 OPTIONS @0", "200 OPTIONS @31900");
        h.runTo(32_000);
        assertThat(h.shard.transactionCount()).isZero();
    }

    @Test
    @DisplayName("17.2.1, timer I: so it is with an INVITE that was refused, and its ACK")
    void byAConnectionOfARouterARefusedInviteMayComeAgain() {
        Hop flow = StackHarness.tcp("192.0.2.1", 40_000, 1L << 62 | 7);
        h.receive(invite(B).replace("UDP", "TCP"), flow);
        SipResponse busy = h.response(tx(), 486);
        tx().respond(busy);
        h.receive(ackFor(busy, B), flow);
        h.runTo(4_900);
        h.receive(invite(B).replace("UDP", "TCP"), flow);
        assertThat(h.told).containsExactly("request INVITE");
        assertThat(h.sentNames()).containsExactly("486 INVITE");
        h.runTo(5_000);
        assertThat(h.shard.transactionCount()).isZero();
    }

    // RFC 4320

    @Test
    @DisplayName("RFC 4320 4.2: no 408 to a non-INVITE request, and no final response after 64*T1")
    void no408() {
        h.receive(text("OPTIONS", B, ""), ALICE);
        tx().respond(h.response(tx(), 408));
        assertThat(h.sent).isEmpty();
        h.runTo(32_000);
        tx().respond(h.response(tx(), 200));
        assertThat(h.sentTimes()).containsExactly("100 OPTIONS @3500");
        assertThat(h.shard.transactionCount()).isZero();
        assertThat(h.count(Counter.EXPIRED_UNANSWERED)).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "17.2.2: the final response of a lingering transaction is sent again from its bytes,"
                    + " byte for byte")
    void lingeringResponse() {
        h.receive(text("BYE", B, "To: <sip:bob@example.com>;tag=x\n"), ALICE);
        SipResponse ok = h.response(tx(), 200);
        tx().respond(ok);
        assertThat(h.shard.lingeringCount()).isEqualTo(1);
        h.runTo(10_000);
        h.receive(text("BYE", B, "To: <sip:bob@example.com>;tag=x\n"), ALICE);
        assertThat(h.sent).hasSize(2);
        assertThat(h.last().message().toString()).isEqualTo(ok.toString());
        h.runTo(32_000);
        assertThat(h.shard.transactionCount()).isZero();
        assertThat(h.shard.lingeringCount()).isZero();
        assertThat(h.told).containsExactly("request BYE");
    }

    // Refusals

    @Test
    @DisplayName(
            "21.5.4: refusing: new initial requests get 503 with Retry-After without a transaction,"
                    + " its ACK ends here, in-dialog requests go on")
    void refuseNew() {
        h.shard.refuseNew(503, 30);
        h.receive(invite(B), ALICE);
        SipResponse refusal = h.last().response();
        assertThat(refusal.status()).isEqualTo(503);
        assertThat(refusal.header(HeaderName.RETRY_AFTER)).isEqualTo("30");
        assertThat(h.shard.transactionCount()).isZero();
        h.receive(invite(B), ALICE);
        assertThat(h.last().response().toTag())
                .as("8.2.7: the same tag")
                .isEqualTo(refusal.toTag());
        h.receive(ackFor(refusal, B), ALICE);
        assertThat(h.told).isEmpty();
        assertThat(h.count(Counter.STATELESS_ACKS)).isEqualTo(1);
        h.receive(text("BYE", "z9hG4bK-bye", "To: <sip:bob@example.com>;tag=x\n"), ALICE);
        assertThat(h.told).containsExactly("request BYE");
        h.shard.refuseNew(0, 0);
        h.receive(invite(B), ALICE);
        assertThat(h.told).containsExactly("request BYE", "request INVITE");
        assertThat(h.count(Counter.REFUSED)).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "21.5.4: a full table: new initial requests get 503 with Retry-After; in-dialog ones up"
                    + " to a quarter more")
    void fullTable() {
        StackHarness small = new StackHarness(StackConfig.builder().maxTransactions(4));
        for (int i = 0; i < 4; i++) {
            small.receive(invite("z9hG4bK-" + i).replace("call-1", "call-" + i), ALICE);
        }
        small.receive(invite("z9hG4bK-more").replace("call-1", "call-more"), ALICE);
        assertThat(small.last().name()).isEqualTo("503 INVITE");
        assertThat(small.last().response().header(HeaderName.RETRY_AFTER)).isEqualTo("5");
        assertThat(small.told).hasSize(4);
        small.receive(invite("z9hG4bK-1").replace("call-1", "call-1"), ALICE);
        assertThat(small.told).as("a retransmission is no new request").hasSize(4);
        small.receive(text("BYE", "z9hG4bK-bye", "To: <sip:bob@example.com>;tag=x\n"), ALICE);
        assertThat(small.told).hasSize(5);
        small.receive(text("BYE", "z9hG4bK-bye2", "To: <sip:bob@example.com>;tag=x\n"), ALICE);
        assertThat(small.told).hasSize(5);
        assertThat(small.last().name()).isEqualTo("503 BYE");
        assertThat(small.count(Counter.REFUSED_FULL)).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "21.5.4: requests that hold too many bytes: new initial ones get 503 with Retry-After;"
                    + " in-dialog ones go on")
    void heldBytes() {
        StackHarness small = new StackHarness(StackConfig.builder().requestHeapBytes(3000));
        String body = "x".repeat(1500);
        for (int i = 0; i < 2; i++) {
            small.receive(withBody("z9hG4bK-" + i, "call-" + i, body), ALICE);
        }
        small.receive(invite("z9hG4bK-more").replace("call-1", "call-more"), ALICE);
        assertThat(small.last().name()).isEqualTo("503 INVITE");
        assertThat(small.last().response().header(HeaderName.RETRY_AFTER)).isEqualTo("5");
        assertThat(small.count(Counter.REFUSED_REQUEST_HEAP)).isEqualTo(1);
        small.receive(text("BYE", "z9hG4bK-bye", "To: <sip:bob@example.com>;tag=x\n"), ALICE);
        assertThat(small.told).containsExactly("request INVITE", "request INVITE", "request BYE");
        small.runTo(200_000);
        assertThat(small.shard.heldBytes()).as("INVITEs are open still").isGreaterThan(3000);
    }

    private static String withBody(String branch, String callId, String body) {
        return invite(branch)
                        .replace("call-1", callId)
                        .replace("Content-Length: 0", "Content-Length: " + body.length())
                + body;
    }

    @Test
    @DisplayName(
            "13.3.1.4: a request is held until the ACK to its 2xx, or until nobody waits for it")
    void heldUntilAck() {
        h.receive(invite(B), ALICE);
        long one = h.shard.heldBytes();
        assertThat(one).isPositive();
        ServerTransaction tx = h.transactions.getLast();
        SipResponse ok = h.response(tx, 200);
        tx.respondAsUas(ok);
        assertThat(h.shard.heldBytes()).isEqualTo(one);
        tx.ackReceived((SipRequest) parse(ackFor(ok, "z9hG4bK-ack")));
        assertThat(h.shard.heldBytes()).isZero();
        h.receive(invite("z9hG4bK-2").replace("call-1", "call-2"), ALICE);
        ServerTransaction second = h.transactions.getLast();
        second.respondAsUas(h.response(second, 200));
        h.runTo(40_000);
        assertThat(h.shard.heldBytes()).isZero();
        h.receive(invite("z9hG4bK-3").replace("call-1", "call-3"), ALICE);
        ServerTransaction third = h.transactions.getLast();
        third.respond(h.response(third, 486));
        assertThat(h.shard.heldBytes()).isZero();
    }

    @Test
    @DisplayName("13.3.1.4: a 2xx whose ACK found no room is repeated until the ACK comes again")
    void ackWithoutRoom() {
        h.receive(invite(B), ALICE);
        ServerTransaction tx = h.transactions.getLast();
        SipResponse ok = h.response(tx, 200);
        tx.respondAsUas(ok);
        long held = h.shard.heldBytes();
        h.roomForAcks = false;
        h.receive(ackFor(ok, "z9hG4bK-ack"), ALICE);
        assertThat(h.shard.waitingForAck()).isEqualTo(1);
        assertThat(h.shard.heldBytes()).isEqualTo(held);
        int sent = h.sent.size();
        h.runTo(4_000);
        assertThat(h.sent.size()).isGreaterThan(sent + 1);
        h.roomForAcks = true;
        h.receive(ackFor(ok, "z9hG4bK-ack2"), ALICE);
        assertThat(h.shard.waitingForAck()).isZero();
        assertThat(h.shard.heldBytes()).isZero();
        sent = h.sent.size();
        h.runTo(40_000);
        assertThat(h.sent).hasSize(sent);
    }

    @Test
    @DisplayName(
            "21.5.4: what ends a call has room above other requests of dialogs, and those above new"
                    + " ones")
    void kindsOfRoom() {
        StackHarness small = new StackHarness(StackConfig.builder().requestHeapBytes(20_000));
        small.shard.core().holds(Sources.NOBODY, 0, 20_000);
        small.receive(invite(B), ALICE);
        assertThat(small.last().name()).isEqualTo("503 INVITE");
        String within = "To: <sip:bob@example.com>;tag=x\n";
        small.receive(text("INFO", "z9hG4bK-1", within), ALICE);
        assertThat(small.told).containsExactly("request INFO");
        small.shard.core().holds(Sources.NOBODY, 0, 5_000);
        small.receive(text("INFO", "z9hG4bK-2", within), ALICE);
        assertThat(small.last().name()).isEqualTo("503 INFO");
        small.receive(text("BYE", "z9hG4bK-3", within), ALICE);
        assertThat(small.told).containsExactly("request INFO", "request BYE");
        small.shard.core().holds(Sources.NOBODY, 0, 5_000);
        small.receive(text("BYE", "z9hG4bK-4", within), ALICE);
        assertThat(small.last().name()).isEqualTo("503 BYE");
        // What waits is another account.
        small.shard.core().holds(Sources.NOBODY, 20_000, 0);
        small.shard.core().holds(Sources.NOBODY, 5_000, 0);
        small.shard.core().holds(Sources.NOBODY, 5_000, 0);
        small.shard.waiting().add(30_000, Sources.NOBODY);
        small.receive(invite("z9hG4bK-5"), ALICE);
        assertThat(small.told).last().isEqualTo("request INVITE");
    }

    @Test
    @DisplayName("where much waits, a mailbox with little in it still gets more")
    void crowded() {
        WaitingMessages waiting =
                new WaitingMessages(
                        StackConfig.builder().requestHeapBytes(8_000_000).build().capacity());
        assertThat(waiting.hasRoom(900_000, 60_000, Room.DIALOG, Sources.NOBODY)).isTrue();
        waiting.add(1_000_000, Sources.NOBODY);
        assertThat(waiting.hasRoom(900_000, 60_000, Room.DIALOG, Sources.NOBODY)).isFalse();
        assertThat(waiting.hasRoom(0, 60_000, Room.DIALOG, Sources.NOBODY)).isFalse();
        assertThat(waiting.hasRoom(0, 1_500, Room.NEW, Sources.NOBODY)).isTrue();
        assertThat(waiting.hasRoom(10_000, 1_500, Room.DIALOG, Sources.NOBODY)).isTrue();
        assertThat(waiting.hasRoom(900_000, 60_000, Room.RESERVED, Sources.NOBODY)).isTrue();
        waiting.add(1_000_000, Sources.NOBODY);
        assertThat(waiting.hasRoom(0, 1_500, Room.NEW, Sources.NOBODY)).isFalse();
        assertThat(waiting.hasRoom(0, 1_500, Room.DIALOG, Sources.NOBODY)).isTrue();
        waiting.add(1_000_000, Sources.NOBODY);
        assertThat(waiting.hasRoom(0, 1_500, Room.DIALOG, Sources.NOBODY)).isFalse();
        assertThat(waiting.hasRoom(0, 60_000, Room.RESERVED, Sources.NOBODY)).isTrue();
        waiting.add(1_000_000, Sources.NOBODY);
        assertThat(waiting.hasRoom(0, 1_500, Room.RESERVED, Sources.NOBODY)).isFalse();
    }

    @Test
    @DisplayName(
            "21.4.1: a malformed request gets 400 with a reason, statelessly, to the packet source;"
                    + " an ACK or a response never")
    void malformed() {
        Hop odd = StackHarness.udp("192.0.2.1", 4444);
        h.receive(invite(B).replace("CSeq: 1 INVITE", "CSeq: 1 OPTIONS"), odd);
        assertThat(h.last().response().status()).isEqualTo(400);
        assertThat(h.last().response().reason()).isNotEqualTo("Bad Request");
        assertThat(h.last().to()).isEqualTo(odd);
        assertThat(h.shard.transactionCount()).isZero();
        h.receive(text("ACK", B, "").replace("CSeq: 1 ACK", "CSeq: 1 OPTIONS"), odd);
        h.receive(
                "SIP/2.0 200 OK\nVia: SIP/2.0/UDP 192.0.2.100:5060;branch=z9hG4bKx\nCSeq: x\n\n",
                odd);
        h.receive("hello\n\n", odd);
        assertThat(h.sent).hasSize(1);
        assertThat(h.told).isEmpty();
        assertThat(h.errors).isEmpty();
        assertThat(h.count(Counter.MALFORMED_ANSWERED)).isEqualTo(1);
        assertThat(h.count(Counter.DROPPED_NOT_SIP) + h.count(Counter.MALFORMED_DROPPED))
                .isEqualTo(3);
    }

    @Test
    @DisplayName("an exception of the layer above is answered by 500 and goes to the one sink")
    void exceptionAbove() {
        h.onRequest =
                (tx, request) -> {
                    throw new IllegalStateException("broken application");
                };
        h.receive(invite(B), ALICE);
        assertThat(h.sentNames()).containsExactly("500 INVITE");
        assertThat(h.errors).hasSize(1);
        assertThat(h.count(Counter.USER_ERRORS)).isEqualTo(1);
    }

    // Threads

    @Test
    @DisplayName(
            "from another thread a response is posted, and uses the time of the posting, not of the"
                    + " last advance")
    void fromAnotherThread() {
        h.receive(invite(B), ALICE);
        h.elsewhere = true;
        ServerTransaction tx = tx();
        tx.respond(h.response(tx, 486));
        assertThat(h.sent).isEmpty();
        h.sleepUnnoticed(100_000);
        h.drain();
        assertThat(h.sentNames()).containsExactly("486 INVITE");
        h.elsewhere = false;
        h.runTo(100_499);
        assertThat(h.sent).hasSize(1);
        h.runTo(100_500);
        assertThat(h.sent).as("Timer G runs from the moment of sending").hasSize(2);
    }

    @Test
    @DisplayName("large answers that linger count as held bytes until their transactions end")
    void largeAnswersThatLinger() {
        String vias = "Via: SIP/2.0/UDP 10.0.0.1;branch=z9hG4bKx\n".repeat(200);
        h.receive(text("OPTIONS", B, vias), ALICE);
        tx().respond(h.response(tx(), 200));
        int length = h.last().message().length();
        assertThat(length).isGreaterThan(4096);
        assertThat(h.shard.heldBytes()).isEqualTo(length - 512);
        h.receive(invite("z9hG4bK-two").replace("Contact", vias + "Contact"), ALICE);
        tx().respond(h.response(tx(), 486));
        assertThat(h.shard.heldBytes()).isGreaterThan(2L * (length - 512));
        h.runTo(70_000);
        assertThat(h.shard.heldBytes()).isZero();
        assertThat(h.shard.transactionCount()).isZero();
    }
}
