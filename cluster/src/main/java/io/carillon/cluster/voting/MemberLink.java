package io.carillon.cluster.voting;

import java.util.Set;

/**
 * Small messages between the members of a cluster (beats, acknowledgements), and what is known
 * about their connections. Messages to a member come in the order in which they were sent, or not
 * at all; none is repeated for long. Nobody but a holder of the cluster's key can send here.
 *
 * <p>Any thread. Nothing here waits.
 */
public interface MemberLink {
    /** Told of everything on one thread, in order. */
    interface Listener {
        /**
         * A message has come.
         *
         * @param from number of the member that sent it; this node's own for what it sent itself
         */
        void received(int from, byte[] bytes);

        /** The member is seen: messages to it can arrive from now on. */
        void joined(int member);

        /**
         * The member is not seen any more. It may live behind a cut wire, or be stopped: its lease
         * has to run out.
         */
        void left(int member);

        /**
         * Proof of death: the member's process has ended. Its host closed its connections, and
         * refuses new ones to its port. Comes before {@link #left}, or soon after it where another
         * member had the proof first; not in every case of a death.
         */
        void died(int member);
    }

    /** Number of this member. */
    int self();

    /** Members that are seen now, this one among them. */
    Set<Integer> seen();

    /** Sends; dropped silently when the member is not seen. */
    void send(int member, byte[] bytes);

    /**
     * Sends to a member that was seen once, and which may see this one still. It may come out of
     * order, or be lost.
     */
    void sendUnseen(int member, byte[] bytes);

    /** Messages and events that found no room, since the start. */
    long dropped();

    /** Members that are not heard, or do not hear us: messages to them go by a third one now. */
    int byAnother();

    /** Set before the link starts. */
    void listen(Listener listener);
}
