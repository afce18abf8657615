package io.carillon.server.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * One order of changes on which the nodes of a {@link SimulatedCluster} agree: a leader who needs a
 * majority, elections that take their time, and nodes that learn late.
 */
final class SimulatedVotes {
    private static final int NOBODY = -1;
    private static final long MILLIS = 1_000_000;

    private final SimulatedCluster cluster;
    private final List<byte[]> changes = new ArrayList<>();
    private int leader = NOBODY;
    private long electionAt;

    SimulatedVotes(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    void begin() {
        cluster.time.after(
                50 * MILLIS,
                () -> {
                    step();
                    begin();
                });
    }

    int leader() {
        return leader;
    }

    byte[] change(int index) {
        return changes.get(index);
    }

    void processEnded(int node) {
        if (node == leader) {
            leader = NOBODY;
            electionAt = cluster.time.nanoTime() + cluster.between(500, 900) * MILLIS;
        }
    }

    private void step() {
        if (leader != NOBODY && !hasMajority(leader)) {
            leader = NOBODY;
            electionAt = cluster.time.nanoTime() + cluster.between(1_000, 2_800) * MILLIS;
        }
        if (leader == NOBODY && cluster.time.nanoTime() - electionAt >= 0) {
            int first = cluster.random.nextInt(cluster.size());
            for (int i = 0; i < cluster.size() && leader == NOBODY; i++) {
                int candidate = (first + i) % cluster.size();
                leader = hasMajority(candidate) ? candidate : NOBODY;
            }
        }
        for (int node = 0; node < cluster.size(); node++) {
            learn(node);
        }
    }

    private boolean hasMajority(int candidate) {
        int with = 0;
        for (int node = 0; node < cluster.size(); node++) {
            with += cluster.meet(candidate, node) ? 1 : 0;
        }
        return with > cluster.size() / 2;
    }

    /** Proposes; nobody is told what became of it. */
    void propose(int from, byte[] change) {
        int to = leader;
        if (to != NOBODY && cluster.meet(from, to)) {
            cluster.time.after(
                    cluster.between(1, 6) * MILLIS,
                    () -> {
                        if (leader != NOBODY && hasMajority(leader)) {
                            changes.add(change);
                            for (int node = 0; node < cluster.size(); node++) {
                                int each = node;
                                cluster.time.after(
                                        cluster.between(1, 5) * MILLIS, () -> learn(each));
                            }
                        }
                    });
        }
    }

    private void learn(int node) {
        if (leader != NOBODY && cluster.meet(leader, node)) {
            cluster.node(node).learn(changes.size());
        }
    }
}
