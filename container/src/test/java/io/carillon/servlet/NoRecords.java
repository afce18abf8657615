package io.carillon.servlet;

import io.carillon.servlet.port.CallStore;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store that keeps nothing. */
final class NoRecords implements CallStore {
    @Override
    public void write(List<State> batch, Consumer<Outcome> done) {
        done.accept(new Outcome(2, null));
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
        return 2;
    }

    @Override
    public void close() {}
}
