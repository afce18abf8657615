package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.ALICE;
import static io.carillon.sip.stack.StackHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The source of a datagram may be forged: who is refused there gets one response for each. */
class RefusedStrangersTest {
    private boolean proven;

    private final StackHarness h =
            new StackHarness(
                    StackConfig.builder()
                            .conduct(
                                    new PeerConduct() {
                                        @Override
                                        public boolean admits(
                                                SipRequest initial, Hop from, long nowNanos) {
                                            return true;
                                        }

                                        @Override
                                        public void failed(
                                                Failure how,
                                                Hop from,
                                                boolean proven,
                                                long nowNanos) {}

                                        @Override
                                        public void proven(Hop from, long nowNanos) {}

                                        @Override
                                        public boolean provenLately(Hop peer, long nowNanos) {
                                            return proven;
                                        }
                                    }));

    private void refuses(int status) {
        h.onRequest = (tx, request) -> tx.respond(h.response(tx, status));
    }

    private long sent(int status) {
        return h.sentNames().stream().filter((status + " INVITE")::equals).count();
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 403, 404, 480, 486, 500, 603})
    void oneDatagramBringsOne(int status) {
        refuses(status);
        h.receive(text("INVITE", "z9hG4bK-1", ""), ALICE);
        h.runTo(60_000);
        assertThat(sent(status)).isEqualTo(1);
        assertThat(h.shard.transactionCount()).isZero();
    }

    /** RFC 3261 17.1.1.2: as long as nothing has come its timer A sends the INVITE again. */
    @Test
    void eachRepeatOfTheInviteBringsAnother() {
        refuses(404);
        for (int i = 0; i < 4; i++) {
            h.receive(text("INVITE", "z9hG4bK-1", ""), ALICE);
            h.runTo(h.millis() + 500);
        }
        assertThat(sent(404)).isEqualTo(4);
        assertThat(h.transactions).as("it is refused once").hasSize(1);
    }

    /** A provisional response has ended the caller's own repetitions. */
    @Test
    void behindA100ItIsRepeatedUntilTheAck() {
        h.receive(text("INVITE", "z9hG4bK-1", ""), ALICE);
        h.runTo(300);
        h.transactions.getLast().respond(h.response(h.transactions.getLast(), 404));
        h.runTo(60_000);
        assertThat(sent(404)).isEqualTo(11);
    }

    @Test
    void whoIsKnownToBeThereGetsItUntilHisAck() {
        proven = true;
        refuses(404);
        h.receive(text("INVITE", "z9hG4bK-1", ""), ALICE);
        h.runTo(60_000);
        assertThat(sent(404)).isEqualTo(11);
    }
}
