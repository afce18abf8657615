package io.carillon.servlet.feature.adopt;

import java.util.ArrayDeque;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Records in which something is due and that no message has asked for. So many of them are taken
 * over at a time, the others wait: neither an event loop nor the store gets all at once what a dead
 * node had to do in the same moment, and what a message asks for does not stand behind it.
 *
 * <p>Any thread; guarded by its own monitor, under which no more is asked than the state of a
 * record.
 */
final class DueRecords {
    /** Taken over at the same time. */
    static final int AT_ONCE = 64;

    private final BiConsumer<KnownRecord, Runnable> takes;

    /** No more than there are records known. */
    private final ArrayDeque<KnownRecord> waiting = new ArrayDeque<>();

    private int underWay;

    /**
     * @param takes begins to take one over; the second is run when its place is free again
     */
    DueRecords(BiConsumer<KnownRecord, Runnable> takes) {
        this.takes = takes;
    }

    /** Something is due in it. */
    void add(KnownRecord record) {
        synchronized (this) {
            if (underWay == AT_ONCE) {
                waiting.add(record);
                return;
            }
            underWay++;
        }
        takes.accept(record, new Place());
    }

    private synchronized @Nullable KnownRecord next(Place free) {
        if (free.given) {
            return null;
        }
        free.given = true;
        KnownRecord next = waiting.poll();
        while (next != null && !next.unasked()) { // a message came first, or its partition went
            next = waiting.poll();
        }
        if (next == null) {
            underWay--;
        }
        return next;
    }

    /** Of one that is taken over; the next one gets it. */
    private final class Place implements Runnable {
        /** Guarded by the monitor of all. */
        private boolean given;

        @Override
        public void run() {
            KnownRecord next = next(this);
            if (next != null) {
                takes.accept(next, new Place());
            }
        }
    }
}
