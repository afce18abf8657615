package io.carillon.server.cluster;

import io.carillon.sip.token.Ownership;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * What this node may act for, but for partitions whose calls have yet to come: those that the owner
 * before still has, and those whose records nobody has begun to look through. Their messages wait,
 * else they would find no call, and a session with a key would begin a second time. Any thread,
 * without a lock: it is asked for each message that leaves.
 */
final class ComingPartitions implements Ownership {
    private static final int AWAY = 0;
    private static final int COMING = 1;
    private static final int HERE = 2;

    private final Ownership whole;
    private final AtomicIntegerArray places = new AtomicIntegerArray(PARTITIONS);

    ComingPartitions(Ownership whole) {
        this.whole = whole;
    }

    /** It comes from the owner before. */
    void add(int partition) {
        places.set(partition, COMING);
    }

    /** Its records are being looked through: who asks for a call of it waits there. */
    void came(int partition) {
        places.set(partition, HERE);
    }

    /** It is another node's. */
    void remove(int partition) {
        places.set(partition, AWAY);
    }

    /** Is it still with the owner before? */
    boolean has(int partition) {
        return places.get(partition) == COMING;
    }

    @Override
    public boolean owns(int partition) {
        return places.get(partition) == HERE && whole.owns(partition);
    }

    @Override
    public boolean takesNewWork(int partition) {
        return places.get(partition) == HERE && whole.takesNewWork(partition);
    }

    @Override
    public boolean mayOwnAgain(int partition) {
        return places.get(partition) == HERE && whole.mayOwnAgain(partition);
    }

    @Override
    public boolean mayBegin(int partition) {
        return places.get(partition) == HERE && whole.mayBegin(partition);
    }

    @Override
    public long term(int partition) {
        return whole.term(partition);
    }
}
