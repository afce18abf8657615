package io.carillon.grid.store;

import java.util.function.BiFunction;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.jspecify.annotations.Nullable;

/**
 * Stores a value, or the later one of the same key that is there. Runs on each node that holds it.
 *
 * <p>While copies move, what a new holder sees as there may lie on another node only, of which
 * Infinispan asked: often the very value that is written now, as the others have it already. So
 * what stays is stored again; else this node would be counted as a holder without a copy.
 */
final class KeepLater
        implements BiFunction<byte[], ReadWriteEntryView<String, byte[]>, @Nullable Void> {
    static final KeepLater INSTANCE = new KeepLater();

    private KeepLater() {}

    @Override
    public @Nullable Void apply(byte[] value, ReadWriteEntryView<String, byte[]> entry) {
        byte[] now = entry.find().orElse(null);
        entry.set(Change.KEEP_LATER.after(now, value));
        return null;
    }
}
