package io.carillon.sip.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.server.ServerTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A source below its share is not refused for what others hold, as long as there is room for all:
 * whatever they send, and however many requests theirs make us send.
 */
class BelowItsShareTest {
    private static final int MAX_TRANSACTIONS = 400;
    private static final int MAX_BYTES = 400_000;
    private static final int PERCENT = 25;
    private static final Hop HONEST = StackHarness.udp("203.0.113.1", 5060);

    /** More than any request of this test has beside its body. */
    private static final int HEAD_BYTES = 512;

    private final Sources sources = new Sources(source -> false, 0x1234_5678_9ABC_DEF0L);
    private final StackHarness h =
            new StackHarness(
                    StackConfig.builder()
                            .maxTransactions(MAX_TRANSACTIONS)
                            .requestHeapBytes(MAX_BYTES)
                            .shares(sources, PERCENT));
    private final List<ServerTransaction> ofOthers = new ArrayList<>();
    private int number;

    private int onwards;

    private boolean taken(Hop from, int bodyBytes, int makesUsSend) {
        int n = ++number;
        int before = h.transactions.size();
        onwards = makesUsSend;
        h.receive(
                StackHarness.text("INVITE", "z9hG4bK-" + n, "")
                                .replace("call-1", "call-" + n)
                                .replace("Content-Length: 0", "Content-Length: " + bodyBytes)
                        + "x".repeat(bodyBytes),
                from);
        return h.transactions.size() > before;
    }

    private void sendOn(ServerTransaction tx) {
        for (int i = 0; i < onwards; i++) {
            h.shard.send(h.outgoing("INVITE", "192.0.2.50").countedAt(tx.countedAt()));
        }
    }

    private void othersDo(Random random) {
        Hop from = StackHarness.udp("198.51.100." + (1 + random.nextInt(9)), 5060);
        int[] bodies = {0, 500, 6_000, 20_000};
        // As a spiral whose targets lead back: one request is twenty and more of ours.
        int[] many = {0, 1, 3, 30};
        int before = h.transactions.size();
        taken(from, bodies[random.nextInt(bodies.length)], many[random.nextInt(many.length)]);
        ofOthers.addAll(h.transactions.subList(before, h.transactions.size()));
        if (random.nextInt(3) == 0 && !ofOthers.isEmpty()) {
            ServerTransaction tx = ofOthers.remove(random.nextInt(ofOthers.size()));
            tx.respond(h.response(tx, random.nextBoolean() ? 486 : 200));
        }
        if (random.nextInt(40) == 0) {
            h.runTo(h.millis() + random.nextInt(8_000));
        }
    }

    /** Less than a quarter of what others leave, and of less than half as much less. */
    private static boolean below(int own, int free, int all) {
        double left = own + free;
        return own < Math.min(left, 2 * left * left / all) * PERCENT / 100;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void isNotRefusedWhileThereIsRoom(long seed) {
        Random random = new Random(seed);
        h.onRequest = (tx, request) -> sendOn(tx);
        int transactions = 0;
        int bytes = 0;
        int asked = 0;
        for (int round = 0; round < 2_000; round++) {
            othersDo(random);
            int onward = random.nextInt(3);
            int body = random.nextInt(4_000);
            boolean below =
                    below(
                                    transactions + 1,
                                    MAX_TRANSACTIONS - h.shard.transactionCount(),
                                    MAX_TRANSACTIONS)
                            && below(
                                    bytes + body + HEAD_BYTES,
                                    MAX_BYTES - (int) h.shard.heldBytes(),
                                    MAX_BYTES);
            boolean room =
                    h.shard.transactionCount() < MAX_TRANSACTIONS
                            && h.shard.heldBytes() < MAX_BYTES;
            if (below && room && random.nextInt(10) == 0) {
                asked++;
                assertThat(taken(HONEST, body, onward))
                        .as("with %d transactions and %d bytes", transactions, bytes)
                        .isTrue();
                // What is over counts here all the same: never less than it holds.
                transactions += 1 + onward;
                bytes += (body + HEAD_BYTES) * (1 + (body > 1_000 ? onward : 0));
            }
        }
        assertThat(asked).as("the test asks").isGreaterThan(5);
    }
}
