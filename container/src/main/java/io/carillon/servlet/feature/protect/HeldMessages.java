package io.carillon.servlet.feature.protect;

import io.carillon.sip.shard.Shard;
import io.carillon.sip.time.WheelTimer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one event loop that wait for the records of their calls. Each leaves when its
 * record is safe, when it is known that it will not be in time, or when its time is over.
 *
 * <p>Owner: the shard's thread.
 */
final class HeldMessages extends WheelTimer {
    private final Shard shard;
    private final ShardRecords records;
    private final ProtectionCounts counts;
    private final long waitNanos;
    private final int most;

    /** All that wait, and some that have left; the next one due is the first. */
    private final ArrayDeque<HeldMessage> byDeadline = new ArrayDeque<>();

    private volatile int waiting;

    HeldMessages(
            Shard shard,
            ShardRecords records,
            ProtectionCounts counts,
            ProtectionSettings settings) {
        this.shard = shard;
        this.records = records;
        this.counts = counts;
        this.waitNanos = settings.waitAtMost().toNanos();
        this.most = settings.messagesWaiting();
    }

    /** How many wait now. Any thread. */
    int waiting() {
        return waiting;
    }

    /** How long one may wait. Any thread. */
    long waitNanos() {
        return waitNanos;
    }

    /** A message was sent in the turn of its call. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void arrive(HeldMessage message) {
        ProtectedCall call = message.call;
        MessageQueue queue = queue(call);
        queue.add(message);
        waiting++;
        message.sinceNanos = shard.executor().nanoTime();
        if (call.record.gone) {
            settleAll(call); // nobody else would
            return;
        }
        boolean safe = message.needs <= call.record.protectedThrough;
        Unprotected why = safe ? null : whyNotWait(call);
        if (why != null) {
            message.deadlineNanos = shard.now();
            giveUp(message, why);
        } else if (!safe || queue.first() != message) {
            message.deadlineNanos = shard.now() + waitNanos;
            if (byDeadline.isEmpty()) {
                shard.timers().schedule(this, message.deadlineNanos);
            }
            byDeadline.add(message);
        } else {
            leave(queue, message, null);
        }
    }

    /** Null when the record may be safe in time. */
    private @Nullable Unprotected whyNotWait(ProtectedCall call) {
        return waiting > most ? Unprotected.SLOW : records.whyLate(call);
    }

    private static MessageQueue queue(ProtectedCall call) {
        MessageQueue queue = call.queue();
        if (queue == null) {
            throw new IllegalStateException("no message of the call waits");
        }
        return queue;
    }

    @Override
    protected void fire(long nowNanos) {
        for (HeldMessage m = byDeadline.peek(); m != null; m = byDeadline.peek()) {
            if (!m.left() && m.deadlineNanos > nowNanos) {
                shard.timers().schedule(this, m.deadlineNanos);
                return;
            }
            byDeadline.remove();
            if (!m.left()) {
                if (records.turnIsLong(m.call, m.needs)) {
                    LongHandlers.seenIn(m.call.session.application());
                }
                giveUp(m, Unprotected.SLOW);
            }
        }
    }

    /** It leaves without its record, and so do those before it. */
    private void giveUp(HeldMessage message, Unprotected why) {
        ProtectedCall call = message.call;
        MessageQueue queue = queue(call);
        for (HeldMessage m = queue.first(); m != null && !message.left(); m = queue.first()) {
            leave(queue, m, why);
        }
        if (message.needs != HeldMessage.ANY) {
            records.leftWithout(call, message.needs, why);
        }
        followers(call, queue);
    }

    /**
     * It is known of the states up to that one whether they are safe.
     *
     * @param why they are not; null when they are
     */
    void settle(ProtectedCall call, long sequence, @Nullable Unprotected why) {
        MessageQueue queue = call.queue();
        if (queue == null) {
            return;
        }
        for (HeldMessage m = queue.first(); m != null && m.needs <= sequence; m = queue.first()) {
            leave(queue, m, why);
        }
    }

    /** The call has ended, or there is nothing to keep of it: nothing waits any more. */
    void settleAll(ProtectedCall call) {
        MessageQueue queue = call.queue();
        if (queue != null) {
            for (HeldMessage m = queue.first(); m != null; m = queue.first()) {
                waiting(-1);
                queue.leave(m);
            }
        }
    }

    /** Those at the head that wait for nothing now. */
    private void followers(ProtectedCall call, MessageQueue queue) {
        for (HeldMessage m = queue.first();
                m != null && m.needs <= call.record.protectedThrough;
                m = queue.first()) {
            leave(queue, m, null);
        }
    }

    private void leave(MessageQueue queue, HeldMessage message, @Nullable Unprotected why) {
        waiting(-1);
        if (message.needs != HeldMessage.ANY) {
            if (why == null) {
                counts.leftProtected.increment();
            } else {
                counts.left(why);
            }
            counts.waits.add(shard.executor().nanoTime() - message.sinceNanos);
        }
        queue.leave(message);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void waiting(int more) {
        waiting += more;
    }
}
