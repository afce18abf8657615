package io.carillon.server.cluster;

import io.carillon.servlet.port.CallStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies of calls on a grid in trouble, for trials of that ({@code ./carillon it store}). What
 * befalls it says the file that {@code -Dcarillon.trial.store} names: {@code slow MILLIS}, {@code
 * fails} or {@code full}; nothing where it is empty. Any thread.
 */
final class TrialStore implements CallStore {
    private static final String FILE = System.getProperty("carillon.trial.store", "");
    private static final String SLOW = "slow ";
    private static final long LOOK_MILLIS = 50;

    private final CallStore grid;
    private final Path file;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("trial-store").factory());
    private volatile String trouble = "";

    private TrialStore(CallStore grid, Path file) {
        this.grid = grid;
        this.file = file;
    }

    /** The grid as it is, where no trial is made. */
    static CallStore of(CallStore grid) {
        if (FILE.isEmpty()) {
            return grid;
        }
        TrialStore store = new TrialStore(grid, Path.of(FILE));
        var _ =
                store.thread.scheduleWithFixedDelay(
                        store::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        return store;
    }

    private void look() {
        try {
            trouble = Files.exists(file) ? Files.readString(file).strip() : "";
        } catch (IOException e) {
            trouble = ""; // it is being written: the next look sees it
        }
    }

    @Override
    public void write(List<State> batch, Consumer<Outcome> done) {
        String now = trouble;
        if (now.startsWith(SLOW)) {
            long millis = Long.parseLong(now.substring(SLOW.length()));
            grid.write(
                    batch,
                    outcome -> {
                        var _ =
                                thread.schedule(
                                        () -> done.accept(outcome), millis, TimeUnit.MILLISECONDS);
                    });
        } else if (now.isEmpty()) {
            grid.write(batch, done);
        } else {
            thread.execute(() -> done.accept(new Outcome(0, "a trial: the grid " + now)));
        }
    }

    @Override
    public void readAll(int partition, Consumer<State> each, Consumer<@Nullable String> end) {
        grid.readAll(partition, each, end);
    }

    @Override
    public void read(int partition, String id, Consumer<Found> found) {
        grid.read(partition, id, found);
    }

    @Override
    public void onMeeting(Runnable met) {
        grid.onMeeting(met);
    }

    @Override
    public int holders(int partition) {
        return grid.holders(partition);
    }

    @Override
    public void close() {
        thread.shutdownNow();
        grid.close();
    }
}
