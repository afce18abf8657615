package io.carillon.servlet.feature.adopt;

import io.carillon.sip.admission.Room;
import io.carillon.sip.admission.WaitingMessages;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.Shard;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait for their call, and come again by the queue of their shard: those of a dialog
 * one after the other, in the order in which the network brought them. What comes meanwhile goes
 * behind them: the dialog would refuse with 500 what is out of order (RFC 3261 12.2.2).
 *
 * <p>Owner of what waits: the thread of its shard. {@link #isEmpty} and {@link #notQueued} any
 * thread.
 */
final class ComingAgain {
    /** Of a dialog that may wait. */
    static final int MOST_OF_ONE = KnownRecord.MOST_WAITING;

    /** One who waits. */
    private static final class Held {
        final Runnable again;

        /** Its own wait is over: it comes when it is the first. */
        boolean ready;

        Held(Runnable again) {
            this.again = again;
        }
    }

    /** Those of a dialog, the first one first. */
    private static final class Line {
        final ArrayDeque<Held> held = new ArrayDeque<>();

        /** The first one comes just now, and may wait for something else, in its place. */
        boolean comes;
    }

    /** A dialog, on the shard where its messages come. */
    private record Place(Shard shard, long dialog) {}

    private final ConcurrentHashMap<Place, Line> lines = new ConcurrentHashMap<>();
    private final LongAdder notQueued = new LongAdder();

    boolean isEmpty() {
        return lines.isEmpty();
    }

    /** Is there one of that dialog which is to come before what has come just now? */
    boolean isBehind(Shard shard, long dialog) {
        Line line = lines.isEmpty() ? null : lines.get(new Place(shard, dialog));
        return line != null && !line.comes;
    }

    /**
     * Holds the message, where there is room for it.
     *
     * @param from where its sender is counted
     * @param again brings it again, on that shard
     * @param way takes what is to be run when the wait is over, once; false where it has no room
     * @return does it wait?
     */
    boolean hold(
            Shard shard,
            SipMessage message,
            long dialog,
            int from,
            Runnable again,
            Predicate<Runnable> way) {
        int weight = WaitingMessages.weight(message);
        Place place = new Place(shard, dialog);
        Line known = lines.get(place);
        boolean crowded = known != null && !known.comes && known.held.size() >= MOST_OF_ONE;
        if (crowded || !shard.waiting().hasRoom(0, weight, room(message), from)) {
            notQueued.increment();
            return false;
        }
        Held held =
                new Held(() -> {
                    shard.waiting().remove(weight, from);
                    again.run();
                });
        shard.waiting().add(weight, from);
        Line line = lines.computeIfAbsent(place, same -> new Line());
        if (line.comes) {
            line.held.addFirst(held); // it has come before all that wait
        } else {
            line.held.addLast(held);
        }
        boolean waits = false;
        try {
            waits = way.test(() -> shard.executor().execute(() -> ready(place, held)));
        } finally {
            if (!waits) {
                shard.waiting().remove(weight, from);
                line.held.remove(held);
                if (line.held.isEmpty() && !line.comes) {
                    lines.remove(place, line);
                }
                notQueued.increment();
            }
        }
        return waits;
    }

    /** It waits for nobody but those who come before it. */
    static boolean comesNext(Runnable over) {
        over.run();
        return true;
    }

    private void ready(Place place, Held held) {
        held.ready = true;
        Line line = lines.get(place);
        if (line != null && !line.comes) {
            come(place, line);
        }
    }

    private void come(Place place, Line line) {
        Held first = first(line);
        if (first == null) {
            return;
        }
        line.comes = true;
        try {
            first.again.run();
        } finally {
            line.comes = false;
            Held next = line.held.peekFirst();
            if (next == null) {
                lines.remove(place, line);
            } else if (next.ready) {
                place.shard.executor().execute(() -> come(place, line));
            }
        }
    }

    private static @Nullable Held first(Line line) {
        Held first = line.held.peekFirst();
        return first != null && first.ready ? line.held.pollFirst() : null;
    }

    /** What may begin something leaves room for what surely belongs to a call. */
    private static Room room(SipMessage message) {
        return message instanceof SipRequest request
                        && request.toTag() == null
                        && !request.is(Methods.CANCEL)
                ? Room.NEW
                : Room.DIALOG;
    }

    /** Messages that found no room to wait. */
    long notQueued() {
        return notQueued.sum();
    }
}
