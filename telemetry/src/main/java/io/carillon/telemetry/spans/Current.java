package io.carillon.telemetry.spans;

import org.jspecify.annotations.Nullable;

/**
 * What this thread does just now: a handler of a call, or a page that may begin one. Frames lie on
 * each other, as a listener is called out of a servlet.
 */
final class Current {
    private static final ThreadLocal<@Nullable Frame> FRAMES = new ThreadLocal<>();

    /** Owner: its thread. */
    static final class Frame {
        final long span;
        final @Nullable Page page;
        @Nullable TracedCall call;
        private final @Nullable Frame outer;

        private Frame(
                long span, @Nullable TracedCall call, @Nullable Page page, @Nullable Frame outer) {
            this.span = span;
            this.call = call;
            this.page = page;
            this.outer = outer;
        }
    }

    private Current() {}

    static void enter(long span, @Nullable TracedCall call, @Nullable Page page) {
        FRAMES.set(new Frame(span, call, page, FRAMES.get()));
    }

    /** The frame that ends; null where none was entered. */
    static @Nullable Frame leave() {
        Frame ends = FRAMES.get();
        if (ends != null) {
            if (ends.outer == null) {
                FRAMES.remove();
            } else {
                FRAMES.set(ends.outer);
            }
        }
        return ends;
    }

    static @Nullable Frame get() {
        return FRAMES.get();
    }
}
