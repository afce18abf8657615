package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.ALICE;
import static io.carillon.sip.stack.StackHarness.BOB;
import static io.carillon.sip.stack.StackHarness.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.header.Via;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.hop.SendFailure;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.hop.Wire;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.token.OwnMarks;
import io.carillon.sip.token.ShardToken;
import io.carillon.sip.uri.SipUri;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClientSideTest {
    private static final Hop SECOND = StackHarness.udp("192.0.2.3", 5060);

    private final StackHarness h = new StackHarness();

    private RequestAttempt send(String method) {
        return h.shard.send(h.outgoing(method, "192.0.2.2"));
    }

    private SipRequest firstSent() {
        return h.sent.getFirst().request();
    }

    private void twoHops() {
        h.targets.put("192.0.2.2", List.of(BOB, SECOND));
    }

    // 18.1.1, 8.1.1.7, 8.1.2

    @Test
    @DisplayName(
            "18.1.1, 8.1.1.7: the Via has our sent-by and a branch that begins with the magic cookie and carries the shard")
    void via() {
        RequestAttempt attempt = send("OPTIONS");
        Via via = firstSent().topVia();
        assertThat(via.host()).isEqualTo(StackHarness.OWN);
        assertThat(via.branch()).startsWith("z9hG4bK");
        assertThat(ShardToken.decode(String.valueOf(via.branch()))).isEqualTo(3);
        assertThat(via.rport()).isZero();
        assertThat(attempt.request()).isSameAs(firstSent());
        assertThat(attempt.hop()).isEqualTo(BOB);
    }

    @Test
    @DisplayName(
            "8.1.2: to the first Route when it is a loose router, else to the Request-URI; nextHop and fixedHop overrule")
    void target() {
        h.targets.put("proxy.example.com", List.of(SECOND));
        OutgoingRequest loose = h.outgoing("OPTIONS", "192.0.2.2");
        loose.draft()
                .set(HeaderName.ROUTE, "<sip:proxy.example.com;lr>, <sip:other.example.com;lr>");
        h.shard.send(loose);
        assertThat(h.last().to()).isEqualTo(SECOND);
        OutgoingRequest strict = h.outgoing("OPTIONS", "192.0.2.2");
        strict.draft().set(HeaderName.ROUTE, "<sip:proxy.example.com>");
        h.shard.send(strict);
        assertThat(h.last().to()).isEqualTo(BOB);
        h.shard.send(
                h.outgoing("OPTIONS", "192.0.2.2")
                        .nextHop(SipUri.of(null, "proxy.example.com", -1)));
        assertThat(h.last().to()).isEqualTo(SECOND);
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2").fixedHop(ALICE));
        assertThat(h.last().to()).isEqualTo(ALICE);
    }

    @Test
    @DisplayName(
            "16.6 item 8: the loop detection part is appended to the branch, which still finds its transaction and shard")
    void loopHashInBranch() {
        long hash = 0xFEDC_BA98_7654_3210L;
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2").loopHash(hash));
        String branch = String.valueOf(firstSent().topVia().branch());
        assertThat(ShardToken.loopHash(branch)).isEqualTo(hash);
        assertThat(ShardToken.decode(branch)).isEqualTo(3);
        h.receive(answer(firstSent(), 200, "bob"), BOB);
        assertThat(h.told).containsExactly("response 200", "finished @0");
    }

    @Test
    @DisplayName(
            "the decorator is called for each hop with what the Via prints, just before printing")
    void decorator() {
        twoHops();
        OutgoingRequest out = h.outgoing("OPTIONS", "192.0.2.2");
        out.decorator((draft, hop, sentBy) ->
                draft.addFirst(
                        HeaderName.RECORD_ROUTE,
                        "<sip:" + sentBy + ";lr;to=" + hop.remoteHost() + ">"));
        h.shard.send(out);
        h.failLast();
        assertThat(h.sent).hasSize(2);
        assertThat(h.sent.get(0).request().headers(HeaderName.RECORD_ROUTE))
                .containsExactly("<sip:192.0.2.100:5060;lr;to=192.0.2.2>");
        assertThat(h.sent.get(1).request().headers(HeaderName.RECORD_ROUTE))
                .containsExactly("<sip:192.0.2.100:5060;lr;to=192.0.2.3>");
        assertThat(h.sent.get(1).request().vias()).hasSize(1);
    }

    // 17.1

    @Test
    @DisplayName(
            "17.1.3: a response matches by branch and CSeq method; 1xx and final go up once, repetitions do not")
    void responses() {
        send("INVITE");
        h.receive(answer(firstSent(), 180, "bob"), BOB);
        h.receive(answer(firstSent(), 486, "bob"), BOB);
        h.receive(answer(firstSent(), 486, "bob"), BOB);
        h.receive(answer(firstSent(), 180, "bob"), BOB);
        assertThat(h.told).containsExactly("response 180", "response 486", "finished @0");
        assertThat(h.sentNames()).containsExactly("INVITE", "ACK", "ACK");
        assertThat(h.count(Counter.RESPONSE_RETRANSMISSIONS_SEEN)).isEqualTo(2);
        SipRequest ack = h.last().request();
        assertThat(ack.topVia().branch()).isEqualTo(firstSent().topVia().branch());
        assertThat(ack.toTag()).isEqualTo("bob");
        assertThat(h.sent.get(1).message().toString()).isEqualTo(ack.toString());
        assertThat(h.last().to()).isEqualTo(BOB);
        h.runTo(32_000);
        assertThat(h.shard.transactionCount()).isZero();
        assertThat(h.shard.lingeringCount()).isZero();
    }

    @Test
    @DisplayName("17.1.1.2, 17.1.2.2: Timer B and F are told as a timeout")
    void timeouts() {
        send("INVITE");
        send("OPTIONS");
        h.runTo(31_999);
        assertThat(h.told).isEmpty();
        h.runTo(32_000);
        assertThat(h.told)
                .containsExactly(
                        "failed TIMEOUT", "finished @32000", "failed TIMEOUT", "finished @32000");
        assertThat(h.sent.stream().filter(s -> s.name().equals("INVITE"))).hasSize(7);
        assertThat(h.sent.stream().filter(s -> s.name().equals("OPTIONS"))).hasSize(11);
        assertThat(h.count(Counter.REQUEST_RETRANSMISSIONS_SENT)).isEqualTo(16);
        assertThat(h.shard.transactionCount()).isZero();
        assertThat(h.shard.timers().size()).isZero();
    }

    @Test
    @DisplayName("18.1.2: a response whose sent-by is not ours MUST be silently discarded")
    void foreignVia() {
        send("OPTIONS");
        String text = answer(firstSent(), 200, "bob").toString();
        h.receive(text.replace("\r\n", "\n").replace("192.0.2.100:5060", "192.0.2.100:5070"), BOB);
        assertThat(h.told).isEmpty();
        assertThat(h.count(Counter.DROPPED_FOREIGN_VIA)).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "8.1.3.3: more than one Via: the UAC SHOULD discard the message; a proxy passes it")
    void severalVias() {
        send("OPTIONS");
        h.shard.send(h.outgoing("INFO", "192.0.2.2").proxied(true));
        for (StackHarness.Sent s : List.copyOf(h.sent)) {
            String text = answer(s.request(), 200, "bob").toString().replace("\r\n", "\n");
            h.receive(
                    text.replace("From:", "Via: SIP/2.0/UDP 192.0.2.77;branch=z9hG4bKq\nFrom:"),
                    BOB);
        }
        assertThat(h.told).containsExactly("response 200", "finished @0");
        assertThat(h.count(Counter.DROPPED_SEVERAL_VIAS)).isEqualTo(1);
        String joined = answer(firstSent(), 200, "bob").toString().replace("\r\n", "\n");
        h.receive(joined.replace(";rport", ";rport, SIP/2.0/UDP 192.0.2.77;branch=z9hG4bKq"), BOB);
        assertThat(h.told).hasSize(2);
        h.receive(joined, BOB);
        assertThat(h.told).hasSize(4);
    }

    @Test
    @DisplayName("18.1.2: a response without client transaction is passed to the core as a stray")
    void stray() {
        send("INVITE");
        SipResponse late = answer(firstSent(), 200, "bob");
        h.runTo(33_000);
        h.told.clear();
        h.receive(late, BOB);
        assertThat(h.told).containsExactly("stray 200");
        assertThat(h.count(Counter.STRAY_RESPONSES)).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "a 2xx of another fork after a final response of 300 and above is a stray: someone has to end it")
    void successAfterFailure() {
        send("INVITE");
        h.receive(answer(firstSent(), 486, "busy"), BOB);
        h.receive(answer(firstSent(), 200, "other"), BOB);
        assertThat(h.told).containsExactly("response 486", "finished @0", "stray 200");
    }

    // 13.2.2.4

    private MessageDraft ackDraft(SipRequest invite, SipResponse ok) {
        MessageDraft ack = MessageDraft.request("ACK", SipUri.of("bob", "192.0.2.2", -1));
        ack.set(HeaderName.MAX_FORWARDS, "70");
        ack.set(HeaderName.FROM, String.valueOf(invite.header(HeaderName.FROM)));
        ack.set(HeaderName.TO, String.valueOf(ok.header(HeaderName.TO)));
        ack.set(HeaderName.CALL_ID, invite.callId());
        ack.set(HeaderName.CSEQ, "1 ACK");
        return ack;
    }

    @Test
    @DisplayName(
            "13.2.2.4: an ACK for each 2xx received: the one remembered for its To tag, byte for byte, without asking the layer above")
    void repeated2xx() {
        RequestAttempt attempt = send("INVITE");
        SipResponse ok = answer(firstSent(), 200, "bob");
        h.receive(ok, BOB);
        h.receive(ok, BOB);
        assertThat(h.sentNames()).as("nothing to repeat yet").containsExactly("INVITE");
        attempt.acknowledge(ackDraft(firstSent(), ok));
        h.runTo(500);
        h.receive(ok, BOB);
        assertThat(h.sentNames()).containsExactly("INVITE", "ACK", "ACK");
        assertThat(h.sent.get(2).message().toString())
                .isEqualTo(h.sent.get(1).message().toString());
        assertThat(h.last().request().topVia().branch())
                .isNotEqualTo(firstSent().topVia().branch());
        assertThat(h.told).containsExactly("response 200");
        assertThat(String.valueOf(attempt.request())).isEqualTo(firstSent().toString());
        h.runTo(31_999);
        assertThat(h.told).hasSize(1);
        h.runTo(32_000);
        assertThat(h.told).containsExactly("response 200", "finished @32000");
    }

    @Test
    @DisplayName(
            "who made us send an INVITE is the asker of its ACK too, also when that goes out again")
    void askerOfAnAck() {
        RequestAttempt attempt = h.shard.send(h.outgoing("INVITE", "192.0.2.2").countedAt(7));
        SipResponse ok = answer(firstSent(), 200, "bob");
        h.receive(ok, BOB);
        attempt.acknowledge(ackDraft(firstSent(), ok));
        h.receive(ok, BOB);
        assertThat(h.sentNames()).containsExactly("INVITE", "ACK", "ACK");
        assertThat(h.sent)
                .allSatisfy(sent ->
                        assertThat(sent.onFailure())
                                .isNotNull()
                                .extracting(SendFailure::countedAt)
                                .isEqualTo(7));
    }

    @Test
    @DisplayName("a peer that makes up ever new tags gets no more forks than the limit")
    void madeUpForks() {
        StackHarness small = new StackHarness(StackConfig.builder().forks(3));
        small.shard.send(small.outgoing("INVITE", "example.com"));
        SipRequest invite = small.last().request();
        for (int i = 0; i < 10; i++) {
            small.receive(answer(invite, 200, "tag" + i), BOB);
        }
        assertThat(small.told).containsExactly("response 200", "response 200", "response 200");
        assertThat(small.count(Counter.FORKS_REFUSED)).isEqualTo(7);
        small.receive(answer(invite, 200, "tag1"), BOB);
        assertThat(small.count(Counter.RESPONSE_RETRANSMISSIONS_SEEN)).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "13.2.2.4, RFC 6026 8.4: 2xx of several forks go up once each, and each has its own ACK")
    void forks() {
        RequestAttempt attempt = send("INVITE");
        SipResponse one = answer(firstSent(), 200, "one");
        SipResponse two = answer(firstSent(), 200, "two");
        h.receive(one, BOB);
        attempt.acknowledge(ackDraft(firstSent(), one));
        h.receive(two, BOB);
        attempt.acknowledge(ackDraft(firstSent(), two));
        h.receive(one, BOB);
        h.receive(two, BOB);
        assertThat(h.told).containsExactly("response 200", "response 200");
        assertThat(h.sent.stream().skip(1).map(s -> s.request().toTag()))
                .containsExactly("one", "two", "one", "two");
    }

    @Test
    @DisplayName("RFC 6026 8.4: for a proxy every repeated 2xx is passed up")
    void proxyGetsEvery2xx() {
        h.shard.send(h.outgoing("INVITE", "192.0.2.2").proxied(true));
        SipResponse ok = answer(firstSent(), 200, "bob");
        h.receive(ok, BOB);
        h.receive(ok, BOB);
        assertThat(h.told).containsExactly("response 200", "response 200");
    }

    // 9.1

    @Test
    @DisplayName(
            "9.1: no provisional response: the CANCEL waits for it; same branch, Via, Request-URI and destination; Reason is added")
    void cancelWaits() {
        RequestAttempt attempt = send("INVITE");
        attempt.cancel(List.of("SIP;cause=200;text=\"Call completed elsewhere\""));
        assertThat(h.sentNames()).containsExactly("INVITE");
        h.receive(answer(firstSent(), 100, null), BOB);
        assertThat(h.sentNames()).containsExactly("INVITE", "CANCEL");
        SipRequest cancel = h.last().request();
        assertThat(cancel.topVia()).isEqualTo(firstSent().topVia());
        assertThat(cancel.cseq().number()).isEqualTo(1);
        assertThat(cancel.requestUri()).isEqualTo(firstSent().requestUri());
        assertThat(cancel.header(HeaderName.REASON))
                .isEqualTo("SIP;cause=200;text=\"Call completed elsewhere\"");
        assertThat(h.last().to()).isEqualTo(BOB);
        h.receive(answer(cancel, 200, "bob"), BOB);
        h.receive(answer(firstSent(), 180, "bob"), BOB);
        h.receive(answer(firstSent(), 487, "bob"), BOB);
        assertThat(h.sentNames()).containsExactly("INVITE", "CANCEL", "ACK");
        assertThat(h.told)
                .containsExactly("response 100", "response 180", "response 487", "finished @0");
    }

    @Test
    @DisplayName("9.1: after a final response the CANCEL is not sent; a 200 that crosses it wins")
    void cancelTooLate() {
        RequestAttempt attempt = send("INVITE");
        attempt.cancel(null);
        h.receive(answer(firstSent(), 200, "bob"), BOB);
        assertThat(h.sentNames()).containsExactly("INVITE");
        assertThat(h.told).containsExactly("response 200");
        attempt.cancel(null);
        assertThat(h.sentNames()).containsExactly("INVITE");
    }

    @Test
    @DisplayName("9.1: CANCEL sent and 200 crossing: the 200 goes up")
    void cancelCrosses200() {
        RequestAttempt attempt = send("INVITE");
        h.receive(answer(firstSent(), 180, "bob"), BOB);
        attempt.cancel(null);
        attempt.cancel(null);
        assertThat(h.sentNames()).containsExactly("INVITE", "CANCEL");
        h.receive(answer(firstSent(), 200, "bob"), BOB);
        assertThat(h.told).containsExactly("response 180", "response 200");
    }

    @Test
    @DisplayName("9.1: no final response in 64*T1 after the CANCEL: the transaction is given up")
    void cancelUnanswered() {
        RequestAttempt attempt = send("INVITE");
        h.receive(answer(firstSent(), 180, "bob"), BOB);
        h.runTo(10_000);
        attempt.cancel(null);
        h.receive(answer(h.last().request(), 200, "bob"), BOB);
        h.runTo(50_000);
        assertThat(h.told).containsExactly("response 180", "failed TIMEOUT", "finished @42000");
        assertThat(h.shard.transactionCount()).isZero();
    }

    @Test
    @DisplayName("9.1: cancelled while the target is looked up: nothing is sent")
    void cancelBeforeSending() {
        h.holdResolutions = true;
        RequestAttempt attempt = send("INVITE");
        attempt.cancel(null);
        assertThat(h.told).as("not inside the call").isEmpty();
        h.drain();
        assertThat(h.told).containsExactly("failed CANCELLED", "finished @0");
        h.openResolutions.getFirst().accept(List.of(BOB));
        assertThat(h.sent).isEmpty();
    }

    @Test
    @DisplayName("9.1: other methods have no CANCEL")
    void noCancelForOptions() {
        RequestAttempt attempt = send("OPTIONS");
        h.receive(answer(firstSent(), 100, null), BOB);
        attempt.cancel(null);
        assertThat(h.sentNames()).containsExactly("OPTIONS");
    }

    // RFC 3263 4.3

    @Test
    @DisplayName("RFC 3263 4.3: transport failure: the next hop, with a fresh branch")
    void failoverByTransport() {
        twoHops();
        send("INVITE");
        h.failLast();
        assertThat(h.last().to()).isEqualTo(SECOND);
        assertThat(h.last().request().topVia().branch())
                .isNotEqualTo(firstSent().topVia().branch());
        h.failLast();
        assertThat(h.told).containsExactly("failed TRANSPORT", "finished @0");
        assertThat(h.count(Counter.FAILOVERS)).isEqualTo(1);
        assertThat(h.count(Counter.TRANSPORT_FAILURES)).isEqualTo(2);
    }

    @Test
    @DisplayName("RFC 3263 4.3: 503: the next hop; that of the last hop goes up")
    void failoverBy503() {
        twoHops();
        send("INVITE");
        h.receive(answer(firstSent(), 100, null), BOB);
        h.receive(answer(firstSent(), 503, "bob"), BOB);
        assertThat(h.sentNames()).containsExactly("INVITE", "ACK", "INVITE");
        assertThat(h.last().to()).isEqualTo(SECOND);
        h.receive(answer(h.last().request(), 503, "bob"), SECOND);
        assertThat(h.told).containsExactly("response 100", "response 503", "finished @0");
    }

    @Test
    @DisplayName(
            "RFC 3263 4.3: a timeout without any response: the next hop; after a provisional it is final")
    void failoverByTimeout() {
        twoHops();
        send("OPTIONS");
        h.runTo(32_000);
        assertThat(h.last().to()).isEqualTo(SECOND);
        SipRequest second = h.last().request();
        h.receive(answer(second, 100, null), SECOND);
        h.runTo(70_000);
        assertThat(h.told).containsExactly("response 100", "failed TIMEOUT", "finished @64000");

        h.told.clear();
        send("OPTIONS");
        h.receive(answer(h.last().request(), 100, null), BOB);
        h.runTo(110_000);
        assertThat(h.told).containsExactly("response 100", "failed TIMEOUT", "finished @102000");
    }

    @Test
    @DisplayName("RFC 3263 4.3: a request that is to be cancelled is not tried elsewhere")
    void noFailoverWhenCancelled() {
        twoHops();
        RequestAttempt attempt = send("INVITE");
        attempt.cancel(null);
        h.failLast();
        assertThat(h.sent).hasSize(1);
        assertThat(h.told).containsExactly("failed TRANSPORT", "finished @0");
    }

    @Test
    @DisplayName("8.1.3.1: no address: told after send() returned, never inside")
    void unresolved() {
        h.targets.put("192.0.2.2", List.of());
        send("INVITE");
        assertThat(h.told).isEmpty();
        h.drain();
        assertThat(h.told).containsExactly("failed UNRESOLVED", "finished @0");
        assertThat(h.unsent)
                .as("for the log")
                .containsExactly(
                        "INVITE sip:bob@192.0.2.2: no address was found for where it has to go");
    }

    @Test
    @DisplayName("a target that nothing is sent to had an address")
    void refusedTarget() {
        h.targets.put("192.0.2.2", Wire.REFUSED);
        send("INVITE");
        h.shard.sendAck(h.outgoing("ACK", "192.0.2.2").draft());
        h.drain();
        assertThat(h.told).containsExactly("failed REFUSED", "finished @0");
        String why = " sip:bob@192.0.2.2: nothing is sent to where it has to go";
        assertThat(h.unsent).containsExactlyInAnyOrder("INVITE" + why, "ACK" + why);
        assertThat(h.count(Counter.UNRESOLVED)).isZero();
    }

    @Test
    @DisplayName("an ACK without a transaction that has nowhere to go is not lost without a word")
    void unresolvedAck() {
        h.targets.put("192.0.2.2", List.of());
        h.shard.sendAck(h.outgoing("ACK", "192.0.2.2").draft());
        h.drain();
        assertThat(h.sent).isEmpty();
        assertThat(h.unsent)
                .containsExactly(
                        "ACK sip:bob@192.0.2.2: no address was found for where it has to go");
        assertThat(h.count(Counter.UNRESOLVED)).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "18.1.1: larger than 1300 bytes: TCP, with the transport of the Via changed; UDP when that fails")
    void largeRequest() {
        h.tcp = true;
        OutgoingRequest out = h.outgoing("INVITE", "192.0.2.2");
        out.draft().body(new byte[1400], "text/plain");
        h.shard.send(out);
        assertThat(h.last().to()).isEqualTo(Hop.to(Transport.TCP, BOB.remote()));
        assertThat(firstSent().topVia().transport()).isEqualTo("TCP");
        h.failLast();
        assertThat(h.last().to()).isEqualTo(BOB);
        assertThat(h.last().request().topVia().transport()).isEqualTo("UDP");
        assertThat(h.last().request().vias()).hasSize(1);
        h.failLast();
        assertThat(h.told).containsExactly("failed TRANSPORT", "finished @0");
        h.shard.send(h.outgoing("INVITE", "192.0.2.2"));
        assertThat(h.last().to()).as("a small one").isEqualTo(BOB);
    }

    // Threads and ACK without attempt

    @Test
    @DisplayName("from another thread a request is sent by a task, at the time of that task")
    void fromAnotherThread() {
        h.elsewhere = true;
        RequestAttempt attempt = send("OPTIONS");
        assertThat(h.sent).isEmpty();
        assertThat(attempt.request()).isNull();
        h.sleepUnnoticed(60_000);
        h.drain();
        assertThat(h.sentTimes()).containsExactly("OPTIONS @60000");
        h.runTo(60_499);
        assertThat(h.sent).hasSize(1);
        h.runTo(91_999);
        assertThat(h.told).isEmpty();
        h.runTo(92_000);
        assertThat(h.told).containsExactly("failed TIMEOUT", "finished @92000");
    }

    @Test
    @DisplayName("16.11: forwarded without a transaction: a repeated request gets the same branch")
    void stateless() {
        SipRequest received =
                (SipRequest) StackHarness.parse(StackHarness.text("OPTIONS", "z9hG4bKa", ""));
        SipRequest other =
                (SipRequest) StackHarness.parse(StackHarness.text("OPTIONS", "z9hG4bKb", ""));
        for (SipRequest r : List.of(received, received, other)) {
            h.shard.forwardStateless(
                    MessageDraft.copyOf(r), r, 0, null, BOB, Origin.OWN, Sources.NOBODY);
        }
        List<String> branches =
                h.sent.stream().map(s -> String.valueOf(s.request().topVia().branch())).toList();
        assertThat(branches.get(0))
                .isEqualTo(branches.get(1))
                .isNotEqualTo(branches.get(2))
                .startsWith("z9hG4bK");
        assertThat(h.sent.getFirst().request().vias()).hasSize(2);
    }

    @Test
    @DisplayName("13.2.2.4: an ACK of a proxy leaves with a branch of its own and no transaction")
    void sendAck() {
        SipRequest received =
                (SipRequest) StackHarness.parse(StackHarness.text("ACK", "z9hG4bKa", ""));
        h.shard.sendAck(MessageDraft.copyOf(received));
        assertThat(h.sentNames()).containsExactly("ACK");
        assertThat(h.last().to()).isEqualTo(BOB);
        assertThat(h.shard.transactionCount()).isZero();
    }

    @Test
    @DisplayName(
            "18.4, 8.1.3.1: requests that wait on a connection fail when it is lost, ringing ones too; later and other ones do not")
    void connectionLost() {
        Hop stream = StackHarness.tcp("192.0.2.2", 5060, 0);
        Hop lost = StackHarness.tcp("192.0.2.2", 5060, 7);
        h.shard.send(h.outgoing("INVITE", "192.0.2.2").fixedHop(stream));
        SipRequest ringing = h.last().request();
        h.receive(answer(ringing, 180, "bob"), lost);
        h.shard.send(h.outgoing("INVITE", "192.0.2.2").fixedHop(lost));
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2").fixedHop(stream));
        h.shard.send(
                h.outgoing("OPTIONS", "192.0.2.2")
                        .fixedHop(StackHarness.tcp("192.0.2.2", 5060, 8)));
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2").fixedHop(BOB));
        h.shard.send(
                h.outgoing("OPTIONS", "192.0.2.3")
                        .fixedHop(StackHarness.tcp("192.0.2.3", 5060, 0)));
        h.runTo(10);
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2").fixedHop(stream));
        h.told.clear();

        h.shard.connectionLost(lost, 5 * StackHarness.MILLIS);
        h.drain();

        assertThat(h.told)
                .containsExactly(
                        "failed TRANSPORT",
                        "finished @10",
                        "failed TRANSPORT",
                        "finished @10",
                        "failed TRANSPORT",
                        "finished @10");
        assertThat(h.shard.waitingOnStreams()).isEqualTo(3);
        assertThat(h.count(Counter.TRANSPORT_FAILURES)).isEqualTo(3);
    }

    @Test
    @DisplayName("a final response and the end of a transaction let go of the connection")
    void connectionLetGo() {
        Hop stream = StackHarness.tcp("192.0.2.2", 5060, 0);
        h.shard.send(h.outgoing("INVITE", "192.0.2.2").fixedHop(stream));
        h.receive(answer(h.last().request(), 200, "bob"), stream);
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2").fixedHop(stream));
        h.receive(answer(h.last().request(), 200, "bob"), stream);
        assertThat(h.shard.waitingOnStreams()).isZero();
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2").fixedHop(stream));
        h.runTo(40_000);
        assertThat(h.shard.waitingOnStreams()).isZero();
        h.told.clear();
        h.shard.connectionLost(
                StackHarness.tcp("192.0.2.2", 5060, 7), 40_000 * StackHarness.MILLIS);
        assertThat(h.told).isEmpty();
    }

    @Test
    @DisplayName(
            "a full table sends no new request of the layer above; what ends a call has a quarter more room")
    void fullTable() {
        StackHarness full = new StackHarness(StackConfig.builder().maxTransactions(4));
        for (int i = 0; i < 6; i++) {
            full.shard.send(full.outgoing("INVITE", "192.0.2.2"));
        }
        full.drain();
        assertThat(full.sentNames()).containsOnly("INVITE").hasSize(4);
        assertThat(full.told)
                .containsExactly("failed FULL", "finished @0", "failed FULL", "finished @0");
        assertThat(Failure.FULL.status()).isEqualTo(503);
        assertThat(full.count(Counter.UNSENT_FULL)).isEqualTo(2);
        for (int i = 0; i < 2; i++) {
            OutgoingRequest bye = full.outgoing("BYE", "192.0.2.2");
            bye.draft().set(HeaderName.TO, "<sip:bob@example.com>;tag=b");
            full.shard.send(bye);
        }
        full.drain();
        assertThat(full.sentNames()).filteredOn("BYE"::equals).hasSize(1);
        assertThat(full.count(Counter.UNSENT_FULL)).isEqualTo(3);
        full.runTo(40_000);
        full.sent.clear();
        full.shard.send(full.outgoing("INVITE", "192.0.2.2"));
        assertThat(full.sentNames()).containsExactly("INVITE");
    }

    @Test
    @DisplayName(
            "18.1.2: the answer to our INVITE is known by its branch when no transaction is left")
    void ownAnswers() {
        send("INVITE");
        SipResponse answer = answer(firstSent(), 200, "late");
        assertThat(h.shard.inviteOf(answer)).isNotZero();
        h.runTo(OwnMarks.PERIOD_NANOS / StackHarness.MILLIS * 2 - 1);
        assertThat(h.shard.inviteOf(answer)).isNotZero();
        h.runTo(OwnMarks.PERIOD_NANOS / StackHarness.MILLIS * 3);
        assertThat(h.shard.inviteOf(answer)).as("15 minutes later").isZero();
        OutgoingRequest proxied = h.outgoing("INVITE", "192.0.2.2").proxied(true);
        h.shard.send(proxied);
        assertThat(h.shard.inviteOf(answer(h.last().request(), 200, "x"))).isZero();
        send("OPTIONS");
        assertThat(h.shard.inviteOf(answer(h.last().request(), 200, "x"))).isZero();
    }
}
