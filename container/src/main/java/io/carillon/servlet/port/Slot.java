package io.carillon.servlet.port;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The place of one feature's object in {@link Parts}. A feature has one in a constant; whoever
 * holds the parts knows neither the feature nor its class. Immutable.
 *
 * @param <T> what lies there
 */
public final class Slot<T> {
    private static final AtomicInteger MADE = new AtomicInteger();

    private final int index = MADE.getAndIncrement();
    private final Class<T> type;

    private Slot(Class<T> type) {
        this.type = type;
    }

    /** A new one; called once for each feature, from a static field. */
    public static <T> Slot<T> of(Class<T> type) {
        return new Slot<>(type);
    }

    int index() {
        return index;
    }

    @Nullable T cast(@Nullable Object part) {
        return type.cast(part);
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }
}
