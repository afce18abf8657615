package io.carillon.grid.store;

import java.util.function.BiFunction;
import org.infinispan.functional.EntryView.ReadWriteEntryView;
import org.jspecify.annotations.Nullable;

/** What is done with a value where its key lies: the same by Infinispan and past it. */
enum Change {
    /** Stores it, or the later one that is there. */
    KEEP_LATER(1),

    /** Takes the memory of a removal out, unless something else is stored. */
    FORGET_REMOVED(2);

    private final int code;

    Change(int code) {
        this.code = code;
    }

    /** What stands in bytes. */
    int code() {
        return code;
    }

    static Change of(int code) {
        for (Change change : values()) {
            if (change.code == code) {
                return change;
            }
        }
        throw new IllegalArgumentException("no change has the code " + code);
    }

    /** As Infinispan runs it on each node that holds the key. */
    BiFunction<byte[], ReadWriteEntryView<String, byte[]>, @Nullable Void> function() {
        return switch (this) {
            case KEEP_LATER -> KeepLater.INSTANCE;
            case FORGET_REMOVED -> ForgetRemoved.INSTANCE;
        };
    }

    /**
     * What lies there afterwards.
     *
     * @param now what lies there; null for nothing
     */
    byte @Nullable [] after(byte @Nullable [] now, byte[] value) {
        return switch (this) {
            case KEEP_LATER -> now == null || Stored.follows(value, now) ? value : now;
            case FORGET_REMOVED -> now != null && Stored.isSame(now, value) ? null : now;
        };
    }
}
