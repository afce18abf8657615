package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.ALICE;
import static io.carillon.sip.stack.StackHarness.bytes;
import static io.carillon.sip.stack.StackHarness.invite;
import static io.carillon.sip.stack.StackHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.core.StackConfig;
import org.junit.jupiter.api.Test;

/**
 * Who writes a victim's address on a datagram must not get more sent there than he sent himself.
 * What is added to a request is a tag, received and rport, a reason phrase, Retry-After.
 */
class AmplificationTest {
    private static final int ADDED = 120;
    private static final String B = "z9hG4bK-one";

    private final StackHarness h = new StackHarness(StackConfig.builder().maxTransactions(1));

    private void assertOneAnswer(String request, int status) {
        h.sent.clear();
        h.receive(request, ALICE);
        h.runTo(h.millis() + 40_000);
        assertThat(h.sent).hasSize(1);
        assertThat(h.last().response().status()).isEqualTo(status);
        assertThat(h.last().message().length()).isLessThan(bytes(request).length + ADDED);
    }

    @Test
    void malformedRequestsGetOneAnswerOfTheirSize() {
        assertOneAnswer(invite(B).replace("CSeq: 1 INVITE", "CSeq: x INVITE"), 400);
        assertOneAnswer(invite(B).replace("To: <sip:bob@example.com>\n", ""), 400);
    }

    @Test
    void refusedRequestsGetOneAnswerOfTheirSize() {
        h.shard.refuseNew(503, 5);
        assertOneAnswer(text("OPTIONS", B, ""), 503);
        h.shard.refuseNew(0, 0);
        assertOneAnswer(text("CANCEL", B, ""), 481);
    }

    @Test
    void aFullTableAnswersOnceAndKeepsNothing() {
        h.receive(text("OPTIONS", B, ""), ALICE);
        assertThat(h.shard.transactionCount()).isEqualTo(1);
        h.receive(text("OPTIONS", "z9hG4bK-two", "").replace("call-1", "call-2"), ALICE);
        assertThat(h.last().response().status()).isEqualTo(503);
        assertThat(h.shard.transactionCount()).isEqualTo(1);
    }

    @Test
    void an100AddsNothing() {
        h.receive(invite(B), ALICE);
        h.runTo(250);
        assertThat(h.last().name()).isEqualTo("100 INVITE");
        assertThat(h.last().message().length()).isLessThan(bytes(invite(B)).length);
    }
}
