package io.carillon.server.cluster;

import io.carillon.sip.token.Ownership;
import java.util.BitSet;

/**
 * What this node may act for, but for partitions whose calls are still with the owner before: their
 * messages wait until those have come. Any thread; a bit for each partition.
 */
final class ComingPartitions implements Ownership {
    private final Ownership whole;
    private final BitSet coming = new BitSet(PARTITIONS); // guarded by itself

    ComingPartitions(Ownership whole) {
        this.whole = whole;
    }

    void add(int partition) {
        synchronized (coming) {
            coming.set(partition);
        }
    }

    void remove(int partition) {
        synchronized (coming) {
            coming.clear(partition);
        }
    }

    boolean has(int partition) {
        synchronized (coming) {
            return coming.get(partition);
        }
    }

    @Override
    public boolean owns(int partition) {
        return whole.owns(partition) && !has(partition);
    }

    @Override
    public long term(int partition) {
        return whole.term(partition);
    }
}
