package io.carillon.sip.overload;

import java.util.concurrent.TimeUnit;

/**
 * The delay of the place where messages wait longest, as it was seen last. What was told of the
 * socket holds for one look, as it comes with each batch that has waited; what was told of other
 * places, which may not be as often, for 25 ms.
 *
 * <p>Owner: the shard's thread.
 */
final class SeenDelay {
    private static final long HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

    private final QueueingDelay told = new QueueingDelay();
    private final long[] held = new long[QueueingDelay.PLACES.length];
    private final long[] heldSinceNanos = new long[QueueingDelay.PLACES.length];
    private Waiting where = Waiting.SOCKET;
    private long nanos;

    /** Who sees messages wait tells it. Any thread. */
    QueueingDelay told() {
        return told;
    }

    /** Asks what was told since the last look. */
    void look(long nowNanos) {
        nanos = 0;
        where = Waiting.SOCKET;
        for (Waiting place : QueueingDelay.PLACES) {
            long waited = now(place, told.take(place), nowNanos);
            // One slow reader is no reason to refuse others: what waits for it is shown only.
            if (waited > nanos && place != Waiting.CONNECTION) {
                nanos = waited;
                where = place;
            }
        }
    }

    private long now(Waiting place, long waited, long nowNanos) {
        int i = place.index();
        if (waited != QueueingDelay.NOTHING) {
            held[i] = waited;
            heldSinceNanos[i] = nowNanos;
        } else if (place == Waiting.SOCKET || nowNanos - heldSinceNanos[i] >= HELD_NANOS) {
            held[i] = 0;
        }
        return held[i];
    }

    /** Where it is. */
    Waiting where() {
        return where;
    }

    /** How long. */
    long nanos() {
        return nanos;
    }
}
