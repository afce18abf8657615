package io.carillon.sip.token;

/**
 * Which partitions this node may act for now. A cluster divides its calls into {@value #PARTITIONS}
 * partitions; a server that is alone owns them all.
 *
 * <p>Asked on event loops before a message leaves and before a timer is told: implementations read
 * a field or two. Any thread.
 */
public interface Ownership {
    /** Partitions of a cluster. Fixed: a token carries one in ten bits. */
    int PARTITIONS = 1024;

    /** Of a server without a cluster. */
    Ownership ALONE =
            new Ownership() {
                @Override
                public boolean owns(int partition) {
                    return true;
                }

                @Override
                public long term(int partition) {
                    return 0;
                }
            };

    /**
     * May this node send and fire timers for the partition at this instant? False from the moment
     * on at which its lease has run out.
     */
    boolean owns(int partition);

    /**
     * May a request begin something in the partition? Not while it is being given to another node:
     * what is under way goes on, and what comes waits for that node.
     */
    default boolean takesNewWork(int partition) {
        return owns(partition);
    }

    /**
     * Is the partition this node's as far as it knows, whether or not its lease holds? What waits
     * for the lease waits in vain where it is not.
     */
    default boolean mayOwnAgain(int partition) {
        return owns(partition);
    }

    /**
     * May something begin there that is not found here? A previous owner still acts for calls that
     * are with it, and what it does not find may be with the owner already. Whether the lease holds
     * does not count.
     */
    default boolean mayBegin(int partition) {
        return mayOwnAgain(partition);
    }

    /** How often the partition has changed its owner. Rises; the same on all nodes that know it. */
    long term(int partition);
}
