package io.carillon.sip.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

/**
 * What client transactions keep of large requests is counted, for their source too, and bounded.
 */
class SentBytesTest {
    private static final int MAX_BYTES = 200_000;
    private static final byte[] BODY = new byte[5_000];
    private static final Sources SOURCES = new Sources(source -> false, 0x1234_5678_9ABC_DEF0L);

    private final StackHarness h =
            new StackHarness(StackConfig.builder().requestHeapBytes(MAX_BYTES).shares(SOURCES, 25));

    private static int place(String address) {
        return SOURCES.place(SourceKey.of(InetAddress.ofLiteral(address)));
    }

    private OutgoingRequest large(String method, int place) {
        OutgoingRequest out = h.outgoing(method, "192.0.2.2").countedAt(place);
        out.fixedHop(StackHarness.udp("192.0.2.2", 5060));
        out.draft().body(BODY, "application/sdp");
        return out;
    }

    /** How many of them leave. */
    private int leave(int count, String method, boolean within, int place) {
        int before = h.sentNames().size();
        for (int i = 0; i < count; i++) {
            OutgoingRequest out = large(method, place);
            if (within) {
                out.draft().set(HeaderName.TO, "<sip:bob@example.com>;tag=b");
            }
            h.shard.send(out);
        }
        h.drain();
        return h.sentNames().size() - before;
    }

    @Test
    void requestsOfOneSourceHaveHalfOfTheRoomAndThoseOfOthersTheRest() {
        int first = leave(100, "INVITE", false, place("192.0.2.7"));
        assertThat(first).isBetween(18, 25);
        assertThat(h.shard.heldBytes()).isBetween(MAX_BYTES / 2L, MAX_BYTES / 2L + 6_000);
        assertThat(h.count(Counter.UNSENT_FULL)).isEqualTo(100 - first);
        assertThat(h.told).filteredOn("failed FULL"::equals).hasSize(100 - first);
        int second = leave(100, "INVITE", false, place("192.0.2.8"));
        assertThat(second).as("a quarter of the rest").isBetween(4, 6);
        h.runTo(100_000);
        assertThat(h.shard.heldBytes()).isZero();
        assertThat(leave(1, "INVITE", false, place("192.0.2.7"))).isEqualTo(1);
    }

    @Test
    void dialogsHaveAQuarterAboveAndWhatEndsCallsHalfAbove() {
        int initial = leave(100, "INVITE", false, Sources.NOBODY);
        assertThat(h.shard.heldBytes()).isBetween((long) MAX_BYTES, MAX_BYTES + 6_000L);
        assertThat(leave(100, "INFO", true, Sources.NOBODY)).isBetween(initial / 4 - 1, 12);
        assertThat(leave(100, "BYE", true, Sources.NOBODY)).isBetween(initial / 4 - 1, 12);
    }

    @Test
    void aUsualRequestLeavesWhateverIsHeld() {
        leave(100, "INVITE", false, Sources.NOBODY);
        h.sent.clear();
        h.shard.send(h.outgoing("OPTIONS", "192.0.2.2"));
        h.drain();
        assertThat(h.sentNames()).containsExactly("OPTIONS");
    }

    @Test
    void aVeryLongBodyIsNotKeptBehindA2xx() {
        OutgoingRequest out = large("INVITE", place("192.0.2.7"));
        out.draft().body(new byte[20_000], "application/sdp");
        RequestAttempt attempt = h.shard.send(out);
        h.drain();
        assertThat(h.shard.heldBytes()).isGreaterThan(19_500);
        h.receive(StackHarness.answer(h.last().request(), 200, "b"), StackHarness.BOB);
        assertThat(h.told).containsExactly("response 200");
        assertThat(h.shard.heldBytes()).isZero();
        assertThat(attempt.request())
                .isNotNull()
                .satisfies(kept -> assertThat(kept.bodyLength()).isZero());
    }

    @Test
    void whatIsKeptBehindA2xxIsCountedUntilTimerM() {
        RequestAttempt attempt = h.shard.send(large("INVITE", place("192.0.2.7")));
        h.drain();
        h.receive(StackHarness.answer(h.last().request(), 200, "b"), StackHarness.BOB);
        assertThat(h.shard.heldBytes()).isGreaterThan(4_500);
        assertThat(attempt.request())
                .isNotNull()
                .satisfies(kept -> assertThat(kept.bodyLength()).isEqualTo(BODY.length));
        h.runTo(40_000);
        assertThat(h.shard.heldBytes()).isZero();
    }

    @Test
    void theAckForARefusalIsCountedWhileItLingers() {
        OutgoingRequest out = h.outgoing("INVITE", "192.0.2.2");
        out.draft().set(HeaderName.FROM, "<sip:us@example.com;x=" + "y".repeat(3_000) + ">;tag=a");
        h.shard.send(out);
        h.drain();
        h.receive(StackHarness.answer(h.last().request(), 486, "b"), StackHarness.BOB);
        assertThat(h.shard.heldBytes()).isGreaterThan(2_500);
        h.runTo(40_000);
        assertThat(h.shard.heldBytes()).isZero();
    }

    @Test
    void whatWaitsForTheAddressOfANameIsCounted() {
        h.holdResolutions = true;
        OutgoingRequest out = h.outgoing("MESSAGE", "192.0.2.2");
        out.draft().body(BODY, "text/plain");
        h.shard.send(out);
        assertThat(h.shard.heldBytes()).isGreaterThan(4_500);
    }

    /** RFC 3261 13.3.1.4: it is repeated until its ACK, and so kept. */
    @Test
    void aLarge2xxIsCountedUntilItsAck() {
        ServerTransaction tx = invited();
        long open = h.shard.heldBytes();
        SipResponse ok = large(tx, 200);
        tx.respondAsUas(ok);
        assertThat(h.shard.heldBytes()).isGreaterThan(open + BODY.length - 500);
        assertThat(h.shard.core().shares().heldAt(tx.countedAt())).isGreaterThan(BODY.length);
        tx.ackReceived((SipRequest) StackHarness.parse(StackHarness.ackFor(ok, "z9hG4bK-ack")));
        assertNothingHeld(tx);
        ServerTransaction second = invited();
        second.respondAsUas(large(second, 200));
        h.runTo(40_000);
        assertNothingHeld(second);
    }

    /** RFC 3262 section 3: each is repeated until its PRACK. */
    @Test
    void eachLargeReliableProvisionalIsCountedUntilItsPrack() {
        ServerTransaction tx = invited();
        long open = h.shard.heldBytes();
        for (int i = 1; i <= 3; i++) {
            tx.respondReliably(large(tx, 183), i);
        }
        assertThat(h.shard.heldBytes()).isGreaterThan(open + 3 * (BODY.length - 500));
        assertThat(h.shard.core().shares().heldAt(tx.countedAt()))
                .isGreaterThan(3L * (BODY.length - 500));
        tx.pracked(1);
        tx.pracked(3);
        assertThat(h.shard.heldBytes()).isLessThan(open + 3 * BODY.length);
        tx.respond(h.response(tx, 486));
        assertNothingHeld(tx);
        ServerTransaction second = invited();
        second.respondReliably(large(second, 183), 1);
        h.runTo(40_000);
        second.respond(h.response(second, 486));
        assertNothingHeld(second);
    }

    /** What a source's calls make us keep counts for it, whoever wrote it. */
    @Test
    void whatACalleeMakesLargeCountsForWhoCalled() {
        ServerTransaction tx = invited();
        tx.respond(large(tx, 183));
        assertThat(h.shard.core().shares().heldAt(tx.countedAt())).isGreaterThan(BODY.length);
        tx.respond(h.response(tx, 486));
        assertNothingHeld(tx);
        int place = place("192.0.2.7");
        RequestAttempt attempt = h.shard.send(h.outgoing("INVITE", "192.0.2.2").countedAt(place));
        h.drain();
        SipRequest sent = h.last().request();
        for (int i = 0; i < 3; i++) {
            MessageDraft fork = MessageDraft.responseTo(sent, 200, null, "b" + i);
            h.receive(fork.body(BODY, "application/sdp").freezeResponse(), StackHarness.BOB);
        }
        assertThat(h.shard.core().shares().heldAt(place)).isGreaterThan(3L * (BODY.length - 500));
        h.runTo(40_000);
        assertThat(attempt.isAccepted()).isFalse();
        assertThat(h.shard.core().shares().heldAt(place)).isZero();
        assertThat(h.shard.heldBytes()).isZero();
    }

    private ServerTransaction invited() {
        h.receive(StackHarness.invite("z9hG4bK-" + h.transactions.size()), StackHarness.ALICE);
        return h.transactions.getLast();
    }

    private SipResponse large(ServerTransaction tx, int status) {
        return MessageDraft.responseTo(tx.request(), status, null, tx.localTag())
                .body(BODY, "application/sdp")
                .freezeResponse();
    }

    private void assertNothingHeld(ServerTransaction tx) {
        assertThat(h.shard.heldBytes()).isZero();
        assertThat(h.shard.core().shares().heldAt(tx.countedAt())).isZero();
    }
}
