package io.carillon.cluster.simulation;

import static io.carillon.cluster.simulation.Simulation.MILLIS;

/** Carries messages between nodes, late or not at all. */
final class Network {
    private final Simulation simulation;
    private final boolean[][] cut;
    private final long[][] slow;
    double loss;

    Network(Simulation simulation) {
        this.simulation = simulation;
        int members = simulation.shape.members;
        this.cut = new boolean[members][members];
        this.slow = new long[members][members];
    }

    /** Does nothing pass from one to the other? */
    boolean isCut(int from, int to) {
        return cut[from][to];
    }

    boolean bothWays(int one, int other) {
        return !cut[one][other] && !cut[other][one];
    }

    void cut(int from, int to, boolean now) {
        if (from != to) {
            cut[from][to] = now;
        }
    }

    void isolate(int node, boolean now) {
        for (int other = 0; other < cut.length; other++) {
            cut(node, other, now);
            cut(other, node, now);
        }
    }

    /** Messages between the two take up to so long. */
    void slow(int from, int to, long most) {
        slow[from][to] = most;
    }

    void heal() {
        loss = 0;
        for (int from = 0; from < cut.length; from++) {
            for (int to = 0; to < cut.length; to++) {
                cut[from][to] = false;
                slow[from][to] = 0;
            }
        }
    }

    long delay(int from, int to) {
        long usual = simulation.between(MILLIS / 10, 3 * MILLIS);
        return slow[from][to] > 0 ? usual + simulation.between(0, slow[from][to]) : usual;
    }

    /** A datagram: it may be lost, and be later than one that was sent behind it. */
    void send(int from, int to, Runnable arrives) {
        if (cut[from][to] || simulation.chance(loss)) {
            return;
        }
        SimulatedNode target = simulation.nodes.get(to);
        simulation.in(delay(from, to), () -> target.take(arrives));
    }
}
