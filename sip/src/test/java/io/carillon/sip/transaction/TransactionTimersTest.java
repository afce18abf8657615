package io.carillon.sip.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Every timer of RFC 3261 table 4, RFC 6026 and RFC 4320 at its virtual instant, in milliseconds.
 */
class TransactionTimersTest {
    private static final TransactionTimers TIMERS = TransactionTimers.DEFAULT;

    private final Recorder run = new Recorder();

    private static List<String> at(String what, long... millis) {
        List<String> all = new ArrayList<>();
        for (long m : millis) {
            all.add(what + " @" + m);
        }
        return all;
    }

    private static List<String> join(List<String> a, List<String> b) {
        List<String> all = new ArrayList<>(a);
        all.addAll(b);
        return all;
    }

    private Recorder.InviteClient inviteClient(boolean reliable) {
        Recorder.InviteClient m = run.new InviteClient(TIMERS, reliable);
        m.start(m.invite, run.now);
        run.take();
        return m;
    }

    private Recorder.NonInviteClient nonInviteClient(boolean reliable) {
        Recorder.NonInviteClient m = run.new NonInviteClient(TIMERS, reliable);
        m.start(m.request, run.now);
        run.take();
        return m;
    }

    private Recorder.InviteServer inviteServer(boolean reliable) {
        Recorder.InviteServer m = run.new InviteServer(TIMERS, reliable);
        m.start(run.now);
        run.take();
        return m;
    }

    private Recorder.NonInviteServer nonInviteServer(boolean reliable) {
        Recorder.NonInviteServer m = run.new NonInviteServer(TIMERS, reliable);
        m.start(run.now);
        run.take();
        return m;
    }

    @Test
    @DisplayName(
            "17.1.1.2: Timer A: the request is retransmitted with intervals that double after each transmission; Timer B after 64*T1")
    void timersAandB() {
        Recorder.InviteClient m = inviteClient(false);
        run.runTo(40_000);
        assertThat(run.timed)
                .isEqualTo(
                        join(
                                at("send again INVITE", 500, 1500, 3500, 7500, 15500, 31500),
                                at("timeout to TU", 32000)));
        assertThat(m.state()).isEqualTo(InviteClientTransaction.State.TERMINATED);
        assertThat(run.wheel.size()).isZero();
    }

    @Test
    @DisplayName(
            "17.1.1.2: If a reliable transport is being used, the client transaction SHOULD NOT start timer A; timer B for any transport")
    void timerBAlone() {
        inviteClient(true);
        run.runTo(31_999);
        assertThat(run.timed).isEmpty();
        run.runTo(32_000);
        assertThat(run.timed).isEqualTo(at("timeout to TU", 32000));
    }

    @Test
    @DisplayName(
            "17.1.1.2: in \"Proceeding\" the client transaction SHOULD NOT retransmit the request any longer, and Timer B has no say")
    void proceedingIsQuiet() {
        Recorder.InviteClient m = inviteClient(false);
        run.runTo(700);
        m.receive(Samples.response(m.invite, 100), run.now);
        run.runTo(600_000);
        assertThat(run.timed).isEqualTo(List.of("send again INVITE @500", "up 100 @700"));
        assertThat(m.state()).isEqualTo(InviteClientTransaction.State.PROCEEDING);
    }

    @Test
    @DisplayName(
            "RFC 6026 8.4: Timer D, at least 32 seconds for unreliable transports: the ACK is sent again for each repeated final response")
    void timerD() {
        Recorder.InviteClient m = inviteClient(false);
        run.runTo(100);
        m.receive(Samples.response(m.invite, 486), run.now);
        run.runTo(600);
        m.receive(Samples.response(m.invite, 486), run.now);
        run.runTo(32_099);
        assertThat(m.state()).isEqualTo(InviteClientTransaction.State.COMPLETED);
        run.runTo(32_100);
        assertThat(m.state()).isEqualTo(InviteClientTransaction.State.TERMINATED);
        assertThat(run.timed)
                .containsExactly(
                        "send ACK @100", "up 486 @100", "count @600", "send again ACK @600");
    }

    @Test
    @DisplayName("RFC 6026 8.4: Timer D has a value of zero seconds for reliable transports")
    void timerDReliable() {
        Recorder.InviteClient m = inviteClient(true);
        m.receive(Samples.response(m.invite, 486), run.now);
        assertThat(m.state()).isEqualTo(InviteClientTransaction.State.TERMINATED);
    }

    @Test
    @DisplayName(
            "RFC 6026 8.4: Timer M 64*T1: any 2xx responses received while in the \"Accepted\" state MUST be passed up to the TU")
    void timerM() {
        Recorder.InviteClient m = inviteClient(true);
        run.runTo(2_000);
        m.receive(Samples.response(m.invite, 200), run.now);
        run.runTo(3_000);
        m.receive(Samples.response(m.invite, 200), run.now);
        run.runTo(33_999);
        assertThat(m.state()).isEqualTo(InviteClientTransaction.State.ACCEPTED);
        run.runTo(34_000);
        assertThat(m.state()).isEqualTo(InviteClientTransaction.State.TERMINATED);
        assertThat(run.timed).containsExactly("up 200 @2000", "up 200 @3000");
    }

    @Test
    @DisplayName(
            "9.1: no final response in 64*T1 after the CANCEL: the client SHOULD consider the original transaction cancelled")
    void cancelFallback() {
        Recorder.InviteClient m = inviteClient(false);
        m.receive(Samples.response(m.invite, 180), run.now);
        run.runTo(10_000);
        m.cancelSent(run.now);
        run.runTo(50_000);
        assertThat(run.timed).containsExactly("up 180 @0", "timeout to TU @42000");
    }

    @Test
    @DisplayName("17.1.2.2: Timer E doubles up to T2, Timer F after 64*T1")
    void timersEandF() {
        nonInviteClient(false);
        run.runTo(40_000);
        assertThat(run.timed)
                .isEqualTo(
                        join(
                                at(
                                        "send again OPTIONS",
                                        500,
                                        1500,
                                        3500,
                                        7500,
                                        11500,
                                        15500,
                                        19500,
                                        23500,
                                        27500,
                                        31500),
                                at("timeout to TU", 32000)));
    }

    @Test
    @DisplayName("17.1.2.2: Timer E in \"Proceeding\" MUST be reset with a value of T2 seconds")
    void timerEProceeding() {
        Recorder.NonInviteClient m = nonInviteClient(false);
        run.runTo(600);
        m.receive(Samples.response(m.request, 100), run.now);
        run.runTo(40_000);
        assertThat(run.timed)
                .containsExactly(
                        "send again OPTIONS @500",
                        "up 100 @600",
                        "send again OPTIONS @1500",
                        "send again OPTIONS @5500",
                        "send again OPTIONS @9500",
                        "send again OPTIONS @13500",
                        "send again OPTIONS @17500",
                        "send again OPTIONS @21500",
                        "send again OPTIONS @25500",
                        "send again OPTIONS @29500",
                        "timeout to TU @32000");
    }

    @Test
    @DisplayName("17.1.2.2: no Timer E over a reliable transport, Timer F all the same")
    void timerFReliable() {
        nonInviteClient(true);
        run.runTo(40_000);
        assertThat(run.timed).isEqualTo(at("timeout to TU", 32000));
    }

    @Test
    @DisplayName(
            "17.1.2.2: Timer K, T4 seconds for unreliable transports, and zero seconds for reliable transports")
    void timerK() {
        Recorder.NonInviteClient m = nonInviteClient(false);
        run.runTo(200);
        m.receive(Samples.response(m.request, 200), run.now);
        run.runTo(5_199);
        assertThat(m.state()).isEqualTo(NonInviteClientTransaction.State.COMPLETED);
        run.runTo(5_200);
        assertThat(m.state()).isEqualTo(NonInviteClientTransaction.State.TERMINATED);

        Recorder.NonInviteClient reliable = nonInviteClient(true);
        reliable.receive(Samples.response(reliable.request, 200), run.now);
        assertThat(reliable.state()).isEqualTo(NonInviteClientTransaction.State.TERMINATED);
    }

    @Test
    @DisplayName(
            "17.2.1: MUST generate a 100 (Trying) response unless the TU responds within 200 ms")
    void tryingAfter200Milliseconds() {
        inviteServer(false);
        run.runTo(199);
        assertThat(run.timed).isEmpty();
        run.runTo(10_000);
        assertThat(run.timed).containsExactly("send 100 @200");
    }

    @Test
    @DisplayName("17.2.1: no 100 when the TU responded within 200 ms")
    void noTryingAfterProvisional() {
        Recorder.InviteServer m = inviteServer(false);
        run.runTo(150);
        m.respond(Samples.response(m.invite, 180), run.now);
        run.runTo(10_000);
        assertThat(run.timed).containsExactly("send 180 @150");
    }

    @Test
    @DisplayName("17.2.1: a trying time of 0 sends the 100 at once")
    void tryingAtOnce() {
        Recorder.InviteServer m =
                run
                .new InviteServer(
                        TransactionTimers.of(500_000_000L, 4_000_000_000L, 5_000_000_000L, 0),
                        false);
        m.start(run.now);
        assertThat(run.timed).containsExactly("send 100 @0");
    }

    @Test
    @DisplayName(
            "17.2.1: Timer G doubles up to T2 over unreliable transports, Timer H ends after 64*T1 with a failure to the TU")
    void timersGandH() {
        Recorder.InviteServer m = inviteServer(false);
        m.respond(Samples.response(m.invite, 486), run.now);
        run.take();
        run.runTo(40_000);
        assertThat(run.timed)
                .isEqualTo(
                        join(
                                at(
                                        "send again 486",
                                        500,
                                        1500,
                                        3500,
                                        7500,
                                        11500,
                                        15500,
                                        19500,
                                        23500,
                                        27500,
                                        31500),
                                at("failure to TU", 32000)));
    }

    @Test
    @DisplayName("17.2.1: Timer G is not set to fire for reliable transports, Timer H is for all")
    void timerHReliable() {
        Recorder.InviteServer m = inviteServer(true);
        m.respond(Samples.response(m.invite, 486), run.now);
        run.take();
        run.runTo(40_000);
        assertThat(run.timed).isEqualTo(at("failure to TU", 32000));
    }

    @Test
    @DisplayName(
            "17.2.1: Timer I, T4 seconds for unreliable transports, and zero seconds for reliable transports; retransmissions cease")
    void timerI() {
        Recorder.InviteServer m = inviteServer(false);
        m.respond(Samples.response(m.invite, 486), run.now);
        run.runTo(600);
        run.take();
        run.receiveAck(m);
        run.runTo(5_599);
        assertThat(m.state()).isEqualTo(InviteServerTransaction.State.CONFIRMED);
        run.runTo(5_600);
        assertThat(m.state()).isEqualTo(InviteServerTransaction.State.TERMINATED);
        assertThat(run.timed).isEmpty();

        Recorder.InviteServer reliable = inviteServer(true);
        reliable.respond(Samples.response(reliable.invite, 486), run.now);
        run.receiveAck(reliable);
        assertThat(reliable.state()).isEqualTo(InviteServerTransaction.State.TERMINATED);
    }

    @Test
    @DisplayName(
            "RFC 6026 7.1: Timer L 64*T1; the server transaction MUST NOT generate 2xx retransmissions on its own; INVITE again is absorbed")
    void timerL() {
        for (boolean reliable : new boolean[] {false, true}) {
            long start = run.now / Recorder.MILLIS;
            Recorder.InviteServer m = inviteServer(reliable);
            m.respond(Samples.response(m.invite, 200), run.now);
            run.take();
            run.runTo(start + 500);
            m.retransmission(run.now);
            run.runTo(start + 31_999);
            assertThat(m.state()).isEqualTo(InviteServerTransaction.State.ACCEPTED);
            run.runTo(start + 32_000);
            assertThat(m.state()).isEqualTo(InviteServerTransaction.State.TERMINATED);
            assertThat(run.timed).isEqualTo(at("count", start + 500));
        }
    }

    @Test
    @DisplayName(
            "17.2.2: Timer J, 64*T1 seconds for unreliable transports, and zero seconds for reliable transports")
    void timerJ() {
        Recorder.NonInviteServer m = nonInviteServer(false);
        run.runTo(100);
        m.respond(Samples.response(m.request, 200), run.now);
        run.runTo(20_000);
        m.retransmission(run.now);
        run.runTo(32_099);
        assertThat(m.state()).isEqualTo(NonInviteServerTransaction.State.COMPLETED);
        run.runTo(32_100);
        assertThat(m.state()).isEqualTo(NonInviteServerTransaction.State.TERMINATED);
        assertThat(run.timed)
                .containsExactly("send 200 @100", "count @20000", "send again 200 @20000");

        Recorder.NonInviteServer reliable = nonInviteServer(true);
        reliable.respond(Samples.response(reliable.request, 200), run.now);
        assertThat(reliable.state()).isEqualTo(NonInviteServerTransaction.State.TERMINATED);
    }

    @Test
    @DisplayName(
            "RFC 4320 4.1: MUST respond with 100 after the time it takes Timer E to be reset to T2, without regard to transport")
    void tryingForNonInvite() {
        for (boolean reliable : new boolean[] {false, true}) {
            long start = run.now / Recorder.MILLIS;
            nonInviteServer(reliable);
            run.runTo(start + 3_499);
            assertThat(run.timed).isEmpty();
            run.runTo(start + 31_999);
            assertThat(run.timed).isEqualTo(at("send 100", start + 3_500));
            run.runTo(start + 40_000);
        }
    }

    @Test
    @DisplayName(
            "RFC 4320 4.2: an element that cannot respond before the transaction expires will not send a final response at all")
    void lateFinalResponse() {
        Recorder.NonInviteServer m = nonInviteServer(false);
        run.runTo(32_000);
        m.respond(Samples.response(m.request, 200), run.now);
        assertThat(run.timed)
                .containsExactly("send 100 @3500", "expired @32000", "drop 200 @32000");
    }

    @Test
    @DisplayName(
            "26.3.2.4: a single 401 or 407, forgoing the normal response retransmission algorithm; each INVITE brings another one")
    void aChallengeIsNotRepeated() {
        Recorder.InviteServer m = inviteServer(false);
        run.runTo(100);
        m.respond(Samples.response(m.invite, 401), run.now);
        run.runTo(500);
        m.retransmission(run.now);
        run.runTo(33_000);
        assertThat(run.timed)
                .containsExactly(
                        "send 401 @100",
                        "count @500",
                        "send again 401 @500",
                        "failure to TU @32100");
    }

    @Test
    @DisplayName("26.3.2.4: where a 100 has ended the caller's own repetitions it is repeated")
    void aChallengeBehindATryingIsRepeated() {
        Recorder.InviteServer m = inviteServer(false);
        run.runTo(1_000);
        m.respond(Samples.response(m.invite, 407), run.now);
        run.runTo(1_600);
        assertThat(run.timed)
                .containsExactly("send 100 @200", "send 407 @1000", "send again 407 @1500");
    }
}
