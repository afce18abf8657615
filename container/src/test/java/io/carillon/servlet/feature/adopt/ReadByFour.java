package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.port.CallStore;
import io.carillon.testkit.VirtualTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records that outlive a node, read as those of the grid are: by four threads, which take their
 * time, and of which no more than some thousand readings wait. On virtual time.
 */
final class ReadByFour implements CallStore {
    private static final int READERS = 4;
    private static final int READS_WAITING = 4_096;
    private static final long WRITE_NANOS = 1_000_000;

    /** 1,024 of them take 0.36 s. */
    private static final long PARTITION_NANOS = 1_400_000;

    private static final long RECORD_NANOS = 250_000;

    private final VirtualTime time;
    private final Map<Integer, Map<String, State>> partitions = new HashMap<>();
    private final long[] busyUntilNanos = new long[READERS];
    private int waiting;

    /** Records that were asked for one by one. */
    int asked;

    /** Readings that there was no room for. */
    int refused;

    /** What its own threads have done so often. */
    int ownWork;

    ReadByFour(VirtualTime time) {
        this.time = time;
    }

    /** How many it holds. */
    int size() {
        return partitions.values().stream().mapToInt(Map::size).sum();
    }

    @Override
    public void write(List<State> batch, Consumer<Outcome> done) {
        for (State state : batch) {
            partitions
                    .computeIfAbsent(state.partition(), same -> new HashMap<>())
                    .merge(state.id(), state, (before, now) -> now.follows(before) ? now : before);
        }
        time.after(WRITE_NANOS, () -> work(() -> done.accept(new Outcome(2, null))));
    }

    @Override
    public void readAll(int partition, Consumer<State> each, Consumer<@Nullable String> end) {
        reading(
                PARTITION_NANOS,
                () -> {
                    List.copyOf(of(partition).values()).forEach(each);
                    end.accept(null);
                },
                () -> end.accept("too many readings wait"));
    }

    @Override
    public void read(int partition, String id, Consumer<Found> found) {
        asked++;
        reading(
                RECORD_NANOS,
                () -> found.accept(Found.of(of(partition).get(id))),
                () -> found.accept(Found.failed("too many reads wait")));
    }

    private Map<String, State> of(int partition) {
        return partitions.getOrDefault(partition, Map.of());
    }

    private void reading(long takes, Runnable task, Runnable noRoom) {
        if (waiting == READS_WAITING) {
            refused++;
            time.after(0, () -> work(noRoom));
            return;
        }
        waiting++;
        int first = 0;
        for (int reader = 1; reader < READERS; reader++) {
            first = busyUntilNanos[reader] < busyUntilNanos[first] ? reader : first;
        }
        long ends = Math.max(time.nanoTime(), busyUntilNanos[first]) + takes;
        busyUntilNanos[first] = ends;
        time.at(
                ends,
                () -> {
                    waiting--;
                    work(task);
                });
    }

    private void work(Runnable task) {
        ownWork++;
        task.run();
    }

    @Override
    public int holders(int partition) {
        return 2;
    }

    @Override
    public void close() {}

    /** All that it holds. */
    List<State> all() {
        List<State> all = new ArrayList<>();
        partitions.values().forEach(some -> all.addAll(some.values()));
        return all;
    }
}
