package io.carillon.sip.stack;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.core.StackConfig;
import io.carillon.sip.guard.Sources;
import io.carillon.sip.header.HeaderName;
import io.carillon.sip.hop.FailoverConfig;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.Role;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.OutgoingRequest;
import io.carillon.sip.shard.RequestAttempt;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens to requests, what was counted for a source is taken away again: a share that
 * drifts refuses everybody in the end.
 */
class SharesBalanceTest {
    private final Sources sources = new Sources(source -> false, 0x1234_5678_9ABC_DEF0L);
    private StackHarness h;
    private Random random;
    private final List<RequestAttempt> attempts = new ArrayList<>();
    private final List<SipRequest> went = new ArrayList<>();
    private final List<Hop> wentTo = new ArrayList<>();
    private final List<SipResponse> successes = new ArrayList<>();
    private int number;
    private int seen;
    private long rseq;

    private byte[] body() {
        int[] sizes = {0, 0, 900, 3_000, 12_000, 20_000};
        return new byte[sizes[random.nextInt(sizes.length)]];
    }

    private SipResponse big(SipResponse r) {
        byte[] b = body();
        return b.length == 0 ? r : MessageDraft.copyOf(r).body(b, "text/plain").freezeResponse();
    }

    private Hop from() {
        int n = 1 + random.nextInt(3);
        return random.nextBoolean()
                ? StackHarness.udp("192.0.2." + n, 5060)
                : StackHarness.tcp("192.0.2." + n, 5060, n);
    }

    private void act(ServerTransaction tx) {
        switch (random.nextInt(11)) {
            case 0, 1 -> {
                if (tx.invite()) {
                    tx.respondReliably(big(h.response(tx, 183)), ++rseq);
                } else {
                    tx.respond(h.response(tx, 100));
                }
            }
            case 2 -> tx.pracked(Math.max(1, rseq - random.nextInt(3)));
            case 3 -> {
                if (tx.invite()) {
                    tx.setRole(Role.UAS);
                    SipResponse ok = big(h.response(tx, 200));
                    tx.respondAsUas(ok);
                    successes.add(ok);
                    if (random.nextBoolean()) {
                        SipResponse other =
                                big(
                                        MessageDraft.responseTo(
                                                        tx.request(), 200, null, "o" + ++number)
                                                .freezeResponse());
                        tx.respondAsUas(other);
                        successes.add(other);
                    }
                    if (random.nextBoolean()) {
                        tx.pack();
                    }
                } else {
                    tx.respond(big(h.response(tx, 200)));
                }
            }
            case 4 -> tx.respond(big(h.response(tx, 486)));
            case 5 -> tx.respond(big(h.response(tx, tx.invite() ? 180 : 100)));
            case 6, 7 -> {
                OutgoingRequest out =
                        h.outgoing(
                                random.nextBoolean() ? "INVITE" : "MESSAGE",
                                random.nextBoolean() ? "servers" : "192.0.2.77");
                out.countedAt(tx.countedAt()).proxied(random.nextBoolean()).lookups(tx);
                byte[] b = body();
                if (b.length > 0) {
                    out.draft().body(b, "text/plain");
                }
                attempts.add(h.shard.send(out));
            }
            case 8 ->
                    tx.keepsEnded(
                            attempts.isEmpty()
                                    ? null
                                    : attempts.get(random.nextInt(attempts.size())));
            case 9 -> tx.setRole(random.nextBoolean() ? Role.PROXY : Role.UAS);
            default -> {
                if (random.nextBoolean()) tx.respond(h.response(tx, 500));
            }
        }
    }

    private void peers() {
        for (; seen < h.sent.size(); seen++) {
            StackHarness.Sent s = h.sent.get(seen);
            if (s.message() instanceof SipRequest r && !r.is("ACK")) {
                went.add(r);
                wentTo.add(s.to());
            }
            if (random.nextInt(12) == 0 && s.onFailure() != null) {
                s.onFailure().sendFailed(s.to(), "refused");
                h.drain();
            }
        }
        if (!went.isEmpty() && random.nextInt(2) == 0) {
            int i = Math.max(0, went.size() - 1 - random.nextInt(Math.min(went.size(), 12)));
            int[] stats = {100, 180, 183, 200, 200, 302, 486, 503};
            SipResponse a =
                    StackHarness.answer(
                            went.get(i),
                            stats[random.nextInt(stats.length)],
                            "t" + random.nextInt(3));
            h.receive(big(a), wentTo.get(i));
        }
    }

    @ParameterizedTest
    @ValueSource(
            longs = {
                1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
                24, 25, 26, 27, 28, 29, 30
            })
    void balance(long seed) {
        random = new Random(seed);
        StackConfig.Builder c =
                StackConfig.builder()
                        .maxTransactions(2000)
                        .requestHeapBytes(seed % 2 == 0 ? 400_000 : 100_000_000)
                        .shares(sources, 25);
        if (seed % 3 == 0) {
            c.failover(FailoverConfig.DEFAULT.withTryNextNanos(2_000 * StackHarness.MILLIS));
        }
        h = new StackHarness(c);
        h.tcp = seed % 5 != 0;
        h.targets.put(
                "servers",
                List.of(
                        StackHarness.BOB,
                        StackHarness.udp("192.0.2.3", 5060),
                        StackHarness.tcp("192.0.2.4", 5060, 0)));
        h.onRequest = (tx, request) -> act(tx);
        for (int round = 0; round < 1500; round++) {
            h.holdResolutions = random.nextInt(5) == 0;
            int n = ++number;
            if (random.nextInt(2) == 0) {
                byte[] b = body();
                String method =
                        new String[] {"INVITE", "INVITE", "OPTIONS", "MESSAGE"}[random.nextInt(4)];
                String text =
                        StackHarness.text(method, "z9hG4bK-" + n, "Contact: <sip:a@192.0.2.1>\n")
                                        .replace("call-1", "call-" + n)
                                        .replace("Content-Length: 0", "Content-Length: " + b.length)
                                + "x".repeat(b.length);
                Hop f = from();
                h.receive(text, f);
                if (random.nextInt(4) == 0) {
                    h.receive(text, f);
                }
                if (random.nextInt(8) == 0 && method.equals("INVITE")) {
                    h.receive(
                            StackHarness.text("CANCEL", "z9hG4bK-" + n, "")
                                    .replace("call-1", "call-" + n),
                            f);
                }
            }
            for (int k = 0; k < 2 && !h.transactions.isEmpty(); k++) {
                int at =
                        Math.max(
                                0,
                                h.transactions.size()
                                        - 1
                                        - random.nextInt(Math.min(20, h.transactions.size())));
                act(h.transactions.get(at));
                h.drain();
            }
            peers();
            peers();
            if (!h.openResolutions.isEmpty() && random.nextBoolean()) {
                h.openResolutions.removeFirst().accept(h.targets.get("servers"));
                h.drain();
            }
            if (!successes.isEmpty() && random.nextInt(3) == 0) {
                SipResponse ok = successes.remove(random.nextInt(successes.size()));
                h.roomForAcks = random.nextInt(3) != 0;
                h.receive(
                        StackHarness.ackFor(ok, "z9hG4bK-a" + n).replace("call-1", ok.callId()),
                        from());
                h.roomForAcks = true;
            }
            for (RequestAttempt a : attempts) {
                if (a.isAccepted() && random.nextInt(30) == 0) {
                    MessageDraft ack = h.outgoing("ACK", "192.0.2.2").draft();
                    byte[] b = body();
                    SipRequest req = a.request();
                    if (req != null) {
                        ack.set(HeaderName.TO, "<sip:bob@example.com>;tag=t" + random.nextInt(3));
                        if (b.length > 0) {
                            ack.body(b, "text/plain");
                        }
                        a.acknowledge(ack);
                        h.drain();
                    }
                }
            }
            if (random.nextInt(15) == 0 && !attempts.isEmpty()) {
                attempts.get(random.nextInt(attempts.size())).cancel(null);
                h.drain();
            }
            if (random.nextInt(10) == 0) {
                h.runTo(h.millis() + random.nextInt(4_000));
            }
        }
        h.onRequest = (tx, r) -> {};
        while (!h.openResolutions.isEmpty()) {
            h.openResolutions.removeFirst().accept(List.of());
            h.drain();
        }
        for (ServerTransaction tx : new ArrayList<>(h.transactions)) {
            tx.respond(h.response(tx, 500));
            h.drain();
        }
        for (int i = 0; i < 4; i++) {
            attempts.forEach(a -> a.cancel(null));
            h.drain();
            h.runTo(h.millis() + 300_000);
        }
        for (ServerTransaction tx : new ArrayList<>(h.transactions)) {
            tx.respond(h.response(tx, 500));
            h.drain();
        }
        h.runTo(h.millis() + 300_000);
        assertThat(h.errors).isEmpty();
        assertThat(h.shard.transactionCount()).as("transactions").isZero();
        assertThat(h.shard.counters().heldBytes()).as("bytes").isZero();
        assertThat(h.shard.counters().heldLarge()).as("large").isZero();
        for (int n = 1; n <= 3; n++) {
            int place = h.shard.core().shares().place(StackHarness.udp("192.0.2." + n, 1));
            assertThat(h.shard.core().shares().heldAt(place)).isZero();
            assertThat(h.shard.core().shares().transactionsAt(place)).isZero();
        }
    }
}
