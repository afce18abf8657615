package io.carillon.servlet.feature.protect;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Bridge;
import io.carillon.servlet.harness.Manual;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.message.SipResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Responses by which a peer comes to rely on a call wait until its record is safe. */
class WaitingResponsesTest {
    private final Protected node = new Protected();
    private final Manual phone = new Manual();

    private void ringing() {
        node.invite("c1");
        node.alice.response(180);
    }

    @Test
    void theFirst18xLeavesWhenTheStoreHasItsCall() {
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        node.store.answersAfter = Duration.ofMillis(20);
        node.invite("c1");
        node.millis(20);
        assertThat(phone.events).containsExactly("INVITE");
        assertThat(node.store.states()).isEqualTo(1);
        assertThat(node.alice.responses(180)).isZero();
        assertThat(node.status().waiting()).isEqualTo(1);
        node.millis(4);
        assertThat(node.alice.responses(180)).isEqualTo(1);
        assertThat(node.status().waiting()).isZero();
        assertThat(node.status().leftProtected()).isEqualTo(1);
        assertThat(node.status().waitedWithin()).containsEntry(15, 0L).containsEntry(25, 1L);
        assertThat(node.status().calls()).isEqualTo(1);
        assertThat(node.status().alarm()).isFalse();
    }

    /**
     * Each batch costs the same, whatever is in it: the record of one call goes at once, and those
     * of calls that come within the next 2 ms go together.
     */
    @Test
    void recordsThatMessagesWaitForAreTwoMillisecondsApart() {
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        for (int i = 0; i < 200; i++) {
            node.invite("c" + i);
            node.server.run(Duration.ofNanos(100_000));
        }
        node.millis(10);
        assertThat(node.alice.responses(180)).isEqualTo(200);
        List<Long> at = node.store.batchNanos;
        assertThat(at).hasSizeBetween(7, 12);
        for (int i = 1; i < at.size(); i++) {
            assertThat(at.get(i) - at.get(i - 1)).isGreaterThanOrEqualTo(2_000_000);
        }
        node.millis(100);
        node.store.batchNanos.clear();
        long began = node.server.network.time().nanoTime();
        node.invite("alone");
        node.millis(100);
        assertThat(at.getFirst() - began).as("at once, after its way").isLessThan(2_000_000);
    }

    @Test
    void the2xxLeavesWhenTheStoreHasItsCall() {
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        ringing();
        node.millis(100);
        node.store.answersAfter = Duration.ofMillis(30);
        phone.answer(200);
        node.millis(29);
        assertThat(node.alice.responses(200)).isZero();
        node.millis(4);
        assertThat(node.alice.responses(200)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aCallGoesAsAlwaysBehindAStore(ExecutionMode mode) {
        node.deploy(phone, mode);
        ringing();
        node.millis(5);
        phone.answer(200);
        SipResponse ok = node.alice.response(200);
        node.request("ACK", String.valueOf(ok.toTag()), "c1", 1);
        node.millis(100);
        assertThat(phone.events).containsExactly("INVITE", "ACK");
        node.request("BYE", String.valueOf(ok.toTag()), "c1", 2);
        node.alice.response(200);
        node.millis(70_000);
        node.server.assertEmpty();
        assertThat(node.server.node.leftovers()).isEmpty();
        assertThat(node.store.records()).isZero();
        assertThat(node.store.twoAtOnce).isFalse();
        assertThat(node.status().calls()).isZero();
        assertThat(node.status().unprotectedCalls()).isZero();
        assertThat(node.status().bytesInFlight()).isZero();
        assertThat(node.status().leftProtected()).isEqualTo(2);
    }

    /** The usual call: 18x, 2xx, and its ACK. */
    @Test
    void aUsualCallIsWrittenThreeTimesAndRemoved() {
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        ringing();
        node.millis(3_000);
        phone.answer(200);
        SipResponse ok = node.alice.response(200);
        node.request("ACK", String.valueOf(ok.toTag()), "c1", 1);
        node.millis(60_000);
        assertThat(node.store.states()).isLessThanOrEqualTo(3);
        node.request("BYE", String.valueOf(ok.toTag()), "c1", 2);
        node.alice.response(200);
        node.millis(1_000);
        assertThat(node.store.states()).isLessThanOrEqualTo(3);
        assertThat(node.store.removals()).isEqualTo(1);
        assertThat(node.store.records()).isZero();
    }

    @Test
    void aBackToBackCallIsWrittenThreeTimesAndRemoved() {
        node.deploy(new Bridge("sip:b@10.0.0.3:5060"), ExecutionMode.NON_BLOCKING);
        node.invite("c1");
        SipRequest invite = node.bob.request("INVITE");
        node.millis(100);
        assertThat(node.store.states()).as("before anybody relies on it").isZero();
        node.bob.respond(invite, 180, "b");
        node.alice.response(180);
        node.millis(3_000);
        node.bob.respond(invite, 200, "b");
        SipResponse ok = node.alice.response(200);
        node.request("ACK", String.valueOf(ok.toTag()), "c1", 1);
        node.bob.request("ACK");
        node.millis(60_000);
        assertThat(node.store.states()).isLessThanOrEqualTo(3);
        node.request("BYE", String.valueOf(ok.toTag()), "c1", 2);
        node.bob.respond(node.bob.request("BYE"), 200, "");
        node.alice.response(200);
        node.millis(1_000);
        assertThat(node.store.states()).isLessThanOrEqualTo(3);
        assertThat(node.store.removals()).isEqualTo(1);
        assertThat(node.store.records()).isZero();
        node.server.assertClean();
    }

    /** The last of the 50 ms, and nothing longer. */
    @Test
    void itLeavesAfter50MsAllTheSame() {
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        node.store.answersAfter = null;
        node.invite("c1");
        node.millis(50);
        assertThat(node.alice.responses(180)).isZero();
        assertThat(node.status().alarm()).isFalse();
        node.millis(3);
        assertThat(node.alice.responses(180)).isEqualTo(1);
        assertThat(node.status().leftUnprotected(Unprotected.SLOW)).isEqualTo(1);
        assertThat(node.status().unprotected(Unprotected.SLOW)).isEqualTo(1);
        assertThat(node.status().alarm()).isTrue();
        assertThat(node.status().calls()).isZero();
    }

    @Test
    void theAlarmIsLoweredWhenTheStoreHasAnswered() {
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        node.store.answersAfter = Duration.ofMillis(500);
        node.invite("c1");
        node.millis(200);
        assertThat(node.status().alarm()).isTrue();
        assertThat(node.status().lagMillis()).isBetween(190L, 200L);
        node.millis(400);
        assertThat(node.status().alarm()).isFalse();
        assertThat(node.status().calls()).isEqualTo(1);
        assertThat(node.status().lagMillis()).isZero();
    }

    @Test
    void itLeavesAtOnceWhenTheStoreHasFailed() {
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        node.store.failure = "no member has it";
        node.store.answersAfter = Duration.ofMillis(5);
        node.invite("c1");
        node.millis(9);
        assertThat(node.alice.responses(180)).isEqualTo(1);
        assertThat(node.status().leftUnprotected(Unprotected.FAILING)).isEqualTo(1);
        assertThat(node.status().unprotected(Unprotected.FAILING)).isEqualTo(1);
        assertThat(node.status().alarm()).isTrue();
        // It is tried again, and the alarm goes.
        node.store.failure = null;
        node.millis(200);
        assertThat(node.status().alarm()).isFalse();
        assertThat(node.status().calls()).isEqualTo(1);
        assertThat(node.store.records()).isEqualTo(1);
    }

    @Test
    void oneHolderIsNoProtection() {
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        node.store.holders = 1;
        node.invite("c1");
        node.millis(9);
        assertThat(node.alice.responses(180)).isEqualTo(1);
        assertThat(node.status().leftUnprotected(Unprotected.ONE_HOLDER)).isEqualTo(1);
        assertThat(node.status().unprotected(Unprotected.ONE_HOLDER)).isEqualTo(1);
        assertThat(node.status().alarm()).isTrue();
        node.store.holders = 2;
        assertThat(node.status().alarm()).as("the store has copied it by itself").isFalse();
    }
}
