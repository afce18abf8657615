package io.carillon.sip.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.address.AddressRanges;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.PeerTerms;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.overload.OverloadConfig;
import io.carillon.sip.overload.Waiting;
import io.carillon.sip.privacy.TrustDomain;
import io.carillon.sip.token.ShardToken;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What becomes of requests while messages wait for too long. */
class SheddingTest {
    private static final OverloadConfig ON = OverloadConfig.DEFAULT;

    private final StackHarness stack = new StackHarness(StackConfig.builder().overload(ON));
    private int branches;

    /** Lets messages wait for so long at each look, for 200 ms. */
    private static void late(StackHarness stack, long millis) {
        for (int i = 0; i < 20; i++) {
            stack.shard
                    .overload()
                    .delay()
                    .waited(Waiting.HANDLER, TimeUnit.MILLISECONDS.toNanos(millis));
            stack.runTo(stack.millis() + 10);
        }
    }

    /** New calls until one is refused; that one. */
    private String refusedInvite() {
        late(stack, 1_000);
        for (int i = 0; i < 50; i++) {
            int before = stack.transactions.size();
            String invite = invite("z9hG4bKnew" + branches++);
            stack.receive(invite, StackHarness.ALICE);
            if (stack.transactions.size() == before) {
                return invite;
            }
        }
        throw new AssertionError("nothing is refused");
    }

    private static String invite(String branch) {
        return StackHarness.invite(branch).replace("call-1", "call-" + branch);
    }

    private SipResponse refusal() {
        return stack.last().response();
    }

    // What is refused

    @Test
    void newWorkIsAnsweredBy503WithoutATransaction() {
        String invite = refusedInvite();

        SipResponse refusal = refusal();
        assertThat(refusal.status()).isEqualTo(503);
        assertThat(refusal.header(HeaderName.FROM)).isEqualTo("<sip:alice@example.com>;tag=alice");
        assertThat(refusal.header(HeaderName.TO)).startsWith("<sip:bob@example.com>;tag=");
        assertThat(refusal.header(HeaderName.CSEQ)).isEqualTo("1 INVITE");
        assertThat(invite).contains("Call-ID: " + refusal.callId() + "\n");
        assertThat(invite).contains(refusal.header(HeaderName.VIA) + "\n");
        assertThat(ShardToken.isStateless(0, refusal.toTag())).isTrue();
        assertThat(ShardToken.decode(0, refusal.toTag())).isEqualTo(3);
        assertThat(stack.count(Counter.SHED)).isPositive();
    }

    /** RFC 3261 9.1: a CANCEL is for a request that was sent before it. */
    @Test
    void whatIsUnderWayMayOvertakeNewWorkButNoCancelMay() {
        String bye = StackHarness.invite("z9hG4bKo").replace("INVITE", "BYE");
        assertThat(overtakes(bye)).isTrue();
        assertThat(overtakes(bye.replace("BYE", "ACK"))).isTrue();
        assertThat(overtakes(bye.replace("BYE", "PRACK"))).isTrue();
        assertThat(overtakes("SIP/2.0 200 OK\n\n")).isTrue();
        assertThat(
                        overtakes(
                                bye.replace("BYE", "INFO")
                                        .replace(
                                                "To: <sip:bob@example.com>",
                                                "To: <sip:bob@example.com>;tag=b")))
                .isTrue();
        assertThat(overtakes(bye.replace("BYE", "INFO"))).isFalse();
        assertThat(overtakes(bye.replace("BYE", "INVITE"))).isFalse();
        assertThat(overtakes(bye.replace("BYE", "CANCEL"))).isFalse();
    }

    private boolean overtakes(String message) {
        byte[] bytes = message.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
        return stack.shard.overload().overtakes(bytes, bytes.length);
    }

    /** RFC 3261 8.2.7: "MUST NOT send [...] different To tags" to repeats of one request. */
    @Test
    void aRepeatGetsTheSameAnswer() {
        String invite = refusedInvite();
        byte[] first = whole(refusal());

        stack.receive(invite, StackHarness.ALICE);

        assertThat(whole(refusal())).isEqualTo(first);
    }

    private static byte[] whole(SipResponse response) {
        return Arrays.copyOf(response.bytes(), response.length());
    }

    @Test
    void whatWasRefusedStaysRefusedFor32SecondsAlthoughNothingWaitsAnyMore() {
        String invite = refusedInvite();
        int served = stack.transactions.size();
        stack.runTo(stack.millis() + 31_000);

        stack.receive(invite, StackHarness.ALICE);
        assertThat(stack.transactions).hasSize(served);
        assertThat(refusal().status()).isEqualTo(503);

        stack.receive(invite("z9hG4bKother"), StackHarness.ALICE);
        assertThat(stack.transactions).hasSize(served + 1);
    }

    /** RFC 3261 8.2.7: "A stateless UAS MUST ignore ACK requests." */
    @Test
    void theAckForARefusalEndsHere() {
        refusedInvite();
        String to = refusal().header(HeaderName.TO);
        int told = stack.told.size();
        long parsed = stack.count(Counter.REQUESTS_IN);

        stack.receive(
                StackHarness.text("ACK", "z9hG4bKnew1", "To: " + to + "\n"), StackHarness.ALICE);

        assertThat(stack.told).hasSize(told);
        assertThat(stack.count(Counter.STATELESS_ACKS)).isEqualTo(1);
        assertThat(stack.count(Counter.REQUESTS_IN)).isEqualTo(parsed);
    }

    @Test
    void aRequestThatCannotBeToldFromARepeatOfOneThatIsServedGetsNoAnswer() {
        refusedInvite();
        int sent = stack.sent.size();
        int served = stack.transactions.size();

        // RFC 2543: without the magic cookie the branch does not say which request it is.
        stack.receive(invite("1"), StackHarness.ALICE);

        assertThat(stack.sent).hasSize(sent);
        assertThat(stack.transactions).hasSize(served);
        assertThat(stack.count(Counter.SHED_UNANSWERED)).isEqualTo(1);
    }

    // What is not

    @Test
    void aRepeatOfWhatIsServedIsNoNewWork() {
        String served = invite("z9hG4bKserved");
        stack.receive(served, StackHarness.ALICE);
        refusedInvite();
        int sent = stack.sent.size();

        stack.receive(served, StackHarness.ALICE);

        assertThat(stack.sent.subList(sent, stack.sent.size()))
                .noneMatch(s -> s.name().startsWith("503"));
        assertThat(stack.count(Counter.REQUEST_RETRANSMISSIONS_SEEN)).isEqualTo(1);
    }

    @Test
    void whatWeSendToOurselvesBelongsToWhatWasLetIn() {
        stack.shard.send(stack.outgoing("INVITE", "198.51.100.1"));
        stack.drain();
        SipRequest ours = stack.last().request();
        refusedInvite();
        int served = stack.transactions.size();

        stack.receive(ours, StackHarness.udp(StackHarness.OWN, 5060));

        assertThat(stack.transactions).hasSize(served + 1);
    }

    @Test
    void whatWasBegunGoesOn() {
        refusedInvite();
        int served = stack.transactions.size();

        stack.receive(
                StackHarness.text("BYE", "z9hG4bKbye", "To: <sip:bob@example.com>;tag=b\n"),
                StackHarness.ALICE);
        stack.receive(
                StackHarness.text("INVITE", "z9hG4bKre", "To: <sip:bob@example.com>;tag=b\n"),
                StackHarness.ALICE);

        assertThat(stack.transactions).hasSize(served + 2);
    }

    @Test
    void aSingleLongWaitIsNoOverload() {
        warm();
        stack.shard.overload().delay().waited(Waiting.LOOP, TimeUnit.SECONDS.toNanos(1));
        stack.runTo(stack.millis() + 10);

        assertThat(stack.shard.overload().watches()).isFalse();
    }

    private void warm() {
        for (int i = 0; i < 6_000; i++) {
            stack.shard.overload().began();
        }
        stack.runTo(stack.millis() + 10_000); // long ago
        stack.runTo(stack.millis() + 10_000);
    }

    @Test
    void whenNothingWaitsAnyMoreAllAreLetIn() {
        refusedInvite();
        stack.runTo(stack.millis() + 2_000);
        int served = stack.transactions.size();

        for (int i = 0; i < 100; i++) {
            stack.receive(invite("z9hG4bKafter" + i), StackHarness.ALICE);
        }

        assertThat(stack.transactions).hasSize(served + 100);
        assertThat(stack.shard.overload().state().shedding()).isFalse();
    }

    @Test
    void anEmergencyCallComesBeforeOthers() {
        refusedInvite();
        int served = stack.transactions.size();

        stack.receive(
                invite("z9hG4bKsos").replace("sip:bob@192.0.2.100", "urn:service:sos.fire"),
                StackHarness.ALICE);

        assertThat(stack.transactions).hasSize(served + 1);
    }

    /** RFC 4412 is for those who are trusted: anybody can write the header. */
    @Test
    void aPriorityOfAStrangerGivesNothing() {
        refusedInvite();
        int served = stack.transactions.size();

        stack.receive(
                invite("z9hG4bKets").replace("Contact:", "Resource-Priority: ets.0\nContact:"),
                StackHarness.ALICE);

        assertThat(stack.transactions).hasSize(served);
    }

    // Retry-After

    @Test
    void aPhoneIsToldWhenToComeAgain() {
        refusedInvite();

        int seconds = Integer.parseInt(refusal().header(HeaderName.RETRY_AFTER));
        assertThat(seconds).isBetween(1, 10);
    }

    /** RFC 3261 21.5.4: with Retry-After it would send nothing at all. */
    @Test
    void aProxyIsNotToldSo() {
        refusedInvite();

        stack.receive(
                invite("z9hG4bKproxy")
                        .replace(
                                "Max-Forwards",
                                "Via: SIP/2.0/UDP 198.51.100.7;branch=z9hG4bKp\nMax-Forwards"),
                StackHarness.ALICE);
        assertThat(refusal().status()).isEqualTo(503);
        assertThat(refusal().headers(HeaderName.VIA)).hasSize(2);
        assertThat(refusal().header(HeaderName.RETRY_AFTER)).isNull();

        stack.receive(
                invite("z9hG4bKrr")
                        .replace("Contact:", "Record-Route: <sip:192.0.2.1;lr>\nContact:"),
                StackHarness.ALICE);
        assertThat(refusal().status()).isEqualTo(503);
        assertThat(refusal().header(HeaderName.RETRY_AFTER)).isNull();
    }

    @Test
    void aPeerGetsTheStatusThatWasAgreed() {
        StackHarness other =
                new StackHarness(
                        StackConfig.builder()
                                .overload(
                                        new OverloadConfig(
                                                true,
                                                ON.delayNanos(),
                                                10,
                                                source -> new PeerTerms(1, 480))));
        late(other, 1_000);
        for (int i = 0; i < 50; i++) {
            other.receive(invite("z9hG4bKx" + i), StackHarness.ALICE);
        }

        assertThat(other.last().response().status()).isEqualTo(480);
        assertThat(other.last().response().header(HeaderName.RETRY_AFTER)).isNull();
    }

    // Via

    /** RFC 3261 18.2.1. */
    @Test
    void anotherSourceThanSentByIsToldAsReceived() {
        refusedInvite();

        stack.receive(
                invite("z9hG4bKname").replace("192.0.2.1:5060", "phone.example.com"),
                StackHarness.ALICE);

        assertThat(refusal().topVia().received()).isEqualTo("192.0.2.1");
        assertThat(refusal().topVia().rport()).isEqualTo(-1);
    }

    /** RFC 3581 4. */
    @Test
    void rportIsFilledInAndTheAnswerGoesThere() {
        refusedInvite();
        Hop behind = StackHarness.udp("203.0.113.9", 40_000);
        for (int i = 0; i < 50; i++) {
            stack.receive(invite("z9hG4bKbehind" + i), behind); // what is its share
        }

        stack.receive(
                invite("z9hG4bKnat")
                        .replace(";branch", ";rport;received=192.0.2.77;x=\"a;rport\";branch"),
                behind);

        assertThat(refusal().topVia().received()).isEqualTo("203.0.113.9");
        assertThat(refusal().topVia().rport()).isEqualTo(40_000);
        assertThat(refusal().topVia().param("x")).isEqualTo("a;rport");
        assertThat(stack.last().to()).isEqualTo(behind);
    }

    /** RFC 3261 18.2.2: without rport to the port of sent-by. */
    @Test
    void withoutRportTheAnswerGoesToThePortOfSentBy() {
        refusedInvite();

        stack.receive(invite("z9hG4bKport"), StackHarness.udp("192.0.2.1", 40_000));

        assertThat(stack.last().to()).isEqualTo(StackHarness.udp("192.0.2.1", 5060));
        assertThat(refusal().topVia().received()).isNull();
    }

    // How long messages wait

    @Test
    void whatOnlySomeWaitForIsNoOverload() {
        warm();
        for (int i = 0; i < 100; i++) {
            stack.shard.overload().delay().waited(Waiting.HANDLER, TimeUnit.SECONDS.toNanos(2));
            stack.shard.overload().delay().waited(Waiting.HANDLER, 0);
            stack.runTo(stack.millis() + 10);
        }

        assertThat(stack.shard.overload().limits()).isFalse();
    }

    /** Ten that take 10 ms each wait for one another by chance. */
    @Test
    void aFewSlowRequestsAreNoQueue() {
        warm();
        for (int i = 0; i < 100; i++) {
            stack.shard.overload().began(); // 100/s
            stack.shard
                    .overload()
                    .delay()
                    .waited(Waiting.HANDLER, TimeUnit.MILLISECONDS.toNanos(80));
            stack.runTo(stack.millis() + 10);
        }
        assertThat(stack.shard.overload().limits()).isFalse();

        for (int i = 0; i < 100; i++) {
            for (int k = 0; k < 20; k++) {
                stack.shard.overload().began(); // 2,000/s
            }
            stack.shard
                    .overload()
                    .delay()
                    .waited(Waiting.HANDLER, TimeUnit.MILLISECONDS.toNanos(80));
            stack.runTo(stack.millis() + 10);
        }
        assertThat(stack.shard.overload().limits()).isTrue();
    }

    @Test
    void aDelayOfNothingRefusesAllThatIsNew() {
        StackHarness other =
                new StackHarness(StackConfig.builder().overload(new OverloadConfig(true, 0, 10)));
        other.runTo(10);

        for (int i = 0; i < 10; i++) {
            other.receive(invite("z9hG4bKx" + i), StackHarness.ALICE);
            assertThat(other.last().response().status()).isEqualTo(503);
        }
        assertThat(other.transactions).isEmpty();
    }

    @Test
    void aPriorityIsBelievedOfWhoIsInsideOfTheDomain() {
        StackHarness other =
                new StackHarness(
                        StackConfig.builder()
                                .boundary(
                                        new TrustDomain(
                                                AddressRanges.of(List.of("192.0.2.1")), false))
                                .overload(ON));
        late(other, 1_000);
        String marked = "Resource-Priority: ets.0\nContact:";
        for (int i = 0; i < 50; i++) {
            other.receive(invite("z9hG4bKx" + i), StackHarness.ALICE);
        }
        int served = other.transactions.size();

        other.receive(invite("z9hG4bKin").replace("Contact:", marked), StackHarness.ALICE);
        assertThat(other.transactions).hasSize(served + 1);

        for (int i = 0; i < 50; i++) {
            other.receive(invite("z9hG4bKb" + i).replace("Contact:", marked), StackHarness.BOB);
        }
        assertThat(other.last().response().status()).isEqualTo(503);
    }
}
