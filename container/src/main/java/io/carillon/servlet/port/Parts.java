package io.carillon.servlet.port;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Objects of features, each in its {@link Slot}, that live as long as what holds them: an
 * application, or a container. Written before it serves; read by any thread.
 */
public final class Parts {
    private volatile @Nullable Object[] parts = new Object[8];

    /** What a feature put there; null where it did not. */
    public <T> @Nullable T get(Slot<T> slot) {
        @Nullable Object[] all = parts;
        int index = slot.index();
        return index < all.length ? slot.cast(all[index]) : null;
    }

    /** The feature's object from now on. */
    public synchronized <T> void put(Slot<T> slot, T part) {
        @Nullable Object[] all = parts;
        int index = slot.index();
        @Nullable Object[] more = Arrays.copyOf(all, Math.max(all.length, index + 1));
        more[index] = part;
        parts = more;
    }
}
