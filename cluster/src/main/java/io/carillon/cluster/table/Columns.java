package io.carillon.cluster.table;

import java.util.Arrays;

/** A member or a number for each partition. Whoever has it alone may write; see {@link #copy}. */
final class Columns {
    final byte[] owner;
    final byte[] next;
    final byte[] previous;
    final byte[] movingTo;
    final long[] term;

    Columns(byte[] owner, byte[] next, byte[] previous, byte[] movingTo, long[] term) {
        this.owner = owner;
        this.next = next;
        this.previous = previous;
        this.movingTo = movingTo;
        this.term = term;
    }

    static Columns empty(int partitions) {
        byte[] none = new byte[partitions];
        Arrays.fill(none, (byte) PartitionTable.NONE);
        return new Columns(none, none.clone(), none.clone(), none.clone(), new long[partitions]);
    }

    Columns copy() {
        return new Columns(
                owner.clone(), next.clone(), previous.clone(), movingTo.clone(), term.clone());
    }
}
