package io.carillon.telemetry.spans;

import org.jspecify.annotations.Nullable;

/**
 * What this thread does just now: a handler of a call, or a page that may begin one. Frames lie on
 * each other, as a listener is called out of a servlet. And the call that it saw last: what follows
 * a message in its turn is nearly always of the same call.
 */
final class Current {
    /** Set once for each thread: to set and remove a frame each time costs more than the frame. */
    private static final ThreadLocal<Top> TOP = ThreadLocal.withInitial(Top::new);

    /** Owner: its thread. Empty while it does nothing of a call. */
    private static final class Top {
        private @Nullable Frame frame;

        /** It may be over since, and may be of another table. */
        private @Nullable TracedCall last;
    }

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
        Top top = TOP.get();
        top.frame = new Frame(span, call, page, top.frame);
    }

    /** The frame that ends; null where none was entered. */
    static @Nullable Frame leave() {
        Top top = TOP.get();
        Frame ends = top.frame;
        if (ends != null) {
            top.frame = ends.outer;
        }
        return ends;
    }

    static @Nullable Frame get() {
        return TOP.get().frame;
    }

    /** The call that this thread saw last; null for none. */
    static @Nullable TracedCall last() {
        return TOP.get().last;
    }

    static void saw(TracedCall call) {
        TOP.get().last = call;
    }
}
