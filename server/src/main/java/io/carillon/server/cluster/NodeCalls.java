package io.carillon.server.cluster;

import java.util.BitSet;

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
                public void tableChanged() {}

                @Override
                public ClusterView.CallsView view() {
                    return ClusterView.CallsView.NONE;
                }
            };

    /** The partition is this node's from now on: its records go on here. */
    void promoted(int partition, long term);

    /** These are not any more: their calls are dropped without a word. */
    void lost(BitSet partitions);

    /** Who owns what has changed. */
    void tableChanged();

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
