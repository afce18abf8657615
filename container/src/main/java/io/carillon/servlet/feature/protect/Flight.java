package io.carillon.servlet.feature.protect;

import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import io.carillon.sip.time.WheelTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A batch of states that the store was given and has not answered for. Changes of its partitions
 * wait until it has.
 *
 * <p>Owner: the shard's thread, but for {@link #accept}. As a timer: it is late.
 */
final class Flight extends WheelTimer implements Consumer<Outcome> {
    private static final int STATE_BYTES = 128;

    private final ShardRecords records;
    private final List<State> states = new ArrayList<>();
    private final List<ProtectedCall> calls = new ArrayList<>();

    /** Calls of its partitions that have changed since. */
    private final List<ProtectedCall> parked = new ArrayList<>(0);

    private int bytes;
    private boolean late;
    private boolean landed;

    /** When the store was given it. */
    long startedNanos;

    Flight(ShardRecords records) {
        this.records = records;
    }

    void add(ProtectedCall call, State state) {
        states.add(state);
        calls.add(call);
        bytes += bytes(state);
    }

    /** What a state takes while it is under way. */
    static int bytes(State state) {
        byte[] own = state.bytes();
        return STATE_BYTES + (own == null ? 0 : own.length);
    }

    List<State> states() {
        return states;
    }

    List<ProtectedCall> calls() {
        return calls;
    }

    List<ProtectedCall> parked() {
        return parked;
    }

    int bytes() {
        return bytes;
    }

    boolean late() {
        return late;
    }

    /** True once. */
    boolean lands() {
        boolean first = !landed;
        landed = true;
        return first;
    }

    boolean landed() {
        return landed;
    }

    /** The store's answer, on a thread of its own. */
    @Override
    public void accept(Outcome outcome) {
        records.shard().perform(() -> records.landed(this, outcome));
    }

    @Override
    protected void fire(long nowNanos) {
        late = true;
        records.late(this);
    }
}
