package io.carillon.servlet.feature.adopt;

import io.carillon.sip.admission.Room;
import io.carillon.sip.admission.WaitingMessages;
import io.carillon.sip.message.Methods;
import io.carillon.sip.message.SipMessage;
import io.carillon.sip.message.SipRequest;
import io.carillon.sip.shard.Shard;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;

/**
 * Messages that wait for their call, and come again by the queue of their shard. What the network
 * brings for the same dialog meanwhile goes behind them: the dialog would refuse them otherwise, as
 * out of order (RFC 3261 12.2.2).
 *
 * <p>Any thread; the messages of a dialog come on one shard.
 */
final class ComingAgain {
    /** How many of each dialog wait, or stand in the queue. */
    private final ConcurrentHashMap<Long, Integer> dialogs = new ConcurrentHashMap<>();

    /** Of which one comes again just now. */
    private final Set<Long> inTurn = ConcurrentHashMap.newKeySet();

    private final LongAdder notQueued = new LongAdder();

    boolean isEmpty() {
        return dialogs.isEmpty();
    }

    /** Is there one of that dialog which is to come first? */
    boolean isBehind(long dialog) {
        return dialogs.containsKey(dialog) && !inTurn.contains(dialog);
    }

    /**
     * Holds the message, where there is room for it.
     *
     * @param place where its sender is counted
     * @param again brings it again, on that shard
     * @param way takes what is to be run when the wait is over; false where it has no room
     * @return does it wait?
     */
    boolean hold(
            Shard shard,
            SipMessage message,
            long dialog,
            int place,
            Runnable again,
            Predicate<Runnable> way) {
        int weight = WaitingMessages.weight(message);
        if (!shard.waiting().hasRoom(0, weight, room(message), place)) {
            notQueued.increment();
            return false;
        }
        shard.waiting().add(weight, place);
        dialogs.merge(dialog, 1, Integer::sum);
        Runnable over =
                () ->
                        shard.executor()
                                .execute(() -> {
                                    shard.waiting().remove(weight, place);
                                    come(dialog, again);
                                });
        if (way.test(over)) {
            return true;
        }
        shard.waiting().remove(weight, place);
        waitsNoMore(dialog);
        notQueued.increment();
        return false;
    }

    /** It waits for nobody but who stands in the queue before it. */
    static boolean comesNext(Runnable over) {
        over.run();
        return true;
    }

    private void come(long dialog, Runnable again) {
        waitsNoMore(dialog);
        inTurn.add(dialog);
        try {
            again.run();
        } finally {
            inTurn.remove(dialog);
        }
    }

    private void waitsNoMore(long dialog) {
        dialogs.computeIfPresent(dialog, (same, count) -> count == 1 ? null : count - 1);
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
