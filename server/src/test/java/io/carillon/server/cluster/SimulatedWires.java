package io.carillon.server.cluster;

import java.util.HashSet;
import java.util.Set;

/**
 * Which nodes of a {@link SimulatedCluster} hear and are heard. One thread.
 *
 * <p>A datagram needs one direction. A connection needs both: votes and copies go by connections.
 */
final class SimulatedWires {
    /** What is wrong with the wire of a node. */
    enum Cut {
        BOTH_WAYS,
        /** Nothing reaches the node; what it sends arrives. */
        DEAF,
        /** All reaches the node; what it sends is lost. */
        MUTE
    }

    private final Set<Integer> deaf = new HashSet<>();
    private final Set<Integer> mute = new HashSet<>();

    void cut(int node, Cut how) {
        if (how != Cut.MUTE) {
            deaf.add(node);
        }
        if (how != Cut.DEAF) {
            mute.add(node);
        }
    }

    void mend(int node) {
        deaf.remove(node);
        mute.remove(node);
    }

    boolean hears(int node) {
        return !deaf.contains(node);
    }

    boolean isHeard(int node) {
        return !mute.contains(node);
    }

    boolean isWhole(int node) {
        return hears(node) && isHeard(node);
    }
}
