package io.carillon.server.cluster;

import io.carillon.sip.token.Ownership;
import java.util.BitSet;

/**
 * What this node may act for, but for partitions whose calls have yet to come: those that the owner
 * before still has, and those whose records nobody has begun to look through. Their messages wait,
 * else they would find no call. Any thread; two bits for each partition.
 */
final class ComingPartitions implements Ownership {
    private final Ownership whole;
    private final BitSet coming = new BitSet(PARTITIONS); // guarded by itself
    private final BitSet here = new BitSet(PARTITIONS); // guarded by coming

    ComingPartitions(Ownership whole) {
        this.whole = whole;
    }

    /** It comes from the owner before. */
    void add(int partition) {
        synchronized (coming) {
            coming.set(partition);
            here.clear(partition);
        }
    }

    /** Its records are being looked through: who asks for a call of it waits there. */
    void came(int partition) {
        synchronized (coming) {
            coming.clear(partition);
            here.set(partition);
        }
    }

    /** It is another node's. */
    void remove(int partition) {
        synchronized (coming) {
            coming.clear(partition);
            here.clear(partition);
        }
    }

    /** Is it still with the owner before? */
    boolean has(int partition) {
        synchronized (coming) {
            return coming.get(partition);
        }
    }

    private boolean isHere(int partition) {
        synchronized (coming) {
            return here.get(partition);
        }
    }

    @Override
    public boolean owns(int partition) {
        return whole.owns(partition) && isHere(partition);
    }

    @Override
    public boolean takesNewWork(int partition) {
        return whole.takesNewWork(partition) && isHere(partition);
    }

    @Override
    public long term(int partition) {
        return whole.term(partition);
    }
}
