package io.carillon.grid.store;

import java.util.function.BiFunction;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.jspecify.annotations.Nullable;

/** Stores a value unless a later one of the same key is there. Runs on each node that holds it. */
final class KeepLater
        implements BiFunction<byte[], ReadWriteEntryView<String, byte[]>, @Nullable Void> {
    static final KeepLater INSTANCE = new KeepLater();

    private KeepLater() {}

    @Override
    public @Nullable Void apply(byte[] value, ReadWriteEntryView<String, byte[]> entry) {
        byte[] now = entry.find().orElse(null);
        if (now == null || Stored.follows(value, now)) {
            entry.set(value);
        }
        return null;
    }
}
