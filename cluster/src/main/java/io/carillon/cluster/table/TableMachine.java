package io.carillon.cluster.table;

import java.util.List;

/**
 * Makes one table of the next, in the order on which the voters agreed. Every voter runs it; all
 * come to the same tables, whatever build they are: what a change does is never changed. One
 * thread; {@link #table()} is for any.
 */
public final class TableMachine {
    private volatile PartitionTable table;
    private long unread;

    /**
     * @param start the same on all voters: {@link PartitionTable#of(int...)}, or what another one
     *     has come to
     */
    public TableMachine(PartitionTable start) {
        this.table = start;
    }

    public PartitionTable table() {
        return table;
    }

    /**
     * Makes a change. Bytes that are no change are counted and make none, on every voter alike.
     *
     * @return did it change something?
     */
    public boolean apply(byte[] change) {
        TableChange read;
        try {
            read = TableChange.read(change);
        } catch (IllegalArgumentException e) {
            unread++;
            return false;
        }
        return apply(read);
    }

    /** As {@link #apply(byte[])}. */
    public boolean apply(TableChange change) {
        PartitionTable before = table;
        PartitionTable after = TableRules.after(before, change);
        table = after;
        return after.version() != before.version();
    }

    /**
     * The best way to spread owners evenly, and to have them follow the copies.
     *
     * @param holders a {@link Placement} for each partition; empty: not known
     */
    public TableChange.Rebalance plan(List<Integer> holders) {
        PartitionTable now = table;
        return new TableChange.Rebalance(now.version(), Rebalancing.planned(now.draft(), holders));
    }

    /** Would this change anything now? */
    public boolean wouldChange(TableChange change) {
        PartitionTable now = table;
        return TableRules.after(now, change).version() != now.version();
    }

    /**
     * Takes a younger table over, as one that does not vote gets it from a voter.
     *
     * @return was it younger, and of the same voters?
     */
    public boolean follow(PartitionTable younger) {
        PartitionTable now = table;
        if (younger.version() <= now.version()
                || younger.partitions() != now.partitions()
                || younger.votersDigest() != now.votersDigest()) {
            return false;
        }
        table = younger;
        return true;
    }

    /** Changes that could not be read. */
    public long unread() {
        return unread;
    }
}
