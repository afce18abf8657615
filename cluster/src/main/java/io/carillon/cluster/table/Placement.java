package io.carillon.cluster.table;

/**
 * Where copies of a partition's records lie, as one {@code int}: two member numbers, {@link
 * PartitionTable#NONE} for none. An array of them, one for each partition, is what the store of
 * copies tells the table.
 */
public final class Placement {
    /** Nothing is known. */
    public static final int UNKNOWN = of(PartitionTable.NONE, PartitionTable.NONE);

    private Placement() {}

    public static int of(int first, int second) {
        return first | (second << 8);
    }

    public static int first(int holders) {
        return holders & 0xFF;
    }

    public static int second(int holders) {
        return (holders >>> 8) & 0xFF;
    }

    static boolean holds(int holders, int member) {
        return first(holders) == member || second(holders) == member;
    }
}
