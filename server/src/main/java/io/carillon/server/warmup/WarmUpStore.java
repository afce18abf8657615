package io.carillon.server.warmup;

import io.carillon.servlet.port.CallStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records of the warm-up's calls, in memory: as if two nodes had them. It answers on a thread of
 * its own, as a grid does. Holds what the open calls need; ends with the warm-up.
 */
final class WarmUpStore implements CallStore {
    private static final int COPIES = 2;

    private final Map<String, State> records = new ConcurrentHashMap<>();
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("carillon-warm-up-store").factory());

    @Override
    public void write(List<State> batch, Consumer<Outcome> done) {
        thread.execute(() -> {
            batch.forEach(this::keep);
            done.accept(new Outcome(COPIES, null));
        });
    }

    private void keep(State state) {
        records.compute(
                state.id(),
                (id, before) -> {
                    State later = before == null || state.follows(before) ? state : before;
                    return later.bytes() == null ? null : later;
                });
    }

    @Override
    public void readAll(int partition, Consumer<State> each, Consumer<@Nullable String> end) {
        thread.execute(() -> {
            for (State state : records.values()) {
                if (state.partition() == partition) {
                    each.accept(state);
                }
            }
            end.accept(null);
        });
    }

    @Override
    public void read(int partition, String id, Consumer<Found> found) {
        thread.execute(() -> found.accept(Found.of(records.get(id))));
    }

    /** Partitions of which it has records. */
    int[] partitions() {
        return records.values().stream().mapToInt(State::partition).distinct().toArray();
    }

    @Override
    public int holders(int partition) {
        return COPIES;
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
