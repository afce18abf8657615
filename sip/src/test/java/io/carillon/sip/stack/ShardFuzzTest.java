package io.carillon.sip.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.message.SipRequest;
import io.carillon.sip.server.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Seeded nonsense: no input may reach the error sink, and nothing may stay for ever. */
class ShardFuzzTest {
    private static List<String> originals(StackHarness h) {
        List<String> all = new ArrayList<>();
        String to = "To: <sip:bob@example.com>;tag=x\n";
        all.add(StackHarness.invite("z9hG4bK-1"));
        all.add(StackHarness.invite(""));
        all.add(StackHarness.text("ACK", "z9hG4bK-1", to));
        all.add(StackHarness.text("CANCEL", "z9hG4bK-1", ""));
        all.add(StackHarness.text("BYE", "z9hG4bK-2;rport", to));
        all.add(StackHarness.text("OPTIONS", "z9hG4bK-3;maddr=192.0.2.9", "Route: <sip:h;lr>\n"));
        for (String method : List.of("INVITE", "OPTIONS")) {
            h.shard.send(h.outgoing(method, "192.0.2.2"));
            SipRequest sent = h.last().request();
            for (int status : new int[] {100, 180, 200, 486, 503}) {
                all.add(StackHarness.answer(sent, status, "bob").toString().replace("\r\n", "\n"));
            }
        }
        return all;
    }

    @Test
    void mutatedMessagesNeverThrowAndNothingStays() {
        for (long seed = 1; seed <= 60; seed++) {
            Random random = new Random(seed);
            StackHarness h = new StackHarness();
            h.onRequest =
                    (tx, request) -> {
                        int status = new int[] {180, 200, 302, 486, 503}[random.nextInt(5)];
                        if (tx.invite() && status == 200) {
                            tx.setRole(Role.UAS);
                            tx.respondAsUas(h.response(tx, 200));
                        } else {
                            tx.respond(h.response(tx, status));
                        }
                    };
            List<String> originals = originals(h);
            for (int i = 0; i < 400; i++) {
                byte[] bytes = StackHarness.bytes(originals.get(random.nextInt(originals.size())));
                for (int k = random.nextInt(4); k > 0; k--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
                }
                int length =
                        random.nextInt(8) == 0 ? random.nextInt(bytes.length + 1) : bytes.length;
                h.shard.receive(
                        bytes,
                        length,
                        random.nextBoolean() ? StackHarness.ALICE : StackHarness.BOB,
                        h.millis() * 1_000_000L);
                h.drain();
                if (random.nextInt(10) == 0) {
                    h.runTo(h.millis() + random.nextInt(3_000));
                }
            }
            assertThat(h.errors).as("seed %d", seed).isEmpty();
            // Whose siblings wait for it, and are told of now.
            for (int i = 0; i < h.transactions.size(); i++) {
                h.transactions.get(i).respond(h.response(h.transactions.get(i), 500));
                h.drain();
            }
            h.runTo(h.millis() + 70_000);
            assertThat(h.shard.lingeringCount()).as("seed %d", seed).isZero();
            assertThat(h.shard.waitingForAck()).isZero();
            // Only an INVITE of ours that got a provisional response may wait: that is for the
            // layer above to end.
            assertThat(h.shard.transactionCount()).as("seed %d", seed).isLessThanOrEqualTo(1);
        }
    }
}
