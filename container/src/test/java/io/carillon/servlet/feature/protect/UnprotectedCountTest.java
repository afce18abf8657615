package io.carillon.servlet.feature.protect;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.app.ExecutionMode;
import io.carillon.servlet.harness.Manual;
import io.carillon.servlet.kernel.ApplicationSession;
import io.carillon.servlet.kernel.TakeOver;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.servlet.sip.SipServlet;
import javax.servlet.sip.SipServletRequest;
import javax.servlet.sip.TimerListener;
import javax.servlet.sip.TimerService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Which calls count as unprotected. While there is one, the node raises an alarm and gives no
 * partition away; so one that counts for ever keeps a node that came back without any.
 */
class UnprotectedCountTest {
    private final Manual phone = new Manual();
    private final Protected node = new Protected().deploy(phone, ExecutionMode.NON_BLOCKING);
    private boolean left;

    private ApplicationSession call() {
        return node.server.container.sessions().all().iterator().next();
    }

    private static ProtectedCall records(ApplicationSession call) {
        return (ProtectedCall) Objects.requireNonNull(call.companion());
    }

    /** A message that was sent before comes to the event loop of the call. */
    private void arrives(ProtectedCall call, long needs) {
        Runnable leaves = () -> left = true;
        MessageQueue queue = Objects.requireNonNull(call.queue());
        queue.given();
        call.session.onHome(new HeldMessage(call, needs, leaves));
    }

    @Test
    void aMessageThatComesToItsLoopWhenItsCallIsOverCountsNothing() {
        node.store.answersAfter = Duration.ofSeconds(2);
        node.invite("c");
        node.millis(100);
        ProtectedCall call = records(call());
        assertThat(node.status().unprotected(Unprotected.SLOW)).isEqualTo(1);

        node.protection.dropped(call.session);
        node.millis(10);
        assertThat(node.status().unprotectedCalls()).isZero();
        arrives(call, call.record.next());
        node.millis(10);
        assertThat(left).isTrue();
        assertThat(node.status().unprotectedCalls()).isZero();
        node.millis(5_000);
        assertThat(node.status().calls()).as("its state has landed since").isZero();
        assertThat(node.status().alarm()).isFalse();
        assertThat(node.status().waiting()).isZero();
    }

    /** One node has its state, and the loop learns of the message only then. */
    @Test
    void aCallWhoseStateHasLandedBeforeTheMessageIsStoredAllTheSame() {
        node.store.holders = 1;
        node.invite("c");
        node.millis(1_000);
        ProtectedCall call = records(call());
        arrives(call, call.record.last());
        node.millis(45);
        assertThat(left).as("it waits for a second node").isFalse();
        node.millis(1_000);
        assertThat(left).isTrue();
        assertThat(why(node, call.session))
                .as("not that the store is slow")
                .isNotEqualTo(Unprotected.SLOW);
        assertThat(node.status().unprotected(Unprotected.SLOW)).isZero();
    }

    /** Rings, and refuses when it is told to. */
    private static final class Busy extends SipServlet {
        private static final long serialVersionUID = 1L;
        private final transient Map<String, SipServletRequest> rings = new HashMap<>();

        @Override
        protected void doInvite(SipServletRequest invite) throws IOException {
            rings.put(invite.getApplicationSession().getId(), invite);
            invite.createResponse(180).send();
        }
    }

    /** The store has not answered for another call of its partition, so no state was made of it. */
    @Test
    void aCallOfWhichNothingIsToBeKeptAnyMoreIsNoUnprotectedOne() throws IOException {
        Busy busy = new Busy();
        Protected ringing = new Protected().deploy(busy, ExecutionMode.NON_BLOCKING);
        ringing.store.answersAfter = Duration.ofSeconds(2);
        Set<Integer> partitions = new HashSet<>();
        Set<String> known = new HashSet<>();
        ApplicationSession second = null;
        for (int i = 0; second == null; i++) {
            ringing.invite("c" + i);
            ringing.millis(1);
            for (ApplicationSession each : ringing.server.container.sessions().all()) {
                if (known.add(each.getId()) && !partitions.add(Protected.partition(each))) {
                    second = each;
                }
            }
        }
        ringing.millis(200);
        assertThat(why(ringing, second)).isEqualTo(Unprotected.SLOW);
        second.setInvalidateWhenReady(false);
        busy.rings.get(second.getId()).createResponse(486).send();
        ringing.millis(5_000);
        assertThat(second.isValid()).isTrue();
        assertThat(why(ringing, second)).isNull();
    }

    /** Says nothing, and looks at the clock. */
    private static final class Silent extends SipServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doInvite(SipServletRequest invite) {
            TimerService timers = (TimerService) getServletContext().getAttribute(TIMER_SERVICE);
            timers.createTimer(invite.getApplicationSession(), 60_000, false, "look");
        }
    }

    /** Its first state waits for the end of the work at hand, and the call is over by then. */
    @Test
    void noRecordStaysOfACallThatEndsBeforeItsFirstStateIsSent() {
        TimerListener ignored = timer -> {};
        Protected silent =
                new Protected().deploy(new Silent(), ExecutionMode.NON_BLOCKING, ignored);
        silent.invite("c");
        while (silent.server.container.sessions().size() == 0) {
            silent.millis(1);
        }
        ApplicationSession session = silent.server.container.sessions().all().iterator().next();
        ProtectedCall call = records(session);
        assertThat(silent.store.written).isEmpty();
        session.onHome(() -> {
            call.records.flushSoon();
            session.execute(() -> call.records.makeNow(call));
            session.invalidate();
        });
        silent.millis(1_000);
        assertThat(silent.store.written).as("the state, and its removal").hasSize(2);
        assertThat(silent.store.records()).isZero();
        assertThat(silent.status().calls()).isZero();
    }

    /** An application may make a call in a partition of another node: by a key, or as it starts. */
    @Test
    void aCallInAPartitionOfAnotherNodeRaisesNoAlarm() {
        node.invite("c");
        node.millis(1_000);
        node.ownership.owns = false;
        call().setAttribute("room", 1);
        node.millis(1_000);
        assertThat(why(node, call())).isEqualTo(Unprotected.ELSEWHERE);
        assertThat(node.status().alarm()).isFalse();
        node.ownership.gap = true;
        node.millis(1_000);
        assertThat(why(node, call())).isEqualTo(Unprotected.NOT_OWNER);
        assertThat(node.status().alarm()).isTrue();
    }

    /** The lease runs out for a moment, and a call ends in it. */
    @Test
    void aCallThatEndsInAGapOfTheLeaseLeavesNoRecord() {
        node.invite("c");
        node.millis(1_000);
        node.ownership.owns = false;
        node.ownership.gap = true;
        call().invalidate();
        node.millis(1_000);
        assertThat(node.store.removals()).isZero();
        node.ownership.owns = true;
        node.millis(1_000);
        assertThat(node.store.records()).isZero();
        assertThat(node.status().calls()).isZero();
    }

    @Test
    void aMessageThatThrowsKeepsNoOtherBack() {
        node.store.answersAfter = null;
        node.invite("c");
        node.millis(10);
        ProtectedCall call = records(call());
        MessageQueue queue = Objects.requireNonNull(call.queue());
        queue.given();
        Runnable thrower =
                () -> {
                    throw new IllegalStateException("no way out");
                };
        call.session.onHome(new HeldMessage(call, call.record.next(), thrower));
        arrives(call, call.record.next());
        node.millis(1_000);
        assertThat(left).isTrue();
        assertThat(node.status().waiting()).isZero();
        assertThat(node.server.container.errors().lastOfContainer()).hasMessage("no way out");
        left = false;
        arrives(call, call.record.next());
        node.millis(1_000);
        assertThat(left).as("one that comes later").isTrue();
    }

    /** Its attribute has a class that is not there, or whose initializer fails. */
    @Test
    void aCallThatCannotBeWrittenForAClassKeepsNoOtherFromBeingWritten() {
        CallRecordWriter writer = new CallRecordWriter(1);
        RecordWriter fails =
                new RecordWriter() {
                    @Override
                    public Written write(ApplicationSession session, long term) {
                        if (session.getAttribute("bad") != null) {
                            throw new NoClassDefFoundError("com/example/Lost");
                        }
                        return writer.write(session, term);
                    }

                    @Override
                    public long digest(byte[] record) {
                        return writer.digest(record);
                    }
                };
        Protected other = new Protected(ProtectionSettings.DEFAULT, fails);
        other.deploy(phone, ExecutionMode.NON_BLOCKING);
        for (int i = 0; i < 20; i++) {
            other.invite("c" + i);
        }
        other.millis(1_000);
        ApplicationSession bad = other.server.container.sessions().all().iterator().next();
        bad.setAttribute("bad", 1);
        other.server.container.sessions().all().forEach(each -> each.setAttribute("room", 1));
        other.millis(1_000);
        assertThat(other.store.states()).isEqualTo(20 + 19);
        assertThat(why(other, bad)).isEqualTo(Unprotected.INCOMPLETE);
        assertThat(other.status().bytesInFlight()).isZero();
    }

    /** The end of a call may overtake its state on the way to the event loop. */
    @Test
    void noStateIsSentOfACallThatIsOver() {
        node.invite("c");
        node.millis(1_000);
        ProtectedCall call = records(call());
        int before = node.store.written.size();
        call.record.gone = true;
        call().setAttribute("room", 1);
        call.session.onHome(() -> call.session.execute(() -> call.records.makeNow(call)));
        node.millis(5);
        assertThat(node.store.written).hasSize(before);
    }

    /** The event loop learns only then that the call came from another node. */
    @Test
    void theRecordOfACallIsRemovedThatEndedAsItWasTakenOver() {
        ApplicationSession made =
                node.server
                        .container
                        .newSessions()
                        .begin(
                                node.server.container.applications().getFirst(),
                                node.server.node.shards().getFirst(),
                                -1,
                                0);
        ProtectedCall call = records(made);
        made.inTurn(() -> call.record.adopted(new TakeOver(1, 2, 3, 0)));
        made.invalidate();
        node.millis(1_000);
        assertThat(node.store.removals()).isZero();
        made.onHome(() -> call.records.adopted(call));
        node.millis(1_000);
        assertThat(node.store.removals()).isEqualTo(1);
        assertThat(node.status().calls()).isZero();
    }

    private static @Nullable Unprotected why(Protected node, ApplicationSession call) {
        return Objects.requireNonNull(node.protection.standing(call)).why();
    }
}
