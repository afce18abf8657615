package io.carillon.grid.store;

import java.util.function.BiFunction;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.jspecify.annotations.Nullable;

/** Takes the memory of a removal out, unless something else is stored now. */
final class ForgetRemoved
        implements BiFunction<byte[], ReadWriteEntryView<String, byte[]>, @Nullable Void> {
    static final ForgetRemoved INSTANCE = new ForgetRemoved();

    private ForgetRemoved() {}

    @Override
    public @Nullable Void apply(byte[] removal, ReadWriteEntryView<String, byte[]> entry) {
        byte[] now = entry.find().orElse(null);
        if (now != null && Change.FORGET_REMOVED.after(now, removal) == null) {
            entry.remove();
        }
        return null;
    }
}
