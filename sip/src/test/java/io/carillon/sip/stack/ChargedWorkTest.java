package io.carillon.sip.stack;

import static io.carillon.sip.stack.StackHarness.ALICE;
import static io.carillon.sip.stack.StackHarness.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.sip.admission.PeerConduct;
import io.carillon.sip.core.StackConfig;
import io.carillon.sip.hop.Hop;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.overload.OverloadConfig;
import io.carillon.sip.overload.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is charged to a source while new work is shed: what begins something, once. */
class ChargedWorkTest {
    private static final String WITHIN = "To: <sip:bob@example.com>;tag=x\n";

    private final List<Hop> charged = new ArrayList<>();

    private final StackHarness h =
            new StackHarness(
                    StackConfig.builder()
                            .overload(OverloadConfig.DEFAULT)
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
                                        public void newWork(Hop from, long nowNanos) {
                                            charged.add(from);
                                        }
                                    }));

    private int number;

    private String next(String method, String headers) {
        number++;
        return text(method, "z9hG4bK-" + number, headers).replace("call-1", "call-" + number);
    }

    private void sheds() {
        for (int i = 0; i < 20; i++) {
            h.shard.overload().delay().waited(Waiting.HANDLER, TimeUnit.SECONDS.toNanos(1));
            h.runTo(h.millis() + 10);
        }
        h.receive(next("OPTIONS", ""), ALICE);
        assertThat(h.shard.overload().limits()).isTrue();
        charged.clear();
    }

    @Test
    void nothingIsChargedWhileNothingIsShed() {
        for (int i = 0; i < 10; i++) {
            h.receive(next("INVITE", ""), ALICE);
        }
        assertThat(charged).isEmpty();
    }

    @Test
    void whatIsNewIsChargedOnceAndItsRepeatsAreNot() {
        String accepted = next("INVITE", "");
        h.receive(accepted, ALICE);
        sheds();
        h.receive(accepted, ALICE);
        assertThat(charged).as("a repeat of what was let in").isEmpty();
        for (int i = 0; i < 50; i++) {
            String call = next("INVITE", "");
            for (int repeat = 0; repeat < 3; repeat++) {
                h.receive(call, ALICE);
            }
        }
        assertThat(charged).hasSize(50);
    }

    @Test
    void whatIsUnderWayIsNotCharged() {
        sheds();
        for (String method : List.of("BYE", "INFO", "ACK", "PRACK")) {
            h.receive(next(method, WITHIN), ALICE);
        }
        assertThat(charged).isEmpty();
    }
}
