package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.BOB;
import static io.carillon.sip.stack.StackHarness.answer;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.DownHops;
import io.carillon.sip.hop.FailoverConfig;
import io.carillon.sip.hop.Failure;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Transport;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.AttemptUser;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From one server of a target to the next: RFC 3263 4.3, and the time for a silent one. */
class FailoverTest {
    private static final Hop SECOND = StackHarness.udp("192.0.2.3", 5060);
    private static final int PLACE_OF_STRANGER = new Sources(source -> false, 7).place(42);
    private static final Hop THIRD = StackHarness.udp("192.0.2.4", 5060);

    private StackHarness h = new StackHarness();

    private void tryNextAfter(long millis) {
        h =
                new StackHarness(
                        StackConfig.builder()
                                .failover(
                                        FailoverConfig.DEFAULT.withTryNextNanos(
                                                millis * StackHarness.MILLIS)));
    }

    private RequestAttempt send(String method) {
        h.targets.put("servers", List.of(BOB, SECOND, THIRD));
        return h.shard.send(h.outgoing(method, "servers"));
    }

    private SipRequest request(int index) {
        return h.sent.get(index).request();
    }

    /** The first request of that method that went there. */
    private SipRequest to(Hop hop, String method) {
        for (StackHarness.Sent s : h.sent) {
            if (s.to().equals(hop) && s.name().equals(method)) {
                return s.request();
            }
        }
        throw new AssertionError("no " + method + " to " + hop);
    }

    private List<String> ways() {
        List<String> ways = new ArrayList<>();
        for (StackHarness.Sent s : h.sent) {
            ways.add(s.name() + " " + s.to().remoteHost() + " @" + s.at());
        }
        return ways;
    }

    private static SipResponse unavailable(SipRequest request, String retryAfter) {
        MessageDraft draft = MessageDraft.responseTo(request, 503, null, "busy");
        draft.set(HeaderName.RETRY_AFTER, retryAfter);
        return draft.freezeResponse();
    }

    // Servers that failed lately

    @Test
    @DisplayName("a server that could not be reached is tried last for 30 s, then in its place")
    void downComesLast() {
        send("OPTIONS");
        h.failLast();
        h.receive(answer(h.last().request(), 200, "x"), SECOND);
        send("OPTIONS");
        assertThat(h.last().to()).isEqualTo(SECOND);
        h.runTo(29_999);
        send("OPTIONS");
        assertThat(h.last().to()).isEqualTo(SECOND);
        h.runTo(70_000);
        send("OPTIONS");
        assertThat(h.last().to()).isEqualTo(BOB);
    }

    @Test
    @DisplayName("tried last, not never; and it is back as soon as it answers")
    void downIsStillTried() {
        send("OPTIONS");
        h.failLast();
        h.failLast();
        h.failLast();
        assertThat(h.told).containsExactly("failed TRANSPORT", "finished @0");
        send("OPTIONS");
        assertThat(h.last().to()).as("all are down: the order of the DNS").isEqualTo(BOB);
        h.receive(answer(h.last().request(), 200, "x"), BOB);
        send("OPTIONS");
        assertThat(h.last().to()).isEqualTo(BOB);
        assertThat(h.shard.core().downHops().size()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "21.5.4: 503 with Retry-After: no other request to that server for that time, as long as there is another")
    void retryAfter() {
        send("OPTIONS");
        h.receive(unavailable(request(0), "60 (too many calls)"), BOB);
        h.receive(answer(h.last().request(), 200, "x"), SECOND);
        h.runTo(59_000);
        send("OPTIONS");
        assertThat(h.last().to()).isEqualTo(SECOND);
        h.receive(answer(h.last().request(), 200, "x"), SECOND);
        h.runTo(61_000);
        send("OPTIONS");
        assertThat(h.last().to()).isEqualTo(BOB);
    }

    @Test
    @DisplayName(
            "a Retry-After of years is believed for five minutes; one that is no number not at all")
    void retryAfterHasLimits() {
        send("OPTIONS");
        h.receive(unavailable(request(0), "99999999"), BOB);
        h.receive(answer(h.last().request(), 200, "x"), SECOND);
        h.runTo(301_000);
        send("OPTIONS");
        assertThat(h.last().to()).isEqualTo(BOB);
        h.receive(unavailable(h.last().request(), "soon"), BOB);
        assertThat(h.last().to()).isEqualTo(SECOND);
        assertThat(h.shard.core().downHops().isDown(BOB, h.millis() * StackHarness.MILLIS))
                .isFalse();
    }

    @Test
    @DisplayName("so many servers are remembered and no more")
    void downHasACap() {
        DownHops down = new DownHops(new FailoverConfig(0, 1_000, 1_000, 3, true));
        for (int i = 0; i < 10; i++) {
            down.failed(StackHarness.udp("192.0.2." + i, 5060), 0);
        }
        assertThat(down.size()).isEqualTo(3);
        assertThat(down.isDown(StackHarness.udp("192.0.2.9", 5060), 999)).isTrue();
        assertThat(down.isDown(StackHarness.udp("192.0.2.9", 5060), 1_000)).isFalse();
        assertThat(down.isDown(StackHarness.udp("192.0.2.6", 5060), 0)).isFalse();
    }

    // A silent server

    @Test
    @DisplayName("without try-next a silent server costs Timer B, as the RFC has it")
    void offByDefault() {
        send("INVITE");
        h.runTo(31_990);
        assertThat(h.sent).allMatch(s -> s.to().equals(BOB));
        h.runTo(32_000);
        assertThat(h.last().to()).isEqualTo(SECOND);
    }

    @Test
    @DisplayName("with try-next a silent server costs that time; the first is repeated no more")
    void tryNext() {
        tryNextAfter(2_000);
        send("INVITE");
        h.runTo(2_000);
        assertThat(ways())
                .containsExactly(
                        "INVITE 192.0.2.2 @0",
                        "INVITE 192.0.2.2 @500",
                        "INVITE 192.0.2.2 @1500",
                        "INVITE 192.0.2.3 @2000");
        SipRequest second = h.last().request();
        assertThat(second.topVia().branch()).isNotEqualTo(request(0).topVia().branch());
        h.receive(answer(second, 180, "two"), SECOND);
        h.receive(answer(second, 200, "two"), SECOND);
        assertThat(h.told).containsExactly("response 180", "response 200");
        h.runTo(40_000);
        assertThat(h.sent).hasSize(4);
        assertThat(h.count(Counter.TRIED_NEXT)).isEqualTo(1);
        assertThat(h.shard.transactionCount()).isZero();
        assertThat(h.shard.timers().size()).isZero();
    }

    @Test
    @DisplayName("the next call goes to the one that lives first")
    void nextCallKnows() {
        tryNextAfter(2_000);
        send("INVITE");
        h.runTo(2_000);
        h.receive(answer(h.last().request(), 486, "two"), SECOND);
        send("INVITE");
        assertThat(h.last().to()).isEqualTo(SECOND);
    }

    @Test
    @DisplayName("100 Trying is a sign of life: no other server is tried")
    void tryingIsEnough() {
        tryNextAfter(2_000);
        send("INVITE");
        h.receive(answer(request(0), 100, null), BOB);
        h.runTo(30_000);
        assertThat(ways()).containsExactly("INVITE 192.0.2.2 @0");
    }

    @Test
    @DisplayName("late, but before the second says anything: the first to speak is the one")
    void firstToSpeak() {
        tryNextAfter(1_000);
        send("INVITE");
        h.runTo(1_000);
        SipRequest second = to(SECOND, "INVITE");
        h.receive(answer(request(0), 180, "one"), BOB);
        h.runTo(1_500);
        assertThat(h.sent).as("the second is not repeated").hasSize(3);
        h.receive(answer(second, 180, "two"), SECOND);
        assertThat(h.last().name()).isEqualTo("CANCEL");
        assertThat(h.last().to()).isEqualTo(SECOND);
        assertThat(h.last().request().topVia()).isEqualTo(second.topVia());
        h.receive(answer(h.last().request(), 200, "two"), SECOND);
        h.receive(answer(second, 487, "two"), SECOND);
        assertThat(h.last().name()).isEqualTo("ACK");
        h.receive(answer(request(0), 200, "one"), BOB);
        assertThat(h.told).containsExactly("response 180", "response 200");
        assertThat(h.errors).isEmpty();
    }

    @Test
    @DisplayName(
            "9.1: late, and the second rings: the first gets a CANCEL after its provisional only")
    void lateRinging() {
        tryNextAfter(1_000);
        send("INVITE");
        h.runTo(1_000);
        SipRequest second = to(SECOND, "INVITE");
        h.receive(answer(second, 180, "two"), SECOND);
        assertThat(h.sentNames()).doesNotContain("CANCEL");
        h.receive(answer(request(0), 180, "one"), BOB);
        h.receive(answer(request(0), 183, "one"), BOB);
        assertThat(h.sentNames().stream().filter("CANCEL"::equals)).hasSize(1);
        assertThat(h.last().to()).isEqualTo(BOB);
        h.receive(answer(request(0), 487, "one"), BOB);
        h.receive(answer(second, 200, "two"), SECOND);
        assertThat(h.told).containsExactly("response 180", "response 200");
        h.runTo(70_000);
        assertThat(h.shard.transactionCount()).isZero();
    }

    @Test
    @DisplayName("13.2.2.4: a late 2xx of the first is a fork beside that of the second")
    void lateSuccess() {
        tryNextAfter(1_000);
        RequestAttempt attempt = send("INVITE");
        h.runTo(1_000);
        SipRequest second = to(SECOND, "INVITE");
        h.receive(answer(second, 200, "two"), SECOND);
        h.receive(answer(request(0), 200, "one"), BOB);
        assertThat(h.told).containsExactly("response 200", "response 200");
        MessageDraft ack = MessageDraft.request("ACK", request(0).requestUri());
        ack.set(HeaderName.MAX_FORWARDS, "70");
        ack.set(HeaderName.FROM, String.valueOf(request(0).header(HeaderName.FROM)));
        ack.set(HeaderName.TO, "<sip:bob@example.com>;tag=one");
        ack.set(HeaderName.CALL_ID, request(0).callId());
        ack.set(HeaderName.CSEQ, "1 ACK");
        attempt.acknowledge(ack);
        h.receive(answer(request(0), 200, "one"), BOB);
        assertThat(h.sentNames().stream().filter("ACK"::equals)).hasSize(2);
        assertThat(h.told).hasSize(2);
    }

    @Test
    @DisplayName("a late 2xx of the first while the second rings ends the second by CANCEL")
    void lateSuccessWhileRinging() {
        tryNextAfter(1_000);
        send("INVITE");
        h.runTo(1_000);
        SipRequest second = to(SECOND, "INVITE");
        h.receive(answer(second, 180, "two"), SECOND);
        h.receive(answer(request(0), 200, "one"), BOB);
        assertThat(h.last().name()).isEqualTo("CANCEL");
        assertThat(h.last().to()).isEqualTo(SECOND);
        h.receive(answer(second, 487, "two"), SECOND);
        assertThat(h.told).containsExactly("response 180", "response 200");
        assertThat(h.last().name()).isEqualTo("ACK");
    }

    @Test
    @DisplayName("a late 2xx when all is over is a stray that the core ends")
    void lateSuccessAfterTheEnd() {
        tryNextAfter(1_000);
        send("INVITE");
        h.runTo(1_000);
        h.receive(answer(to(SECOND, "INVITE"), 486, "two"), SECOND);
        h.receive(answer(request(0), 200, "one"), BOB);
        assertThat(h.told).containsExactly("response 486", "finished @1000", "stray 200");
    }

    @Test
    @DisplayName(
            "a late failure of the first is absorbed while the second is at work, with its ACK")
    void lateFailure() {
        tryNextAfter(1_000);
        send("INVITE");
        h.runTo(1_000);
        SipRequest second = to(SECOND, "INVITE");
        h.receive(answer(second, 100, null), SECOND);
        h.receive(answer(request(0), 486, "one"), BOB);
        assertThat(h.last().name()).isEqualTo("ACK");
        assertThat(h.last().to()).isEqualTo(BOB);
        assertThat(h.told).containsExactly("response 100");
        h.receive(answer(second, 200, "two"), SECOND);
        assertThat(h.told).containsExactly("response 100", "response 200");
    }

    @Test
    @DisplayName("the last server refuses: the one that was left is waited for until its Timer B")
    void backToTheFirst() {
        tryNextAfter(1_000);
        h.targets.put("two", List.of(BOB, SECOND));
        h.shard.send(h.outgoing("INVITE", "two"));
        h.runTo(1_000);
        h.failLast();
        assertThat(h.told).isEmpty();
        h.runTo(4_000);
        assertThat(h.last().to()).as("repeated again").isEqualTo(BOB);
        h.receive(answer(request(0), 200, "one"), BOB);
        assertThat(h.told).containsExactly("response 200");
    }

    @Test
    @DisplayName("all silent: one time-out, 64*T1 after the last of them")
    void allSilent() {
        tryNextAfter(1_000);
        send("INVITE");
        h.runTo(33_990);
        assertThat(h.told).isEmpty();
        h.runTo(34_000);
        assertThat(h.told).containsExactly("failed TIMEOUT", "finished @34000");
        h.runTo(70_000);
        assertThat(h.told).hasSize(2);
        assertThat(h.shard.transactionCount()).isZero();
        assertThat(h.shard.timers().size()).isZero();
    }

    @Test
    @DisplayName(
            "9.1: given up while two are silent: whichever rings gets a CANCEL, and its 487 ends it")
    void cancelledWhileSilent() {
        tryNextAfter(1_000);
        RequestAttempt attempt = send("INVITE");
        h.runTo(1_000);
        attempt.cancel(null);
        h.runTo(3_000);
        assertThat(h.sent).as("no third server").allMatch(s -> !s.to().equals(THIRD));
        assertThat(h.sentNames()).doesNotContain("CANCEL");
        h.receive(answer(request(0), 180, "one"), BOB);
        assertThat(h.last().name()).isEqualTo("CANCEL");
        assertThat(h.last().to()).isEqualTo(BOB);
        h.receive(answer(request(0), 487, "one"), BOB);
        assertThat(h.told).containsExactly("response 180", "response 487", "finished @3000");
    }

    @Test
    @DisplayName("other methods: the first final response of any server is the response; one only")
    void otherMethods() {
        tryNextAfter(1_000);
        send("MESSAGE");
        h.runTo(1_000);
        SipRequest second = to(SECOND, "MESSAGE");
        h.receive(answer(second, 100, null), SECOND);
        h.receive(answer(request(0), 200, "one"), BOB);
        h.receive(answer(second, 200, "two"), SECOND);
        assertThat(h.told).containsExactly("response 100", "response 200", "finished @1000");
        h.runTo(70_000);
        assertThat(h.shard.transactionCount()).isZero();
    }

    @Test
    @DisplayName("other methods: a late 503 is no answer as long as another server is asked")
    void late503() {
        tryNextAfter(1_000);
        send("MESSAGE");
        h.runTo(1_000);
        h.receive(answer(request(0), 503, "one"), BOB);
        assertThat(h.told).isEmpty();
        h.receive(answer(to(SECOND, "MESSAGE"), 202, "two"), SECOND);
        assertThat(h.told).containsExactly("response 202", "finished @1000");
    }

    // ICMP

    private void unreachable(SipRequest request, Hop from) {
        h.shard.unreachable(
                request.method(), String.valueOf(request.topVia().branch()), from.remote());
        h.drain();
    }

    @Test
    @DisplayName("18.4: port unreachable: the next server at once")
    void icmp() {
        send("INVITE");
        unreachable(request(0), BOB);
        assertThat(ways()).containsExactly("INVITE 192.0.2.2 @0", "INVITE 192.0.2.3 @0");
        assertThat(h.count(Counter.ICMP_ERRORS)).isEqualTo(1);
    }

    @Test
    @DisplayName("18.4: others that wait for the same server learn of it when they would repeat")
    void icmpForOthers() {
        send("OPTIONS");
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2"));
        unreachable(request(0), BOB);
        assertThat(h.told).isEmpty();
        h.runTo(500);
        assertThat(h.told).containsExactly("failed TRANSPORT", "finished @500");
    }

    @Test
    @DisplayName(
            "a forged ICMP error is not believed: unknown branch, another address, a ringing INVITE, an answered request")
    void forgedIcmp() {
        send("INVITE");
        h.shard.unreachable("INVITE", "z9hG4bKguessed", BOB.remote());
        unreachable(request(0), SECOND);
        h.receive(answer(request(0), 180, "one"), BOB);
        unreachable(request(0), BOB);
        h.receive(answer(request(0), 200, "one"), BOB);
        unreachable(request(0), BOB);
        h.runTo(100);
        assertThat(h.told).containsExactly("response 180", "response 200");
        assertThat(h.sent).hasSize(1);
    }

    // 18.1.1

    @Test
    @DisplayName("18.1.1: an ACK with a large offer leaves by TCP too, by UDP when that fails")
    void largeAck() {
        h.tcp = true;
        MessageDraft ack = h.outgoing("ACK", "192.0.2.2").draft();
        ack.body(new byte[1400], "application/sdp");
        h.shard.sendAck(ack);
        assertThat(h.last().to()).isEqualTo(Hop.to(Transport.TCP, BOB.remote()));
        h.failLast();
        assertThat(h.last().to()).isEqualTo(BOB);
        assertThat(h.last().request().topVia().transport()).isEqualTo("UDP");
    }

    @Test
    @DisplayName("18.1.1: where TCP was refused a moment ago the datagram goes at once")
    void noSecondTry() {
        h.tcp = true;
        for (int i = 0; i < 2; i++) {
            OutgoingRequest out = h.outgoing("MESSAGE", "192.0.2.2");
            out.draft().body(new byte[1400], "text/plain");
            h.shard.send(out);
            if (i == 0) {
                assertThat(h.last().to().transport()).isEqualTo(Transport.TCP);
                h.failLast();
            }
        }
        assertThat(h.sent.stream().map(s -> s.to().transport()))
                .containsExactly(Transport.TCP, Transport.UDP, Transport.UDP);
        assertThat(h.count(Counter.LARGE_REQUESTS)).isEqualTo(1);
    }

    @Test
    @DisplayName("18.1.1: the limit is a setting")
    void limitIsASetting() {
        h = new StackHarness(StackConfig.builder().udpLimit(65_507));
        h.tcp = true;
        OutgoingRequest out = h.outgoing("MESSAGE", "192.0.2.2");
        out.draft().body(new byte[1400], "text/plain");
        h.shard.send(out);
        assertThat(h.last().to().transport()).isEqualTo(Transport.UDP);
    }

    // Servers that a stranger has named

    /** Knows nobody but at one hop. */
    private RequestAttempt sendKnowing(@Nullable Hop heard, Hop... servers) {
        AttemptUser teller = h.attemptUser;
        AttemptUser user =
                new AttemptUser() {
                    @Override
                    public void response(RequestAttempt attempt, SipResponse response) {
                        teller.response(attempt, response);
                    }

                    @Override
                    public void failed(RequestAttempt attempt, Failure failure) {
                        teller.failed(attempt, failure);
                    }

                    @Override
                    public boolean heardAt(Hop hop) {
                        return hop.equals(heard);
                    }
                };
        h.targets.put("servers", List.of(servers));
        MessageDraft draft = h.outgoing("BYE", "servers").draft();
        return h.shard.send(new OutgoingRequest(draft, user));
    }

    @Test
    @DisplayName("of the servers of a name where nobody was heard one gets the request, once")
    void oneUnheardServerIsTried() {
        sendKnowing(null, BOB, SECOND, THIRD);
        h.runTo(200_000);
        assertThat(ways()).containsExactly("BYE 192.0.2.2 @0");
        assertThat(h.told).containsExactly("failed TIMEOUT");
        assertThat(h.count(Counter.REQUESTS_TO_UNHEARD)).isEqualTo(1);
    }

    @Test
    @DisplayName("an ICMP error from a server where nobody was heard leads to no other one")
    void anUnheardServerThatCannotBeReachedIsTheLast() {
        sendKnowing(null, BOB, SECOND);
        h.failLast();
        h.runTo(200_000);
        assertThat(ways()).containsExactly("BYE 192.0.2.2 @0");
    }

    @Test
    @DisplayName("RFC 3263 4.3: from one that was heard it goes on, from another one back to it")
    void fromAndToHeardServersItGoesOn() {
        sendKnowing(BOB, BOB, SECOND, THIRD);
        h.runTo(200_000);
        assertThat(ways()).hasSize(11 + 1).endsWith("BYE 192.0.2.3 @32000");
        h.sent.clear();
        sendKnowing(THIRD, SECOND, THIRD);
        h.runTo(600_000);
        assertThat(ways().stream().filter(way -> way.startsWith("BYE 192.0.2.4"))).hasSize(11);
    }

    @Test
    @DisplayName("a server that answers 503 is there: the next one gets the request")
    void aServerThatAnswersWasHeard() {
        sendKnowing(null, BOB, SECOND, THIRD);
        h.receive(unavailable(request(0), "5"), BOB);
        h.runTo(200_000);
        assertThat(ways()).containsExactly("BYE 192.0.2.2 @0", "BYE 192.0.2.3 @0");
    }

    /** A name with so many servers, as whoever sent the request has chosen it. */
    private OutgoingRequest forStranger(String method, int servers) {
        List<Hop> all = new ArrayList<>();
        for (int i = 0; i < servers; i++) {
            all.add(StackHarness.udp("192.0.2.9", 6001 + i));
        }
        h.targets.put("many", all);
        return h.outgoing(method, "many").countedAt(PLACE_OF_STRANGER);
    }

    @ParameterizedTest
    @CsvSource({"MESSAGE, 11", "INVITE, 7"})
    @DisplayName("a stranger's request is repeated at one silent server; three more get it once")
    void manySilentServersGetAStrangersRequestOnce(String method, int repeated) {
        h.shard.send(forStranger(method, 16));
        h.runTo(1_000_000);
        assertThat(h.sent).hasSize(repeated + 3);
        assertThat(h.sent.stream().map(s -> s.to().remote().getPort()).distinct())
                .containsExactly(6001, 6002, 6003, 6004);
        assertThat(h.told).hasSize(2).startsWith("failed TIMEOUT");
    }

    @Test
    @DisplayName("so it is where a silent server is left early")
    void leftServersOfAStranger() {
        tryNextAfter(2_000);
        h.shard.send(forStranger("INVITE", 16));
        h.runTo(1_000_000);
        assertThat(h.sent).hasSize(3 + 3);
    }

    @Test
    @DisplayName("ICMP errors from one victim lead to three other ports, not to fifteen")
    void refusingServersOfAStranger() {
        h.shard.send(forStranger("MESSAGE", 16));
        for (int i = 0; i < 16; i++) {
            h.failLast();
        }
        h.runTo(1_000_000);
        assertThat(h.sent).hasSize(4);
    }

    @Test
    @DisplayName(
            "RFC 3263 4.3: a stranger's request goes on to the server that lives, and is heard")
    void aStrangersRequestFindsTheServerThatLives() {
        h.shard.send(forStranger("INVITE", 3));
        h.runTo(32_000);
        h.receive(answer(h.last().request(), 200, "x"), h.last().to());
        assertThat(h.told).containsExactly("response 200");
    }

    @Test
    @DisplayName("after a refusal nothing was spent: the next server is repeated as the first")
    void afterARefusalTheNextIsRepeated() {
        h.shard.send(forStranger("MESSAGE", 2));
        h.failLast();
        h.runTo(1_000_000);
        assertThat(h.sent).hasSize(1 + 11);
    }

    @Test
    @DisplayName("RFC 4320 2.2: nobody waits for another server after Timer F of what was proxied")
    void nobodyWaitsAfterTimerF() {
        h.targets.put("servers", List.of(BOB, SECOND));
        h.shard.send(h.outgoing("MESSAGE", "servers").proxied(true));
        h.shard.send(h.outgoing("INVITE", "servers").proxied(true));
        h.runTo(1_000_000);
        assertThat(h.sent.stream().filter(s -> s.to().equals(SECOND)).map(StackHarness.Sent::name))
                .hasSize(7)
                .containsOnly("INVITE");
    }
}
