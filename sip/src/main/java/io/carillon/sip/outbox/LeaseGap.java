package io.carillon.sip.outbox;

import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.time.WheelTimer;
import io.carillon.sip.token.OwnTokens;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Messages for connections that may not leave now, as this node's lease has run out while their
 * partition is still its own. Over UDP the protocol repeats what is dropped; over a connection
 * nobody does (RFC 3261 17.1.2.1 and 17.2.2), so here they wait. They leave in their order once the
 * lease holds again in the same term: then no other node has acted for the partition. Where another
 * has it, and after some seconds, they are dropped and counted.
 *
 * <p>Owner: the shard's thread. Bounded in number and time.
 */
final class LeaseGap {
    /** Of one shard. */
    static final int MOST = 1_000;

    /** Another node has the partition by then. */
    static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(4);

    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final OwnTokens own;
    private final StackCounters counters;
    private final TimerWheel timers;
    private final LongSupplier now;
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();

    /** What leaves now has waited itself, and waits for no other. */
    private boolean leaving;

    private record Waiting(int partition, long term, long untilNanos, Runnable leaves) {}

    private final WheelTimer look =
            new WheelTimer() {
                @Override
                protected void fire(long nowNanos) {
                    try {
                        look();
                    } finally {
                        arm();
                    }
                }
            };

    LeaseGap(OwnTokens own, StackCounters counters, TimerWheel timers, LongSupplier now) {
        this.own = own;
        this.counters = counters;
        this.timers = timers;
        this.now = now;
    }

    /** Has what is about to leave to wait until others have? */
    boolean goesFirst() {
        return !leaving && !waiting.isEmpty();
    }

    /**
     * Keeps a message of a partition for which this node may not act now.
     *
     * @return false when it may not act for it again, or there is no room
     */
    boolean keep(int partition, Runnable leaves) {
        if (!own.mayOwnAgain(partition) || waiting.size() == MOST) {
            return false;
        }
        waiting.add(
                new Waiting(partition, own.term(partition), now.getAsLong() + MOST_NANOS, leaves));
        arm();
        return true;
    }

    private void arm() {
        if (!waiting.isEmpty() && !look.scheduled()) {
            timers.schedule(look, now.getAsLong() + LOOK_NANOS);
        }
    }

    /** Lets leave what may; asked before anything else leaves, which came later. */
    void look() {
        leaving = true;
        try {
            letLeave(now.getAsLong());
        } finally {
            leaving = false;
        }
    }

    private void letLeave(long nowNanos) {
        for (int left = waiting.size(); left > 0; left--) {
            Waiting one = waiting.remove();
            boolean same = own.term(one.partition) == one.term;
            if (same && own.owns(one.partition)) {
                one.leaves.run();
            } else if (same && own.mayOwnAgain(one.partition) && nowNanos - one.untilNanos < 0) {
                waiting.add(one);
            } else {
                counters.add(Counter.NOT_OWNED_OUT);
            }
        }
    }
}
