package io.carillon.telemetry.spans;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which call has a Call-ID, also for the thread that saw the call last. */
class CallTableTest {
    private final CallTable table = new CallTable(new SpanConfig(SpanConfig.ALL, true, 100));
    private final TraceIds ids = new TraceIds(() -> 7, SpanConfig.ALL);

    private TracedCall enter(CallTable in, String callId) {
        TracedCall call = in.enter(new TracedCall(ids.trace(null), 0, 0, 0), callId, true);
        assertThat(call).isNotNull();
        return call;
    }

    private List<FinishedCall> end(TracedCall call) {
        List<FinishedCall> kept = new ArrayList<>();
        synchronized (call) {
            table.check(call, 0);
        }
        table.sweep(0, kept::add);
        return kept;
    }

    @Test
    void aCallIsFoundByEachOfItsCallIds() {
        TracedCall call = enter(table, "a");
        assertThat(table.find("b")).isNull();
        table.join(call, "b");
        assertThat(table.find("a")).isSameAs(call);
        assertThat(table.find("b")).isSameAs(call);
        enter(table, "c");
        assertThat(table.find("b")).as("behind another call").isSameAs(call);
    }

    @Test
    void whatIsOverIsFoundNoMoreByWhoSawItLast() {
        TracedCall call = enter(table, "a");
        table.join(call, "b");
        assertThat(table.find("b")).isSameAs(call);
        assertThat(end(call)).hasSize(1);
        assertThat(table.find("a")).isNull();
        assertThat(table.find("b")).isNull();
        assertThat(enter(table, "a")).isNotSameAs(call);
    }

    @Test
    void aCallIsOfItsOwnTableAlone() {
        CallTable other = new CallTable(new SpanConfig(0, true, 100));
        TracedCall call = enter(table, "a");
        assertThat(other.find("a")).isNull();
        TracedCall there = enter(other, "a");
        assertThat(table.find("a")).isSameAs(call);
        assertThat(other.find("a")).isSameAs(there);
    }

    @Test
    void aCallIdStaysWithTheCallThatHadItFirst() {
        TracedCall first = enter(table, "a");
        TracedCall second = enter(table, "b");
        table.join(second, "a");
        assertThat(table.find("b")).isSameAs(second);
        assertThat(table.find("a")).isSameAs(first);
    }

    @Test
    void nothingOfACallStaysWhenItIsOver() {
        TracedCall call = enter(table, "a");
        assertThat(table.held()).isEqualTo(CallTable.CALL_COST);
        end(call);
        table.join(call, "late");
        assertThat(table.find("late")).isNull();
        assertThat(table.held()).isZero();
    }

    /** A peer may send all its requests with one branch, or with none. */
    @Test
    void transactionsOfOneBranchAreToldApartByMethodAndSide() {
        TracedCall call = enter(table, "a");
        assertThat(List.of("INVITE", "CANCEL", "BYE", "UPDATE"))
                .flatExtracting(method ->
                        List.of(
                                call.id(CallSpan.Kind.SERVER, method, 5),
                                call.id(CallSpan.Kind.CLIENT, method, 5)))
                .doesNotHaveDuplicates();
    }

    @Test
    void whatFindsNoRoomIsCountedAndHoldsNothingUp() {
        CallTable wide = new CallTable(new SpanConfig(SpanConfig.ALL, true, 10_000));
        TracedCall call = enter(wide, "a");
        synchronized (call) {
            for (int i = 0; i < TracedCall.MOST_SPANS; i++) {
                assertThat(wide.takes(call)).isTrue();
                call.handled(i, new CallTape.Work("app", "one", "INFO", 0, false), "a", 1, 2);
            }
            assertThat(wide.takes(call)).isFalse();
            assertThat(call.isOver()).isTrue();
        }
        assertThat(wide.spansDropped()).isEqualTo(1);
        List<FinishedCall> kept = new ArrayList<>();
        wide.end(kept::add);
        assertThat(kept.getFirst().dropped()).isEqualTo(1);
        assertThat(kept.getFirst().spans()).hasSize(1 + TracedCall.MOST_SPANS);
        assertThat(wide.held()).isZero();
    }
}
