package io.carillon.servlet.feature.protect;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.TakeOver;
import io.carillon.servlet.port.CallStore.State;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written, how often, and what becomes of it when the store does not keep up. */
class RecordsTest {
    /** Answers what begins no dialog. */
    private static final class Replies extends SipServlet {
        @Override
        protected void doRequest(SipServletRequest request) throws IOException {
            request.createResponse(200).send();
        }
    }

    private final Manual phone = new Manual();

    private static ApplicationSession call(Protected node) {
        return node.server.container.sessions().all().iterator().next();
    }

    private static CallStanding standing(Protected node) {
        return Objects.requireNonNull(node.protection.standing(call(node)));
    }

    private void calls(Protected node, int count) {
        for (int i = 0; i < count; i++) {
            node.invite("c" + i);
        }
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void aRequestWithoutADialogIsNeverWritten(ExecutionMode mode) {
        Protected node = new Protected().deploy(new Replies(), mode);
        node.alice.request("MESSAGE sip:uas@10.0.0.1", Protected.FROM, "<sip:uas@y>", "m", 1);
        node.alice.response(200);
        node.millis(600_000);
        assertThat(node.store.written).isEmpty();
        node.server.assertEmpty();
    }

    @Test
    void aChangeIsWrittenWithin10Ms() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 1);
        node.millis(1_000);
        call(node).setAttribute("room", 7);
        node.millis(9);
        assertThat(node.store.states()).isEqualTo(1);
        node.millis(5); // its way to the event loop counts
        assertThat(node.store.states()).isEqualTo(2);
    }

    /** Whatever is set as it was is no change. */
    @Test
    void whatIsAsBeforeIsNotWritten() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 1);
        node.millis(1_000);
        call(node).setAttribute("room", 7);
        node.millis(1_000);
        long before = node.store.states();
        call(node).setAttribute("room", 7);
        node.millis(100);
        assertThat(node.store.states()).isEqualTo(before);
        assertThat(node.status().unchanged()).isEqualTo(1);
        call(node).setAttribute("room", 8);
        node.millis(100);
        assertThat(node.store.states()).isEqualTo(before + 1);
    }

    /** Parts of a grid have met: what is not written again yet is not handed over. */
    @Test
    void whatMayBeLostIsNotWrittenUntilItIsWrittenAgain() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 1);
        node.millis(1_000);
        ApplicationSession session = call(node);
        assertThat(node.protection.isWritten(session)).isTrue();
        long before = node.store.states();
        node.protection.mayBeLost(session);
        assertThat(node.protection.isWritten(session)).isFalse();
        node.protection.writeAgain(session);
        node.millis(1_000);
        assertThat(node.protection.isWritten(session)).isTrue();
        assertThat(node.store.states()).isEqualTo(before + 1);
    }

    /**
     * A state is on its way to the store, and the next one would be the same: once the store has
     * the first, it has the call as it is. Else its partition would not be handed over as long as
     * the call does not change.
     */
    @Test
    void whatIsTheSameAsAStateOnItsWayIsSafeWithIt() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 1);
        node.millis(1_000);
        ApplicationSession session = call(node);
        ProtectedCall call = (ProtectedCall) Objects.requireNonNull(session.companion());
        State[] made = new State[2];
        session.inTurn(() -> {
            session.setAttribute("room", 7);
            made[0] = call.make(call.records.ground);
            made[1] = call.make(call.records.ground);
        });
        assertThat(made[0]).isNotNull();
        assertThat(made[1]).as("the same").isNull();
        assertThat(call.record.settled(() -> 2)).isFalse();
        call.record.written(made[0].sequence(), true, 1);
        assertThat(call.record.settled(() -> 2)).isTrue();
        assertThat(call.record.lastProtected()).isEqualTo(call.record.last());
    }

    /**
     * The store is slow, and a call waits for the answer to another one of its partition. Its
     * change turns out to be none: the store has it as it is, so nothing says any more that it has
     * not. Else nothing of this node is handed over as long as that call lasts.
     */
    @Test
    void aCallThatWaitedForASlowStoreWithNothingToWriteIsProtectedAgain() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 2_000);
        node.millis(1_000);
        List<ApplicationSession> all = List.copyOf(node.server.container.sessions().all());
        all.forEach(call -> call.setAttribute("room", 7));
        node.millis(1_000);
        node.store.answersAfter = Duration.ofMillis(500);
        Set<Integer> partitions = new HashSet<>();
        List<ApplicationSession> others = new ArrayList<>();
        for (ApplicationSession call : all) {
            if (partitions.add(Protected.partition(call))) {
                call.setAttribute("room", 8);
            } else {
                others.add(call);
            }
        }
        node.millis(30);
        others.forEach(call -> call.setAttribute("room", 7));
        node.millis(200);
        assertThat(node.status().unprotectedCalls())
                .as("while it is late")
                .isGreaterThan(partitions.size());
        assertThat(node.status().alarm()).isTrue();
        node.millis(3_000);
        assertThat(node.status().unprotectedCalls()).isZero();
        assertThat(node.status().alarm()).isFalse();
        assertThat(node.status().calls()).isEqualTo(2_000);
    }

    /** States of a call rise, and one batch of a partition is under way at once. */
    @Test
    void theNumbersOfACallsStatesRise() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        node.store.answersAfter = Duration.ofMillis(45);
        calls(node, 1);
        for (int i = 0; i < 40; i++) {
            node.millis(11);
            call(node).setAttribute("step", i);
        }
        node.millis(1_000);
        assertThat(node.store.twoAtOnce).isFalse();
        assertThat(node.store.states()).as("the next one coalesces").isBetween(8L, 14L);
        for (int i = 1; i < node.store.written.size(); i++) {
            State before = node.store.written.get(i - 1);
            assertThat(node.store.written.get(i).follows(before)).isTrue();
        }
        assertThat(standing(node).why()).isNull();
        assertThat(standing(node).ageMillis()).isBetween(500L, 1_000L);
    }

    @Test
    void manyCallsGoInOneBatch() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 50);
        node.millis(1_000);
        assertThat(node.store.states()).isEqualTo(50);
        int before = node.store.batches.size();
        for (ApplicationSession each : node.server.container.sessions().all()) {
            each.setAttribute("room", 7);
        }
        node.millis(1_000);
        assertThat(node.store.states()).isEqualTo(100);
        assertThat(node.store.batches.size() - before).isEqualTo(1);
    }

    /** A record is removed although the store fails for a while. */
    @Test
    void aRemovalIsTriedAgain() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 1);
        node.millis(1_000);
        assertThat(node.store.records()).isEqualTo(1);
        node.store.failure = "split";
        call(node).invalidate();
        node.millis(1_000);
        assertThat(node.store.records()).isEqualTo(1);
        node.store.failure = null;
        node.millis(300);
        assertThat(node.store.records()).isZero();
        assertThat(node.status().calls()).isZero();
        assertThat(node.status().unprotectedCalls()).isZero();
        int last = node.store.written.size();
        node.millis(10_000);
        assertThat(node.store.written).as("and then no more").hasSize(last);
    }

    @Test
    void removalsThatWaitAreBounded() {
        ProtectionSettings few =
                new ProtectionSettings(
                        Duration.ofMillis(10),
                        Duration.ZERO,
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        8 << 20,
                        64,
                        1_000,
                        10);
        Protected node = new Protected(few, new CallRecordWriter(1));
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 30);
        node.millis(1_000);
        node.store.failure = "split";
        node.server.container.sessions().all().forEach(ApplicationSession::invalidate);
        node.millis(1_000);
        assertThat(node.status().removalsLost()).isEqualTo(20);
        node.store.failure = null;
        node.millis(1_000);
        assertThat(node.store.records()).isEqualTo(20);
        assertThat(node.status().calls()).isZero();
        assertThat(node.status().unprotectedCalls()).isZero();
    }

    /** Bytes that the store was given are bounded; what is due is written once it answers. */
    @Test
    void whatTheStoreHasNotAnsweredForIsBounded() {
        int most = 20_000;
        ProtectionSettings small =
                new ProtectionSettings(
                        Duration.ofMillis(10),
                        Duration.ZERO,
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        most,
                        64,
                        1_000,
                        1_000);
        Protected node = new Protected(small, new CallRecordWriter(1));
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        node.store.answersAfter = Duration.ofMillis(500);
        calls(node, 300);
        node.millis(100);
        assertThat(node.alice.responses(180)).as("calls go on").isEqualTo(300);
        assertThat(node.status().bytesInFlight()).isGreaterThan(most - 3_000);
        assertThat(node.status().alarm()).isTrue();
        for (int i = 0; i < 10; i++) {
            node.server.container.sessions().all().forEach(each -> each.setAttribute("n", 1));
            node.millis(100);
        }
        node.millis(60_000);
        assertThat(node.store.mostBytesUnderWay).isLessThan(most + 3_000);
        assertThat(node.store.records()).isEqualTo(300);
        assertThat(node.status().alarm()).isFalse();
        assertThat(node.status().calls()).isEqualTo(300);
        assertThat(node.status().bytesInFlight()).isZero();
        assertThat(node.store.twoAtOnce).isFalse();
        node.server.assertClean();
    }

    @Test
    void messagesThatWaitAreBounded() {
        ProtectionSettings few =
                new ProtectionSettings(
                        Duration.ofMillis(10),
                        Duration.ZERO,
                        Duration.ofMillis(50),
                        Duration.ofMillis(100),
                        8 << 20,
                        64,
                        5,
                        1_000);
        Protected node = new Protected(few, new CallRecordWriter(1));
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        node.store.answersAfter = null;
        calls(node, 20);
        node.millis(10);
        assertThat(node.status().waiting()).isEqualTo(5);
        assertThat(node.alice.responses(180)).isEqualTo(15);
    }

    /** Who may not act for a partition writes nothing, not even that a call has ended. */
    @Test
    void nothingIsWrittenForAPartitionOfAnother() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 2);
        node.millis(1_000);
        assertThat(node.store.records()).isEqualTo(2);
        node.ownership.owns = false;
        int before = node.store.written.size();
        call(node).invalidate();
        call(node).setAttribute("room", 1);
        node.millis(5_000);
        assertThat(node.store.written).hasSize(before);
        assertThat(node.status().unprotected(Unprotected.ELSEWHERE)).isEqualTo(1);
        assertThat(node.status().alarm()).as("it is the other's").isFalse();
        // The same node again, in a later term.
        node.ownership.owns = true;
        node.ownership.term = 3;
        node.millis(1_000);
        assertThat(node.store.written).hasSize(before + 1);
        assertThat(node.store.written.getLast().term()).isEqualTo(3);
        assertThat(node.status().alarm()).isFalse();
    }

    @Test
    void aForgottenCallLeavesItsRecord() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 1);
        node.millis(1_000);
        node.protection.dropped(call(node));
        call(node).invalidate();
        node.millis(1_000);
        assertThat(node.store.records()).isEqualTo(1);
        assertThat(node.store.removals()).isZero();
        assertThat(node.status().calls()).isZero();
    }

    /** A call that was read from the store, and ends before it changes, leaves no record. */
    @Test
    void anAdoptedCallIsRemovedWhenItEnds() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        ApplicationSession made =
                node.server
                        .container
                        .newSessions()
                        .begin(
                                node.server.container.applications().getFirst(),
                                node.server.node.shards().getFirst(),
                                -1,
                                0);
        made.inTurn(() -> node.protection.adopted(made, new TakeOver(1, 2, 3, 0)));
        made.invalidate();
        node.millis(1_000);
        assertThat(node.store.states()).isZero();
        assertThat(node.store.removals()).isEqualTo(1);
        assertThat(node.status().calls()).isZero();
    }

    /** An attribute that cannot go makes the call count as unprotected, and raises no alarm. */
    @Test
    void aCallWithAnAttributeThatCannotGoIsUnprotected() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 1);
        node.millis(1_000);
        call(node).setAttribute("thread", new StringBuilder("mine"));
        node.millis(1_000);
        assertThat(standing(node).why()).isEqualTo(Unprotected.INCOMPLETE);
        assertThat(standing(node).missing()).contains("java.lang.StringBuilder");
        assertThat(node.status().unprotected(Unprotected.INCOMPLETE)).isEqualTo(1);
        assertThat(node.status().calls()).isZero();
        assertThat(node.status().alarm()).isFalse();
        call(node).removeAttribute("thread");
        node.millis(1_000);
        assertThat(standing(node).why()).isNull();
        assertThat(node.status().calls()).isEqualTo(1);
    }

    @Test
    void aCallThatCannotBeWrittenGoesOn() {
        CallRecordWriter usual = new CallRecordWriter(1);
        boolean[] fails = {true};
        Protected node =
                new Protected(
                        ProtectionSettings.DEFAULT,
                        (session, term) -> {
                            if (fails[0]) {
                                throw new IllegalStateException("no such URI");
                            }
                            return usual.write(session, term);
                        });
        node.deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 1);
        node.millis(5);
        assertThat(node.alice.responses(180)).isEqualTo(1);
        assertThat(node.status().leftUnprotected(Unprotected.INCOMPLETE)).isEqualTo(1);
        assertThat(standing(node).missing()).contains("no such URI");
        fails[0] = false;
        call(node).setAttribute("room", 1);
        node.millis(100);
        assertThat(standing(node).why()).isNull();
        assertThat(node.status().calls()).isEqualTo(1);
    }

    /** Answers, and goes on for long before its handler ends. */
    private static final class Lingering extends SipServlet {
        private final Protected node;

        Lingering(Protected node) {
            this.node = node;
        }

        @Override
        protected void doInvite(SipServletRequest request) throws IOException {
            request.getApplicationSession().setAttribute("before", 1);
            request.createResponse(180).send();
            node.millis(200);
        }
    }

    /** The first such call is late; then the record is made when the message is sent. */
    @Test
    void aHandlerThatGoesOnKeepsBackNoMoreThanOneMessage() {
        Protected node = new Protected();
        node.deploy(new Lingering(node), ExecutionMode.BLOCKING);
        node.store.answersAfter = Duration.ofMillis(5);
        calls(node, 1);
        node.millis(30);
        assertThat(node.status().leftUnprotected(Unprotected.SLOW)).isEqualTo(1);
        node.millis(1_000);
        node.invite("d1");
        node.millis(30);
        assertThat(node.status().leftProtected()).isEqualTo(1);
        assertThat(node.status().leftUnprotected(Unprotected.SLOW)).isEqualTo(1);
        node.millis(1_000);
        assertThat(node.alice.responses(180)).isEqualTo(2);
        assertThat(node.status().alarm()).isFalse();
        assertThat(node.status().calls()).isEqualTo(2);
    }

    /** Whoever hands a call over asks for it: until then the next owner would find an older one. */
    @Test
    void aCallIsWrittenWhenTheStoreHasItsLastState() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 1);
        node.millis(1_000);
        assertThat(node.protection.isWritten(call(node))).isTrue();
        call(node)
                .inTurn(() ->
                        assertThat(node.protection.isWritten(call(node)))
                                .as("a handler may change it")
                                .isFalse());
        node.millis(1_000);
        call(node)
                .inTurn(() ->
                        assertThat(node.protection.isWrittenInTurn(call(node)))
                                .as("nothing has run in this turn since")
                                .isTrue());
        node.millis(1_000);
        assertThat(node.protection.isWritten(call(node))).isTrue();
        node.store.answersAfter = Duration.ofMillis(300);
        call(node).setAttribute("room", 7);
        assertThat(node.protection.isWritten(call(node))).as("marked").isFalse();
        call(node)
                .inTurn(() ->
                        assertThat(node.protection.isWrittenInTurn(call(node)))
                                .as("marked, by who had the turn before")
                                .isFalse());
        node.millis(30);
        assertThat(node.protection.isWritten(call(node))).as("under way").isFalse();
        node.millis(100);
        assertThat(node.protection.isWritten(call(node))).as("late").isFalse();
        node.millis(1_000);
        assertThat(node.protection.isWritten(call(node))).isTrue();
        node.store.failure = "split";
        call(node).setAttribute("room", 8);
        node.millis(2_000);
        assertThat(node.protection.isWritten(call(node))).as("failing").isFalse();
        node.store.failure = null;
        node.millis(1_000);
        assertThat(node.protection.isWritten(call(node))).isTrue();
    }

    /**
     * A node that was alone for a while wrote for itself; then the store copies what it has, and no
     * further write says so. Else the call would keep its partition from being handed over.
     */
    @Test
    void aCallThatWasWrittenHereAloneIsWrittenOnceTheStoreHasCopiedIt() {
        Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
        calls(node, 1);
        node.millis(1_000);
        node.store.holders = 1;
        call(node).setAttribute("room", 7);
        node.millis(1_000);
        assertThat(node.protection.isWritten(call(node))).as("alone").isFalse();
        node.store.holders = 2;
        assertThat(node.protection.isWritten(call(node))).as("copied").isTrue();
        call(node).setAttribute("room", 8);
        assertThat(node.protection.isWritten(call(node))).as("changed since").isFalse();
    }
}
