package io.carillon.cluster.table;

import io.carillon.cluster.voting.Voting;
import java.util.function.Consumer;

/**
 * The table where the voting's own thread makes it: change by change, or from a state in place of
 * many changes. What it comes to is handed on as tables, which any thread may have.
 *
 * <p>One thread, that of the voting.
 */
public final class VotedTable implements Voting.Snapshots {
    private final TableMachine machine;
    private final Consumer<PartitionTable> younger;

    /**
     * @param start the same on all voters
     * @param younger gets each table that differs from the one before, in order
     */
    public VotedTable(PartitionTable start, Consumer<PartitionTable> younger) {
        this.machine = new TableMachine(start);
        this.younger = younger;
    }

    /** The voters have agreed on a change. */
    public void applied(byte[] change) {
        if (machine.apply(change)) {
            younger.accept(machine.table());
        }
    }

    /** What all changes up to now have made. */
    @Override
    public byte[] state() {
        return machine.table().toBytes();
    }

    /**
     * Goes on from there, when it is younger than what is here.
     *
     * @throws IllegalArgumentException the bytes are no table
     */
    @Override
    public void restore(byte[] state) {
        if (machine.follow(PartitionTable.read(state))) {
            younger.accept(machine.table());
        }
    }

    /** Changes that could not be read. */
    public long unread() {
        return machine.unread();
    }
}
