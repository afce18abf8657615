package io.carillon.servlet.harness;

import io.carillon.servlet.port.CallStore;
import io.carillon.testkit.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store that does what the test says, on virtual time. */
public final class ScriptedStore implements CallStore {
    private final VirtualTime time;

    /** All states that were ever given to it. */
    public final List<State> written = new ArrayList<>();

    /** How many states each batch had. */
    public final List<Integer> batches = new ArrayList<>();

    /** When each came. */
    public final List<Long> batchNanos = new ArrayList<>();

    /** What it holds, by partition and id. */
    public final Map<String, State> held = new HashMap<>();

    private final Set<Integer> underWay = new HashSet<>();

    /** Null: it never answers. */
    public @Nullable Duration answersAfter = Duration.ofMillis(1);

    public int holders = 2;
    public @Nullable String failure;

    /** Runs before each batch, and may write another script. */
    public Runnable script = () -> {};

    /** Two batches of one partition were under way at once. */
    public boolean twoAtOnce;

    public long bytesUnderWay;
    public long mostBytesUnderWay;

    public ScriptedStore(VirtualTime time) {
        this.time = time;
    }

    @Override
    public void write(List<State> batch, Consumer<Outcome> done) {
        script.run();
        List<State> copy = List.copyOf(batch);
        Set<Integer> partitions = new HashSet<>();
        copy.forEach(state -> partitions.add(state.partition()));
        twoAtOnce |= partitions.stream().anyMatch(underWay::contains);
        underWay.addAll(partitions);
        written.addAll(copy);
        batches.add(copy.size());
        batchNanos.add(time.nanoTime());
        long bytes = copy.stream().mapToLong(ScriptedStore::bytes).sum();
        bytesUnderWay += bytes;
        mostBytesUnderWay = Math.max(mostBytesUnderWay, bytesUnderWay);
        Duration after = answersAfter;
        String fails = failure;
        int copies = holders;
        if (after != null) {
            time.after(
                    after,
                    () -> {
                        underWay.removeAll(partitions);
                        bytesUnderWay -= bytes;
                        if (fails == null) {
                            copy.forEach(this::keep);
                        }
                        done.accept(new Outcome(fails == null ? copies : 0, fails));
                    });
        }
    }

    private static long bytes(State state) {
        byte[] bytes = state.bytes();
        return bytes == null ? 0 : bytes.length;
    }

    private void keep(State state) {
        held.merge(
                state.partition() + "/" + state.id(),
                state,
                (before, after) -> after.follows(before) ? after : before);
    }

    /** Records that were not removed. */
    public long records() {
        return held.values().stream().filter(state -> state.bytes() != null).count();
    }

    /** States of calls that were given to it, removals not counted. */
    public long states() {
        return written.stream().filter(state -> state.bytes() != null).count();
    }

    public long removals() {
        return written.size() - states();
    }

    @Override
    public void readAll(int partition, Consumer<State> each, Consumer<@Nullable String> end) {
        end.accept(null);
    }

    @Override
    public void read(int partition, String id, Consumer<Found> found) {
        found.accept(Found.of(null));
    }

    @Override
    public int holders(int partition) {
        return holders;
    }

    @Override
    public void close() {}
}
