package io.carillon.cluster.node;

import io.carillon.cluster.lease.Ack;
import io.carillon.cluster.lease.Beat;
import io.carillon.cluster.member.MemberState;

/**
 * What a {@link ClusterNode} gives. Called on its thread, within the call that caused it; nothing
 * here waits, and nothing here calls the node.
 */
public interface NodeOutput {
    /** Sends a beat to a voter. It may be lost. */
    void send(int voter, Beat beat);

    /** Sends an answer to a member. It may be lost. */
    void send(int member, Ack ack);

    /** Sends the table to a member that does not vote. It may be lost. */
    void send(int member, byte[] table);

    /**
     * Proposes a change. What became of it shows in the table: it is proposed again until then, so
     * a failure is only to be counted. One that does not vote gives it to a voter to propose.
     */
    void propose(byte[] change);

    /**
     * Would other nodes find the calls that are handed over to them? Asked before a partition moves
     * that need not.
     */
    default boolean mayHandOver() {
        return true;
    }

    /**
     * This node owns the partition from now on.
     *
     * @param previous who still has calls of it, and passes them on one by one; {@code
     *     PartitionTable.NONE}: nobody, all records are this node's
     */
    void promoted(int partition, long term, int previous);

    /** The previous owner has no calls of this partition any more; or it is dead. */
    void allOurs(int partition, long term);

    /**
     * Another owns the partition from now on; the calls that are here go to it at their first quiet
     * moment. {@link ClusterNode#handedOver} is to be called when the last one has gone.
     */
    void handOver(int partition, long term, int to);

    /**
     * The partition is not this node's any more. Calls and timers of it are dropped; nothing is
     * sent.
     *
     * @param term in which this node had it
     */
    void lost(int partition, long term);

    /** The node's own state. */
    void state(MemberState from, MemberState to, String reason);

    /**
     * Is nothing under way in the partition that would be lost with its owner: requests that are
     * not answered, calls that nobody else knows yet? Asked before it is handed over.
     *
     * @param since only what was seen later than this counts
     */
    default boolean quiet(int partition, long since) {
        return true;
    }
}
