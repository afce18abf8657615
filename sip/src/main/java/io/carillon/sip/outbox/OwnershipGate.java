package io.carillon.sip.outbox;

import io.carillon.sip.observe.Counter;
import io.carillon.sip.observe.StackCounters;
import io.carillon.sip.time.TimerWheel;
import io.carillon.sip.token.Tokens;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a shard of a cluster act for the partitions that its node owns at that instant, and for no
 * other: what comes for one that is not owned is dropped, what would leave for one is dropped, but
 * for what {@link LeaseGap} keeps, and a timer of one waits until it is owned again or its call is
 * given up. Each is counted. The protocol repeats what was dropped, to whoever owns it then.
 *
 * <p>Without a cluster, and for what belongs to no call, everything passes.
 *
 * <p>Owner: the shard's thread.
 */
public final class OwnershipGate {
    private final Tokens tokens;
    private final StackCounters counters;

    /** Set before the first message. */
    private @Nullable LeaseGap gap;

    /** Of the message that came and is at work; -1 for none. */
    private int arrived = -1;

    /**
     * @param tokens with what is known of the cluster
     */
    public OwnershipGate(Tokens tokens, StackCounters counters) {
        this.tokens = tokens;
        this.counters = counters;
    }

    /**
     * What may not leave now may wait, by that wheel; before the first message.
     *
     * @param now of the event at work, nanoseconds of the wheel
     */
    public void waitsBy(TimerWheel timers, LongSupplier now) {
        gap = new LeaseGap(tokens.own(), counters, timers, now);
    }

    /** What waits for the lease. */
    LeaseGap gap() {
        return Objects.requireNonNull(gap, "the gate has no wheel yet");
    }

    /** Makes what carries a partition. */
    public Tokens tokens() {
        return tokens;
    }

    /**
     * A message came for that partition, and is at work until {@link #over}.
     *
     * @return false when nothing may be done about it here
     */
    public boolean arrives(int partition) {
        if (!tokens.own().owns(partition)) {
            counters.add(Counter.NOT_OWNED_IN);
            return false;
        }
        arrived = partition;
        return true;
    }

    /** The message that came is done. */
    public void over() {
        arrived = -1;
    }

    /**
     * The partition of the message that came and is at work; -1 for none, and without a cluster.
     */
    public int arrived() {
        return arrived;
    }

    /** May a message of that partition leave now? */
    boolean leaves(int partition) {
        return tokens.own().owns(partition);
    }

    /** A message does not leave, as {@link #leaves} has said. */
    void stays() {
        counters.add(Counter.NOT_OWNED_OUT);
    }

    /** Asked whether a timer of a partition may fire now; null without a cluster. */
    public @Nullable IntPredicate ofTimers() {
        return tokens.own().cluster() == null ? null : this::fires;
    }

    private boolean fires(int partition) {
        if (tokens.own().owns(partition)) {
            return true;
        }
        counters.add(Counter.NOT_OWNED_TIMERS);
        return false;
    }
}
