package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.ALICE;
import static io.carillon.sip.stack.StackHarness.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.header.HeaderName;
import io.carillon.sip.message.MessageDraft;
import io.carillon.sip.message.SipResponse;
import io.carillon.sip.server.Role;
import io.carillon.sip.server.ServerTransaction;
import io.carillon.sip.shard.RequestAttempt;
import io.carillon.sip.uri.SipUri;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * What a transaction weighs between its final response and its end, the bytes of the message it
 * keeps included. Measured by the heap after a collection over many of them; the numbers are in
 * docs/decisions/0002-transactions-and-shards.md.
 */
class LingeringSizeTest {
    private static final int COUNT = 20_000;
    private static final StringBuilder REPORT = new StringBuilder();

    private final StackHarness h = new StackHarness();

    @AfterAll
    static void report() {
        System.out.println("Bytes per lingering transaction: " + REPORT);
    }

    private static long used() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            Runtime r = Runtime.getRuntime();
            least = Math.min(least, r.totalMemory() - r.freeMemory());
        }
        return least;
    }

    private void forget() {
        h.sent.clear();
        h.told.clear();
        h.transactions.clear();
        h.acks.clear();
    }

    private long measure(String what, IntConsumer one) {
        one.accept(COUNT);
        forget();
        long before = used();
        for (int i = 0; i < COUNT; i++) {
            one.accept(i);
            forget();
        }
        long each = (used() - before) / COUNT;
        assertThat(h.shard.lingeringCount()).isEqualTo(COUNT + 1);
        REPORT.append(what).append(' ').append(each).append("; ");
        h.runTo(100_000);
        assertThat(h.shard.transactionCount()).isZero();
        return each;
    }

    private static String request(String method, int i, String to) {
        return StackHarness.text(method, "z9hG4bK-" + i + "-4711-0", to)
                .replace("call-1", i + "-4711@192.0.2.1");
    }

    @Test
    void byeAnswered() {
        long each =
                measure(
                        "BYE server",
                        i -> {
                            h.receive(
                                    request("BYE", i, "To: <sip:bob@example.com>;tag=x\n"), ALICE);
                            ServerTransaction tx = h.transactions.getLast();
                            tx.respond(h.response(tx, 200));
                        });
        assertThat(each).isLessThan(480);
    }

    @Test
    void inviteAccepted() {
        long each =
                measure(
                        "INVITE server after ACK",
                        i -> {
                            h.receive(
                                    request("INVITE", i, "Contact: <sip:alice@192.0.2.1>\n"),
                                    ALICE);
                            ServerTransaction tx = h.transactions.getLast();
                            tx.setRole(Role.UAS);
                            SipResponse ok = h.response(tx, 200);
                            tx.respondAsUas(ok);
                            String to = "To: " + ok.header(HeaderName.TO) + "\n";
                            h.receive(request("ACK", i, to).replace("-4711-0", "-4711-9"), ALICE);
                        });
        assertThat(each).isLessThan(280);
    }

    @Test
    void inviteClientAcknowledged() {
        long each =
                measure(
                        "INVITE client after 2xx",
                        i -> {
                            RequestAttempt attempt =
                                    h.shard.send(h.outgoing("INVITE", "192.0.2.2"));
                            SipResponse ok = StackHarness.answer(h.last().request(), 200, "bob");
                            h.receive(ok, BOB);
                            MessageDraft ack =
                                    MessageDraft.request("ACK", SipUri.of("bob", "192.0.2.2", -1));
                            ack.set(HeaderName.MAX_FORWARDS, "70");
                            ack.set(HeaderName.FROM, String.valueOf(ok.header(HeaderName.FROM)));
                            ack.set(HeaderName.TO, String.valueOf(ok.header(HeaderName.TO)));
                            ack.set(HeaderName.CALL_ID, ok.callId());
                            ack.set(HeaderName.CSEQ, "1 ACK");
                            attempt.acknowledge(ack);
                        });
        assertThat(each).isLessThan(990);
    }

    @Test
    void inviteClientProxied() {
        long each =
                measure(
                        "INVITE client of a proxy after 2xx",
                        i -> {
                            h.shard.send(h.outgoing("INVITE", "192.0.2.2").proxied(true));
                            h.receive(StackHarness.answer(h.last().request(), 200, "bob"), BOB);
                        });
        assertThat(each).isLessThan(630);
    }

    @Test
    void inviteClientRefused() {
        long each =
                measure(
                        "INVITE client after 486",
                        i -> {
                            h.shard.send(h.outgoing("INVITE", "192.0.2.2"));
                            h.receive(StackHarness.answer(h.last().request(), 486, "bob"), BOB);
                        });
        assertThat(each).isLessThan(540);
    }

    @Test
    void byeClientAnswered() {
        long each =
                measure(
                        "BYE client",
                        i -> {
                            h.shard.send(h.outgoing("BYE", "192.0.2.2"));
                            h.receive(StackHarness.answer(h.last().request(), 200, "bob"), BOB);
                        });
        assertThat(each).isLessThan(220);
    }
}
