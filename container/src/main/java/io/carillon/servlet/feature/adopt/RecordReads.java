package io.carillon.servlet.feature.adopt;

import io.carillon.servlet.port.CallStore;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads of records whose calls go on here, each until it is had, or is known to be gone. After a
 * node has died the grid has to find its copies first. Any thread.
 */
final class RecordReads {
    /** Of a record that the store does not have. */
    private static final int TRIES = 4;

    /** So long one is asked for that may be there. */
    private static final long MOST_MILLIS = 30_000;

    static final long AGAIN_NANOS = 300_000_000;

    /** Does something later, on the loop of that partition. */
    interface Later {
        void later(int partition, long nanos, Runnable task);
    }

    /** What became of it. */
    interface Read {
        void had(byte[] bytes);

        /** The node before has removed it: its call ended there as it went. */
        void removed();

        /**
         * It could not be had.
         *
         * @param failure why, where the store said that; else there is no such record
         */
        void missing(@Nullable String failure);
    }

    private final CallStore store;
    private final LongSupplier millis;
    private final Later later;

    RecordReads(CallStore store, LongSupplier millis, Later later) {
        this.store = store;
        this.millis = millis;
        this.later = later;
    }

    /** Tells once; never where another node goes on with it, from a state that may be later. */
    void read(KnownRecord record, Read told) {
        read(record, told, TRIES, millis.getAsLong() + MOST_MILLIS);
    }

    private void read(KnownRecord record, Read told, int tries, long untilMillis) {
        store.read(
                record.partition,
                record.id,
                found -> {
                    if (record.isOver()) {
                        return;
                    }
                    CallStore.State state = found.state();
                    byte[] bytes = state == null ? null : state.bytes();
                    String failure = found.failure();
                    int left = failure == null ? tries - 1 : tries;
                    if (bytes != null) {
                        told.had(bytes);
                    } else if (state != null && failure == null) {
                        told.removed();
                    } else if (left > 0 && millis.getAsLong() < untilMillis) {
                        later.later(
                                record.partition,
                                AGAIN_NANOS,
                                () -> read(record, told, left, untilMillis));
                    } else {
                        told.missing(failure);
                    }
                });
    }
}
