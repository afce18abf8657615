package io.carillon.sip.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.shard.OutgoingRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Large messages have half of the room for open requests: whatever many sources do with them, small
 * calls of others are served.
 */
class LargeRequestsTest {
    private static final int MAX_BYTES = 2_000_000;
    private static final int LARGE_BYTES = 55_000;

    /** From here on a message is a large one. */
    private static final int SMALL_BYTES = 8 << 10;

    /** Some sources leave others a little of the part for large ones. */
    private static final long MOST_OF_PART = MAX_BYTES / 20L * 7;

    private static final String WITHIN = "To: <sip:bob@example.com>;tag=x\n";
    private static final Hop TRUSTED = StackHarness.udp("192.0.2.9", 5060);
    private static final Sources SOURCES =
            new Sources(
                    source -> source == SourceKey.of(TRUSTED.remote().getAddress()),
                    0x1234_5678_9ABC_DEF0L);

    private final StackHarness h =
            new StackHarness(StackConfig.builder().requestHeapBytes(MAX_BYTES).shares(SOURCES, 25));

    private int number;

    private static Hop attacker(int i) {
        return StackHarness.udp("198.51.100." + (i + 1), 5060);
    }

    private static Hop honest(int i) {
        return StackHarness.udp("203.0.113." + (i + 1), 5060);
    }

    /** Is the layer above told of it? */
    private boolean taken(String method, String headers, int bodyBytes, Hop from) {
        int n = ++number;
        int before = h.told.size();
        h.receive(
                StackHarness.text(method, "z9hG4bK-" + n, headers)
                                .replace("call-1", "call-" + n)
                                .replace("Content-Length: 0", "Content-Length: " + bodyBytes)
                        + "x".repeat(bodyBytes),
                from);
        return h.told.size() > before;
    }

    private boolean call(int bodyBytes, Hop from) {
        return taken("INVITE", "", bodyBytes, from);
    }

    /** Each sends so many; how many are taken. */
    private int attack(int sources, int each) {
        int taken = 0;
        for (int i = 0; i < each; i++) {
            for (int source = 0; source < sources; source++) {
                taken += call(LARGE_BYTES, attacker(source)) ? 1 : 0;
            }
        }
        return taken;
    }

    private int refusedHonest() {
        return refusedHonest(500);
    }

    /** So many calls of usual size, which are not answered meanwhile; how many are refused. */
    private int refusedHonest(int calls) {
        int refused = 0;
        for (int i = 0; i < calls; i++) {
            refused += call(500, honest(i % 20)) ? 0 : 1;
        }
        return refused;
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 10, 40})
    void smallCallsAreServedBesideLargeOnesOfManySources(int sources) {
        assertThat(attack(sources, 20)).isPositive();
        assertThat(h.shard.heldBytes())
                .as("the part of large ones")
                .isBetween(MOST_OF_PART, MAX_BYTES / 2L + LARGE_BYTES + 1_000);
        assertThat(h.last().name()).isEqualTo("503 INVITE");
        assertThat(h.last().response().header(HeaderName.RETRY_AFTER)).isEqualTo("5");
        assertThat(h.last().message().length()).as("a cheap answer").isLessThan(500);
        assertThat(refusedHonest()).isZero();
        attack(sources, 20);
        assertThat(call(500, honest(21))).isTrue();
    }

    /** G6: a provisional response frees nothing, and nobody answers for a quarter of an hour. */
    @ParameterizedTest
    @ValueSource(ints = {8, 40})
    void smallCallsAreServedWhileLargeOnesRing(int sources) {
        h.onRequest =
                (tx, request) -> {
                    tx.respond(h.response(tx, 180));
                    OutgoingRequest out =
                            h.outgoing("INVITE", "192.0.2.2").countedAt(tx.countedAt());
                    out.draft().body(request.body(), "application/sdp");
                    h.shard.send(out);
                    h.drain();
                    if (h.last().message() instanceof SipRequest sent) {
                        h.receive(StackHarness.answer(sent, 180, "b"), StackHarness.BOB);
                    }
                };
        attack(sources, 20);
        for (int minutes = 0; minutes < 14; minutes++) {
            h.runTo(minutes * 60_000L);
            attack(sources, 2);
            assertThat(call(500, honest(minutes))).isTrue();
        }
        assertThat(refusedHonest()).isZero();
    }

    @Test
    void aLargeCallPassesWhereNobodyAttacks() {
        assertThat(call(20_000, honest(0))).isTrue();
        assertThat(call(60_000, honest(0))).isTrue();
        assertThat(refusedHonest()).isZero();
        assertThat(call(20_000, honest(1))).isTrue();
    }

    @Test
    void oneSourceLeavesOthersRoomForLargeOnes() {
        // As long as it is alone it may have half of their part.
        int alone = attack(1, 100);
        assertThat(alone * LARGE_BYTES)
                .isBetween(MAX_BYTES / 4 - LARGE_BYTES, MAX_BYTES / 4 + LARGE_BYTES);
        assertThat(call(20_000, honest(0))).isTrue();
        assertThat(call(20_000, honest(1))).isTrue();
        assertThat(h.count(Counter.REFUSED_SHARE)).isEqualTo(100 - alone);
    }

    @Test
    void largeOnesOfDialogsHaveAQuarterAboveAndWhatEndsCallsHalfAbove() {
        attack(80, 2);
        long part = MAX_BYTES / 2L;
        int more = 0;
        while (taken("INFO", WITHIN, LARGE_BYTES, attacker(100 + more))) {
            more++;
        }
        assertThat(h.shard.heldBytes()).isBetween(part / 4 * 5, part / 4 * 5 + 60_000);
        while (taken("BYE", WITHIN, LARGE_BYTES, attacker(100 + more))) {
            more++;
        }
        assertThat(h.shard.heldBytes()).isBetween(part / 4 * 6, part / 4 * 6 + 60_000);
        assertThat(refusedHonest(300)).isZero();
    }

    @Test
    void largeOnesThatLeaveHaveNoMoreThanTheirPartEither() {
        List<String> before = new ArrayList<>(h.sentNames());
        for (int i = 0; i < 100; i++) {
            OutgoingRequest out =
                    h.outgoing("INVITE", "192.0.2.2").countedAt(h.shard.place(attacker(i % 10)));
            out.draft().body(new byte[LARGE_BYTES], "application/sdp");
            h.shard.send(out);
        }
        h.drain();
        assertThat(h.sent.size()).isGreaterThan(before.size());
        assertThat(h.shard.heldBytes())
                .isBetween(MOST_OF_PART, MAX_BYTES / 2L + LARGE_BYTES + 1_000);
        assertThat(h.count(Counter.UNSENT_FULL)).isPositive();
        assertThat(refusedHonest()).isZero();
    }

    @Test
    void aSourceThatIsTrustedHasAllOfTheRoomForLargeOnes() {
        attack(10, 20);
        while (call(LARGE_BYTES, TRUSTED)) {}
        assertThat(h.shard.heldBytes()).isBetween((long) MAX_BYTES, MAX_BYTES + 60_000L);
    }

    @Test
    void whereLargeBegins() {
        attack(80, 2);
        int head = StackHarness.bytes(StackHarness.text("INVITE", "z9hG4bK-1", "")).length;
        assertThat(call(SMALL_BYTES - head - 10, honest(0))).isTrue();
        assertThat(call(SMALL_BYTES - head + 10, honest(0))).isFalse();
    }

    /** Small calls whose callee says much, and whose callers send no ACK. */
    @ParameterizedTest
    @ValueSource(ints = {8, 40})
    void largeAnswersThatLingerTakeNoMoreThanThatPartEither(int sources) {
        h.onRequest =
                (tx, request) ->
                        tx.respond(
                                MessageDraft.responseTo(request, 486, null, tx.localTag())
                                        .body(new byte[LARGE_BYTES], "text/plain")
                                        .freezeResponse());
        for (int i = 0; i < 20; i++) {
            for (int source = 0; source < sources; source++) {
                call(500, attacker(source));
                taken("OPTIONS", "", 0, attacker(source));
            }
        }
        assertThat(h.shard.heldBytes())
                .isBetween(MOST_OF_PART, MAX_BYTES / 8L * 5 + LARGE_BYTES + 1_000);
        assertThat(h.count(Counter.FINALS_NOT_KEPT)).isPositive();
        assertThat(h.sentNames()).as("each got its answer").contains("486 INVITE", "486 OPTIONS");
        h.onRequest = (tx, request) -> {};
        assertThat(refusedHonest()).isZero();
        h.runTo(60_000);
        assertThat(h.shard.heldBytes()).as("the honest calls are open").isLessThan(500 * 1_000);
    }

    /** The ACK of ours for a refusal is as long as what the callee wrote in its To. */
    @Test
    void largeAcksThatLingerTakeNoMoreThanThatPartEither() {
        String tag = "b".repeat(12_000);
        for (int i = 0; i < 300; i++) {
            h.shard.send(
                    h.outgoing("INVITE", "192.0.2.2").countedAt(h.shard.place(attacker(i % 10))));
            h.drain();
            h.receive(StackHarness.answer(h.last().request(), 486, tag), StackHarness.BOB);
        }
        assertThat(h.sentNames()).filteredOn("ACK"::equals).hasSize(300);
        assertThat(h.shard.heldBytes()).isBetween(MOST_OF_PART, MAX_BYTES / 8L * 5 + 13_000);
        assertThat(refusedHonest()).isZero();
    }
}
