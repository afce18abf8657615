package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.ALICE;
import static io.carillon.sip.stack.StackHarness.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.admission.Room;
import io.carillon.sip.admission.WaitingMessages;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.Shares;
import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.hop.Origin;
import io.carillon.sip.observe.Counter;
import io.carillon.sip.server.ServerTransaction;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One source within its rates does not take a shard's room from all others. */
class SourceSharesTest {
    private static final int MAX_BYTES = 200_000;
    private static final String WITHIN = "To: <sip:bob@example.com>;tag=x\n";
    private static final Hop TRUSTED = StackHarness.udp("192.0.2.9", 5060);
    private static final Sources SOURCES =
            new Sources(
                    source -> source == SourceKey.of(InetAddress.ofLiteral("192.0.2.9")),
                    0x1234_5678_9ABC_DEF0L);

    /** Tells messages apart. */
    private final AtomicInteger number = new AtomicInteger();

    private final StackHarness h =
            new StackHarness(StackConfig.builder().requestHeapBytes(MAX_BYTES).shares(SOURCES, 25));

    private String request(String method, String headers, int bytes) {
        int n = number.incrementAndGet();
        String body = "x".repeat(bytes);
        return StackHarness.text(method, "z9hG4bK-" + n, headers)
                        .replace("call-1", "call-" + n)
                        .replace("Content-Length: 0", "Content-Length: " + bytes)
                + body;
    }

    /** How many of them the layer above is told of; nobody answers. */
    private int taken(Hop from, int count, String method, String headers, int bytes) {
        int before = h.told.size();
        for (int i = 0; i < count; i++) {
            h.receive(request(method, headers, bytes), from);
        }
        return h.told.size() - before;
    }

    @Test
    void largeInvitesOfOneSourceLeaveRoomForThoseOfOthers() {
        int alone = taken(ALICE, 100, "INVITE", "", 5_000);
        // As long as it is alone it may have half of it.
        assertThat(h.shard.heldBytes()).isBetween(MAX_BYTES / 2L, MAX_BYTES / 2L + 6_000);
        assertThat(alone).isBetween(15, 20);
        assertThat(h.last().name()).isEqualTo("503 INVITE");
        assertThat(h.last().response().header(HeaderName.RETRY_AFTER)).isEqualTo("5");
        assertThat(h.count(Counter.REFUSED_SHARE)).isEqualTo(100 - alone);
        assertThat(h.count(Counter.REFUSED_REQUEST_HEAP)).isZero();
        assertThat(taken(BOB, 100, "INVITE", "", 5_000))
                .as("a quarter of the rest for another")
                .isBetween(4, 5);
        assertThat(taken(StackHarness.udp("192.0.2.3", 5060), 2, "INVITE", "", 5_000)).isEqualTo(2);
    }

    @Test
    void requestsOfDialogsHaveAQuarterAboveAndWhatEndsCallsHalfAbove() {
        for (int i = 2; i < 6; i++) {
            taken(StackHarness.udp("192.0.2." + i, 5060), i % 2 == 0 ? 4 : 5, "INVITE", "", 5_000);
        }
        int quarter = taken(ALICE, 100, "INVITE", "", 5_000);
        assertThat(quarter).as("of what the others leave").isBetween(4, 6);
        int more = taken(ALICE, 100, "INFO", WITHIN, 5_000);
        assertThat(more).isBetween(1, 3);
        assertThat(taken(ALICE, 100, "BYE", WITHIN, 5_000)).isBetween(1, 4);
        assertThat(taken(StackHarness.udp("192.0.2.7", 5060), 1, "BYE", WITHIN, 5_000))
                .isEqualTo(1);
    }

    @Test
    void aSourceThatIsTrustedMayHaveAllOfIt() {
        assertThat(taken(TRUSTED, 50, "INVITE", "", 5_000)).isGreaterThan(30);
        assertThat(h.count(Counter.REFUSED_SHARE)).isZero();
        assertThat(h.count(Counter.REFUSED_REQUEST_HEAP)).isPositive();
    }

    @Test
    void whatASourceHeldIsGivenBackWithTheFinalResponse() {
        for (int round = 0; round < 3; round++) {
            assertThat(taken(ALICE, 100, "INVITE", "", 5_000)).isBetween(15, 20);
            for (ServerTransaction tx : h.transactions) {
                if (!tx.finalClaimed()) {
                    tx.respond(h.response(tx, 486));
                }
            }
            h.transactions.clear();
            assertThat(h.shard.heldBytes()).isZero();
        }
        h.runTo(100_000);
        assertThat(h.shard.transactionCount()).isZero();
    }

    @Test
    void whatAnApplicationPassesOnCountsForWhoBeganIt() {
        int place = h.shard.place(ALICE);
        Origin.Known byAlice =
                new Origin.Known() {
                    @Override
                    public Origin origin() {
                        return Origin.OUTSIDE;
                    }

                    @Override
                    public int countedAt() {
                        return place;
                    }
                };
        assertThat(h.shard.place(Hop.internal(BOB, byAlice))).isEqualTo(place);
        int passed = taken(Hop.internal(BOB, byAlice), 100, "INVITE", "", 5_000);
        assertThat(passed).as("with the room of dialogs").isBetween(20, 25);
        assertThat(taken(ALICE, 1, "INVITE", "", 5_000)).isZero();
        assertThat(taken(BOB, 1, "INVITE", "", 5_000)).isEqualTo(1);
    }

    @Test
    void transactionsOfOneSourceLeaveRoomForThoseOfOthers() {
        StackHarness small =
                new StackHarness(StackConfig.builder().maxTransactions(160).shares(SOURCES, 25));
        for (int i = 0; i < 200; i++) {
            small.receive(request("OPTIONS", "", 0), ALICE);
        }
        assertThat(small.shard.transactionCount()).isEqualTo(80);
        assertThat(small.count(Counter.REFUSED_SHARE)).isEqualTo(120);
        small.receive(request("OPTIONS", "", 0), BOB);
        assertThat(small.shard.transactionCount()).isEqualTo(81);
        for (int i = 0; i < 50; i++) {
            small.receive(request("OPTIONS", WITHIN, 0), ALICE);
        }
        assertThat(small.shard.transactionCount()).as("in dialogs a quarter above").isEqualTo(100);
        // What lingers counts until its end.
        for (ServerTransaction tx : small.transactions) {
            tx.respond(small.response(tx, 200));
        }
        small.receive(request("OPTIONS", "", 0), ALICE);
        assertThat(small.count(Counter.REFUSED_SHARE)).isEqualTo(120 + 31 + 1);
        small.runTo(100_000);
        assertThat(small.shard.transactionCount()).isZero();
        for (int i = 0; i < 90; i++) {
            small.receive(request("OPTIONS", "", 0), ALICE);
        }
        assertThat(small.shard.transactionCount()).isEqualTo(80);
    }

    /** As many as there are send all that they may, in dialogs too: the next one finds room. */
    @ParameterizedTest
    @ValueSource(ints = {5, 20, 100})
    void transactionsOfManySourcesLeaveRoomForTheNextOne(int many) {
        StackHarness flooded =
                new StackHarness(StackConfig.builder().maxTransactions(4_000).shares(SOURCES, 25));
        int[] answered = new int[1];
        flooded.onRequest =
                (tx, request) -> {
                    tx.respond(flooded.response(tx, 200));
                    answered[0]++;
                };
        String[] kinds = {"OPTIONS", "", "OPTIONS", WITHIN, "BYE", WITHIN};
        for (int round = 0; round < 6_000 / many; round++) {
            for (int kind = 0; kind < kinds.length; kind += 2) {
                for (int i = 0; i < many; i++) {
                    Hop from = StackHarness.udp("198.51.100." + i, 5060);
                    flooded.receive(request(kinds[kind], kinds[kind + 1], 0), from);
                }
            }
        }
        int taken = answered[0];
        assertThat(taken).as("they have most of it").isBetween(2_000, 3_990);
        Hop next = StackHarness.udp("203.0.113.1", 5060);
        for (int i = 0; i < 3; i++) {
            flooded.receive(request("OPTIONS", "", 0), next);
        }
        assertThat(answered[0]).as("of the next one are served").isEqualTo(taken + 3);
    }

    /** One after the other, each all that it may: with tags that lead nowhere, too. */
    @Test
    void sourcesThatComeOneAfterTheOtherLeaveRoomForTheNextOne() {
        StackHarness flooded =
                new StackHarness(StackConfig.builder().maxTransactions(4_000).shares(SOURCES, 25));
        flooded.onRequest = (tx, request) -> tx.respond(flooded.response(tx, 481));
        String[] kinds = {"OPTIONS", "", "OPTIONS", WITHIN, "BYE", WITHIN};
        for (int i = 0; i < 60; i++) {
            Hop from = StackHarness.udp("198.51.100." + i, 5060);
            for (int kind = 0; kind < kinds.length; kind += 2) {
                int before = -1;
                while (before != flooded.shard.transactionCount()) {
                    before = flooded.shard.transactionCount();
                    flooded.receive(request(kinds[kind], kinds[kind + 1], 0), from);
                }
            }
        }
        int taken = flooded.shard.transactionCount();
        assertThat(taken).as("they have most of it").isBetween(3_000, 3_970);
        flooded.receive(request("OPTIONS", "", 0), StackHarness.udp("203.0.113.1", 5060));
        assertThat(flooded.shard.transactionCount()).as("the next one").isEqualTo(taken + 1);
    }

    /** Where sources without a share fill the room, calls of others come to their end. */
    @Test
    void whatATrustedSourceHoldsKeepsNoCallOfOthersFromItsEnd() {
        StackHarness full =
                new StackHarness(StackConfig.builder().maxTransactions(4_000).shares(SOURCES, 25));
        for (int i = 0; i < 4_000; i++) {
            full.receive(request("OPTIONS", "", 0), TRUSTED);
        }
        full.receive(request("OPTIONS", "", 0), ALICE);
        assertThat(full.shard.transactionCount()).isEqualTo(4_000);
        for (int i = 0; i < 10; i++) {
            full.receive(request("BYE", WITHIN, 0), ALICE);
        }
        assertThat(full.shard.transactionCount()).isEqualTo(4_010);
    }

    /** The transactions that a proxy opens for a source's requests stand in the same table. */
    @Test
    void whatTheRequestsOfASourceMakeUsSendIsReckonedToIt() {
        StackHarness small =
                new StackHarness(StackConfig.builder().maxTransactions(160).shares(SOURCES, 25));
        small.onRequest =
                (tx, request) -> {
                    for (int i = 0; i < 3; i++) {
                        small.shard.send(
                                small.outgoing("OPTIONS", "192.0.2.50").countedAt(tx.countedAt()));
                    }
                };
        for (int i = 0; i < 100; i++) {
            small.receive(request("OPTIONS", "", 0), ALICE);
        }
        assertThat(small.shard.transactionCount()).isBetween(80, 83);
        small.receive(request("OPTIONS", "", 0), BOB);
        assertThat(small.shard.transactionCount()).isBetween(84, 87);
    }

    @Test
    void newMessagesOfOneSourceForBusyCallsLeaveRoomForThoseOfOthers() {
        StackConfig config =
                StackConfig.builder().requestHeapBytes(8_000_000).shares(SOURCES, 25).build();
        WaitingMessages waiting = new WaitingMessages(config.capacity());
        int alice = SOURCES.place(SourceKey.of(InetAddress.ofLiteral("192.0.2.1")));
        int bob = SOURCES.place(SourceKey.of(InetAddress.ofLiteral("192.0.2.2")));
        int messages = 0;
        while (waiting.hasRoom(0, 10_000, Room.NEW, alice)) {
            waiting.add(10_000, alice);
            messages++;
        }
        // A quarter of all is for new messages, and half of that for one source.
        assertThat(messages).isEqualTo(100);
        assertThat(waiting.hasRoom(0, 10_000, Room.NEW, bob)).isTrue();
        assertThat(waiting.hasRoom(0, 10_000, Room.NEW, Sources.NOBODY)).isTrue();
        while (waiting.hasRoom(0, 10_000, Room.DIALOG, alice)) {
            waiting.add(10_000, alice);
            messages++;
        }
        assertThat(waiting.hasRoom(0, 10_000, Room.DIALOG, bob)).isTrue();
        for (int i = 0; i < messages; i++) {
            waiting.remove(10_000, alice);
        }
        assertThat(waiting.bytes()).isZero();
        assertThat(waiting.hasRoom(0, 10_000, Room.NEW, alice)).isTrue();
    }

    @Test
    void bytesAreCountedInWholeUnits() {
        assertThat(Shares.units(1)).isEqualTo(1);
        assertThat(Shares.units(64)).isEqualTo(1);
        assertThat(Shares.units(65)).isEqualTo(2);
        assertThat(Shares.units(Long.MAX_VALUE / 2)).isEqualTo(Integer.MAX_VALUE);
    }
}
