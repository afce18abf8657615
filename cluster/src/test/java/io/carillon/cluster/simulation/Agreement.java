package io.carillon.cluster.simulation;

import static io.carillon.cluster.simulation.Simulation.MILLIS;

import java.util.ArrayList;
import java.util.List;

/**
 * One order of changes on which voters agree: a leader who needs a majority, elections that take
 * their time, proposals that are lost, come late or twice, voters who learn late, and who begin at
 * the first change when they start again.
 */
final class Agreement {
    private static final int NOBODY = -1;

    private final Simulation simulation;
    private final List<byte[]> changes = new ArrayList<>();
    private final double late;
    private int leader = NOBODY;
    private long electionAt;

    Agreement(Simulation simulation) {
        this.simulation = simulation;
        this.late = simulation.chance(0.5) ? 0.02 : 0.3;
    }

    void begin() {
        simulation.in(50 * MILLIS, this::step);
    }

    int leader() {
        return leader;
    }

    int size() {
        return changes.size();
    }

    byte[] change(int index) {
        return changes.get(index);
    }

    /** A leader whose process ended is missed sooner than one that went silent. */
    void processEnded(int node) {
        if (node == leader) {
            leader = NOBODY;
            electionAt = simulation.now() + simulation.between(500 * MILLIS, 900 * MILLIS);
        }
    }

    private void step() {
        simulation.in(50 * MILLIS, this::step);
        if (leader != NOBODY && !hasMajority(leader)) {
            leader = NOBODY;
            electionAt = simulation.now() + simulation.between(1_000 * MILLIS, 2_800 * MILLIS);
        }
        if (leader == NOBODY && simulation.now() >= electionAt) {
            elect();
        }
        for (int voter = 0; voter < simulation.shape.voters; voter++) {
            learn(voter);
        }
    }

    private void elect() {
        int first = simulation.random.nextInt(simulation.shape.voters);
        for (int i = 0; i < simulation.shape.voters; i++) {
            int candidate = (first + i) % simulation.shape.voters;
            if (hasMajority(candidate)) {
                leader = candidate;
                return;
            }
        }
    }

    private boolean hasMajority(int candidate) {
        if (!simulation.nodes.get(candidate).runs()) {
            return false;
        }
        int with = 0;
        for (int voter = 0; voter < simulation.shape.voters; voter++) {
            if (simulation.nodes.get(voter).runs()
                    && (voter == candidate || simulation.network.bothWays(voter, candidate))) {
                with++;
            }
        }
        return with > simulation.shape.voters / 2;
    }

    /** Proposes; nobody is told what became of it. */
    void propose(int from, byte[] change) {
        if (simulation.chance(late)) {
            // A copy of it was waiting somewhere.
            simulation.in(simulation.between(0, 12_000 * MILLIS), () -> decide(change));
        }
        int to = leader;
        if (to == NOBODY || simulation.chance(0.02)) {
            return;
        }
        if (from == to) {
            simulation.in(MILLIS, () -> decide(change));
        } else if (simulation.network.bothWays(from, to)) {
            simulation.in(
                    simulation.network.delay(from, to) + simulation.network.delay(to, from),
                    () -> decide(change));
        }
    }

    private void decide(byte[] change) {
        if (leader == NOBODY || !hasMajority(leader)) {
            return;
        }
        changes.add(change);
        for (int voter = 0; voter < simulation.shape.voters; voter++) {
            int each = voter;
            if (!simulation.chance(simulation.network.loss)) {
                simulation.in(simulation.network.delay(leader, each), () -> learn(each));
            }
        }
    }

    private void learn(int voter) {
        if (leader != NOBODY
                && (voter == leader || simulation.network.bothWays(leader, voter))
                && simulation.nodes.get(voter).runs()) {
            simulation.nodes.get(voter).learn(changes.size());
        }
    }
}
