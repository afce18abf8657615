package io.carillon.telemetry.records;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Messages of calls that are not known here, for a moment: a call of another node is often taken
 * over for the very message that ends it, which was looked at before. Any thread.
 */
final class Unclaimed {
    /** Call-IDs, and messages of each. */
    static final int MOST = 2_000;

    static final int MOST_OF_ONE = 4;

    /** A longer one is not kept. */
    static final int MOST_BYTES = 8_192;

    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(40);

    private final Map<String, Messages> byCallId =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Messages> eldest) {
                    return size() > MOST;
                }
            };

    private record Messages(long atNanos, List<Runnable> looks) {}

    /**
     * That one came and found no call.
     *
     * @param look looks at it again
     */
    synchronized void add(String callId, long now, Runnable look) {
        Iterator<Messages> eldest = byCallId.values().iterator();
        while (eldest.hasNext() && now - eldest.next().atNanos() > KEPT_NANOS) {
            eldest.remove();
        }
        Messages all =
                byCallId.computeIfAbsent(
                        LegTable.key(callId), id -> new Messages(now, new ArrayList<>(1)));
        if (all.looks().size() < MOST_OF_ONE) {
            all.looks().add(look);
        }
    }

    /** Those of a call that is known from now on, in their order; each once. */
    List<Runnable> claim(String callId) {
        Messages all;
        synchronized (this) {
            all = byCallId.remove(LegTable.key(callId));
        }
        return all == null ? List.of() : all.looks();
    }
}
