package io.carillon.web;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * What a page has not read yet. A state takes the place of an older one that still waits: strangers
 * who call and hang up, again and again, fill no queue. For one thread at a time.
 */
final class EventQueue {
    static final int MOST_WAITING = 100;

    /**
     * What a page gets.
     *
     * @param of what the event tells the state of; null where it is news
     * @param first the page knows nothing of that before
     * @param last the page is to forget it
     */
    record Event(String name, Object data, @Nullable String of, boolean first, boolean last) {
        Event(String name, Object data) {
            this(name, data, null, false, false);
        }

        static Event of(CallNotification call) {
            return new Event(
                    "call-notification",
                    call,
                    call.id(),
                    call.state() == CallNotification.State.RINGING,
                    call.state() == CallNotification.State.ENDED);
        }
    }

    private final Deque<Event> waiting = new ArrayDeque<>();

    /** False where too many wait already. */
    boolean add(Event event) {
        Event next = event;
        String of = event.of();
        if (of != null) {
            for (Iterator<Event> all = waiting.iterator(); all.hasNext(); ) {
                Event older = all.next();
                if (of.equals(older.of())) {
                    all.remove();
                    if (older.first() && event.last()) {
                        return true; // the page has never heard of it
                    }
                    next = new Event(event.name(), event.data(), of, older.first(), event.last());
                }
            }
        }
        return waiting.size() < MOST_WAITING && waiting.add(next);
    }

    @Nullable Event poll() {
        return waiting.poll();
    }

    void clear() {
        waiting.clear();
    }
}
