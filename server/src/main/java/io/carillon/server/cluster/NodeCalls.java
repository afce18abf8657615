package io.carillon.server.cluster;

import io.carillon.cluster.member.MemberState;
import io.carillon.servlet.feature.adopt.LeavingCalls.Told;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** Who has the calls of a node, and is told which of them are its own. Any thread. */
public interface NodeCalls {
    /** Of a witness. */
    NodeCalls NONE =
            new NodeCalls() {
                @Override
                public void promoted(int partition, long term) {}

                @Override
                public void lost(BitSet partitions) {}

                @Override
                public BitSet unwritten(BitSet partitions) {
                    return new BitSet();
                }

                @Override
                public void letGo(BitSet partitions, Told told) {
                    partitions.stream().forEach(partition -> told.asked(partition, true));
                }

                @Override
                public BitSet present(BitSet partitions) {
                    return new BitSet();
                }

                @Override
                public boolean mayHandOver() {
                    return true;
                }

                @Override
                public void tableChanged() {}

                @Override
                public void tick(MemberState state) {}

                @Override
                public boolean quiet(int partition, long since) {
                    return true;
                }

                @Override
                public Map<Integer, ClusterView.Heard> heard() {
                    return Map.of();
                }

                @Override
                public ClusterView.CallsView view() {
                    return ClusterView.CallsView.NONE;
                }
            };

    /** The partition is this node's from now on: its records go on here. */
    void promoted(int partition, long term);

    /** These are not any more: their calls are dropped without a word. */
    void lost(BitSet partitions);

    /** Which of these have calls whose last state the store has not yet. */
    BitSet unwritten(BitSet partitions);

    /** Calls of these leave this node, but for those that the store does not have as they are. */
    void letGo(BitSet partitions, Told told);

    /** Which of these have calls here. */
    BitSet present(BitSet partitions);

    /** Which call keeps that partition here, and why; empty where none does. For the log. */
    default String keeps(int partition) {
        return "";
    }

    /**
     * Would other nodes find what is handed over to them, and have its application? The store has
     * to keep up for that.
     */
    boolean mayHandOver();

    /** Who owns what has changed. */
    void tableChanged();

    /** Time has passed, some 50 ms: what this member is now. */
    void tick(MemberState state);

    /** Does what serves them stand still? Asked with each tick. */
    default boolean hangs() {
        return false;
    }

    /**
     * Is nothing under way in the partition that would be lost with this node? As {@code
     * NodeOutput.quiet}.
     */
    boolean quiet(int partition, long since);

    /** What nodes say of themselves on the link, this one too, by their number. */
    Map<Integer, ClusterView.Heard> heard();

    /** Applications of this node, each with the members that lack it, as of the last tick. */
    default Map<String, List<Integer>> lacking() {
        return Map.of();
    }

    /**
     * A message of another member came that may be about calls; false where it is not.
     *
     * @param from number of the member
     */
    default boolean received(int from, byte[] message) {
        return false;
    }

    /** How they stand. */
    ClusterView.CallsView view();
}
