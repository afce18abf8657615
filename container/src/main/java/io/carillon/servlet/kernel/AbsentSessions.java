package io.carillon.servlet.kernel;

import io.carillon.servlet.port.Slot;

/**
 * Application sessions of this node's partitions that are not here yet, as the node before has left
 * them in records. Among the parts of a container that is in a cluster. Any thread.
 */
public interface AbsentSessions {
    Slot<AbsentSessions> SLOT = Slot.of(AbsentSessions.class);

    /**
     * Makes the one with that id of its record.
     *
     * @param then runs when it is here, or is known to be nowhere; on any thread
     * @return false where nobody has to wait for it: {@code then} is not run
     */
    boolean bring(String id, Runnable then);

    /** As {@link #bring(String, Runnable)}, of that partition: no other is waited for. */
    boolean bring(String id, int partition, Runnable then);

    /** The same for a caller that may wait: returns when it is here, or after some seconds. */
    void await(String id);

    /**
     * Makes those that may have that Call-ID: records tell the ids of their dialogs by hashes only,
     * so they are the ones of its partition, some hundreds at most. An application session that was
     * opened by a key of the application's is found by its id alone.
     *
     * @param then runs when they are here, on any thread
     * @return false where nobody has to wait: {@code then} is not run
     */
    boolean bringCall(String callId, Runnable then);

    /** The same for a caller that may wait: returns when they are here, or after some seconds. */
    void awaitCall(String callId);
}
