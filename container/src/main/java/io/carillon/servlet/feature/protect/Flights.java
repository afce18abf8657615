package io.carillon.servlet.feature.protect;

import io.carillon.servlet.port.CallStore.State;
import io.carillon.sip.token.Ownership;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The batches of one event loop that are under way: one at most for each partition, and so many
 * bytes in all. Owner: the shard's thread.
 */
final class Flights {
    private final @Nullable Flight[] byPartition = new @Nullable Flight[Ownership.PARTITIONS];

    /** In the order in which the store got them; some have landed. */
    private final ArrayDeque<Flight> open = new ArrayDeque<>();

    private final long most;
    private volatile long bytes;
    private volatile long oldestNanos = Long.MAX_VALUE;

    Flights(long most) {
        this.most = most;
    }

    @Nullable Flight of(int partition) {
        return byPartition[partition];
    }

    /** May nothing more be given to the store? */
    boolean full() {
        return bytes >= most;
    }

    /** Any thread. */
    long bytes() {
        return bytes;
    }

    /** When the oldest one under way began; Long.MAX_VALUE for none. Any thread. */
    long oldestNanos() {
        return oldestNanos;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void add(Flight flight, ProtectedCall call, State state) {
        flight.add(call, state);
        byPartition[state.partition()] = flight;
        bytes += Flight.bytes(state);
    }

    void starts(Flight flight, long nowNanos) {
        flight.startedNanos = nowNanos;
        open.add(flight);
        look();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void landed(Flight flight) {
        List<State> states = flight.states();
        for (State state : states) {
            byPartition[state.partition()] = null;
        }
        bytes -= flight.bytes();
        look();
    }

    private void look() {
        Flight first = open.peek();
        while (first != null && first.landed()) {
            open.remove();
            first = open.peek();
        }
        oldestNanos = first == null ? Long.MAX_VALUE : first.startedNanos;
    }
}
