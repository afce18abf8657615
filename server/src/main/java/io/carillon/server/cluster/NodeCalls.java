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
                public BitSet unwritten(BitSet partitions) {
                    return new BitSet();
                }

                @Override
                public boolean mayHandOver() {
                    return true;
                }

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

    /** Which of these have calls whose last state the store has not yet. */
    BitSet unwritten(BitSet partitions);

    /** Does the store keep up, so that other nodes would find what is handed over to them? */
    boolean mayHandOver();

    /** Who owns what has changed. */
    void tableChanged();

    /** How they stand. */
    ClusterView.CallsView view();
}
