package io.carillon.servlet.harness;

import io.carillon.servlet.port.CallStore;
import io.carillon.testkit.VirtualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records in memory that outlive a node; it answers a millisecond later, on virtual time. */
public final class MemoryStore implements CallStore {
    private static final long LATER_NANOS = 1_000_000;

    private final VirtualTime time;
    private final Map<String, State> records = new TreeMap<>();

    /** What reading takes longer. */
    public long slowNanos;

    /** So many reads give nothing, as while the grid looks for the copies of a dead node. */
    public int failing;

    /** So many reads of a partition show its records, and fail then. */
    public int failingLate;

    /** Reads of a partition show nothing: those who have its records are behind a cut wire. */
    public boolean hides;

    /** Reads of a record never end. */
    public boolean silent;

    private final List<Runnable> meetings = new ArrayList<>();

    public MemoryStore(VirtualTime time) {
        this.time = time;
    }

    /** What it holds now, by ids. */
    public Map<String, State> records() {
        return records;
    }

    @Override
    public void write(List<State> batch, Consumer<Outcome> done) {
        for (State state : batch) {
            State before = records.get(state.id());
            if (before == null || state.follows(before)) {
                records.put(state.id(), state);
            }
        }
        time.after(LATER_NANOS, () -> done.accept(new Outcome(2, null)));
    }

    @Override
    public void readAll(int partition, Consumer<State> each, Consumer<@Nullable String> end) {
        List<State> all = new ArrayList<>(records.values());
        all.removeIf(state -> hides || state.partition() != partition);
        time.after(
                LATER_NANOS + slowNanos,
                () -> {
                    if (failing-- > 0) {
                        end.accept("the grid is looking for copies");
                        return;
                    }
                    all.forEach(each);
                    end.accept(failingLate-- > 0 ? "there may be more" : null);
                });
    }

    @Override
    public void read(int partition, String id, Consumer<Found> found) {
        if (silent) {
            return;
        }
        time.after(
                LATER_NANOS,
                () ->
                        found.accept(
                                failing-- > 0
                                        ? Found.failed("not now")
                                        : Found.of(records.get(id))));
    }

    @Override
    public void onMeeting(Runnable met) {
        meetings.add(met);
    }

    /** Parts of the grid have met. */
    public void meets() {
        meetings.getLast().run();
    }

    @Override
    public int holders(int partition) {
        return 2;
    }

    @Override
    public void close() {}
}
