package io.carillon.cluster.lease;

import io.carillon.sip.token.Ownership;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * What this node may act for now: the partitions that it has, for as long as its lease holds. One
 * thread writes; any may ask.
 */
public final class LeasedOwnership implements Ownership {
    private static final int ACTS = 1;
    private static final int TAKES_NEW_WORK = 2;
    private static final int OWNER = 4;
    private static final int BITS = 3;

    private final Lease lease;
    private final LongSupplier clock;

    /** Of each partition: its term, shifted, and what this node does in it. */
    private final AtomicLongArray partitions;

    /**
     * @param clock nanoseconds, the same clock as that of the lease; called by whoever asks
     * @param partitions how many there are
     */
    public LeasedOwnership(Lease lease, LongSupplier clock, int partitions) {
        this.lease = lease;
        this.clock = clock;
        this.partitions = new AtomicLongArray(partitions);
    }

    /**
     * Owner, or the previous owner that still has calls of it; its lease holds. A loop that has
     * read the clock already uses {@link #owns(int, long)}.
     */
    @Override
    public boolean owns(int partition) {
        return (partitions.getOpaque(partition) & ACTS) != 0 && lease.holds(clock.getAsLong());
    }

    /** As {@link #owns(int)} at this instant of the lease's clock. */
    public boolean owns(int partition, long now) {
        return (partitions.getOpaque(partition) & ACTS) != 0 && lease.holds(now);
    }

    @Override
    public boolean takesNewWork(int partition) {
        return (partitions.getOpaque(partition) & TAKES_NEW_WORK) != 0
                && lease.holds(clock.getAsLong());
    }

    /**
     * The term in which this node acts for it, which for a previous owner is the one before the
     * owner's; else the term that the table has.
     */
    @Override
    public long term(int partition) {
        return partitions.getOpaque(partition) >>> BITS;
    }

    @Override
    public boolean mayOwnAgain(int partition) {
        return (partitions.getOpaque(partition) & ACTS) != 0;
    }

    @Override
    public boolean mayBegin(int partition) {
        return (partitions.getOpaque(partition) & OWNER) != 0;
    }

    /**
     * Called by the node's own thread.
     *
     * @param acts owner, or previous owner with calls
     * @param owner by the table
     * @param takesNewWork owner, and not about to give it away
     */
    public void set(int partition, long term, boolean acts, boolean owner, boolean takesNewWork) {
        partitions.setRelease(
                partition,
                (term << BITS)
                        | (acts ? ACTS : 0)
                        | (owner ? OWNER : 0)
                        | (takesNewWork ? TAKES_NEW_WORK : 0));
    }
}
