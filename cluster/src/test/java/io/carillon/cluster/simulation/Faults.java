package io.carillon.cluster.simulation;

import static io.carillon.cluster.simulation.Simulation.MILLIS;
import static io.carillon.cluster.simulation.Simulation.SECONDS;

import io.carillon.cluster.table.Placement;
import java.util.Set;
import java.util.TreeSet;

/** What goes wrong in a simulation, by chance. */
final class Faults {
    private final Simulation simulation;
    private final long most;
    private long end;

    Faults(Simulation simulation) {
        this.simulation = simulation;
        this.most = simulation.between(SECONDS / 2, 4 * SECONDS);
    }

    void until(long when) {
        end = when;
        next();
    }

    private void next() {
        long later = simulation.between(50 * MILLIS, most);
        if (simulation.now() + later < end) {
            simulation.in(
                    later,
                    () -> {
                        one();
                        next();
                    });
        }
    }

    private void one() {
        int members = simulation.shape.members;
        SimulatedNode node = simulation.nodes.get(simulation.random.nextInt(members));
        int other = simulation.random.nextInt(members);
        Network network = simulation.network;
        switch (simulation.random.nextInt(17)) {
            case 0, 1 -> kill(node, true);
            case 2 -> kill(node, false);
            case 3, 4, 5 -> startAgain();
            case 6, 7 -> stop(node);
            case 8 -> cutFor(simulation.between(SECONDS / 2, 12 * SECONDS), node.number);
            case 9 -> cut(node.number, other, simulation.chance(0.5));
            case 10 -> oneWay(node.number, simulation.chance(0.5));
            case 11 ->
                    network.loss = simulation.chance(0.5) ? 0 : simulation.random.nextDouble() / 3;
            case 12, 13 -> slow(node.number, other);
            case 14 -> copiesMove();
            case 15 -> leavesOut(node, simulation.nodes.get(other));
            default -> {
                if (simulation.chance(0.3)) {
                    node.leave();
                } else {
                    network.heal();
                }
            }
        }
    }

    /** Half of them are started again by whoever watches over processes. */
    private void kill(SimulatedNode node, boolean hostLives) {
        node.kill(hostLives);
        if (simulation.chance(0.5)) {
            simulation.in(simulation.between(50 * MILLIS, 800 * MILLIS), node::start);
        }
    }

    private void cut(int one, int other, boolean bothWays) {
        simulation.network.cut(one, other, true);
        simulation.network.cut(other, one, bothWays);
        simulation.in(
                simulation.between(SECONDS, 10 * SECONDS),
                () -> {
                    simulation.network.cut(one, other, false);
                    simulation.network.cut(other, one, false);
                });
    }

    private void slow(int one, int other) {
        simulation.network.slow(one, other, simulation.between(MILLIS, 4 * SECONDS));
        simulation.network.slow(other, one, simulation.between(MILLIS, 4 * SECONDS));
        simulation.in(
                simulation.between(SECONDS, 10 * SECONDS),
                () -> {
                    simulation.network.slow(one, other, 0);
                    simulation.network.slow(other, one, 0);
                });
    }

    /** One does not see the other any more, right or wrong. */
    private void leavesOut(SimulatedNode node, SimulatedNode other) {
        Set<Integer> seen = new TreeSet<>();
        for (int each = 0; each < simulation.shape.members; each++) {
            if (each != other.number && simulation.chance(0.8)) {
                seen.add(each);
            }
        }
        if (node != other && node.runs()) {
            node.leavesOut(other, seen);
        }
    }

    /** The store has copies elsewhere. */
    private void copiesMove() {
        int[] holders = new int[Simulation.PARTITIONS];
        int members = simulation.shape.members;
        for (int p = 0; p < holders.length; p++) {
            int first = simulation.random.nextInt(members);
            holders[p] = Placement.of(first, (first + 1) % members);
        }
        for (SimulatedNode node : simulation.nodes) {
            if (node.runs()) {
                node.node().placed(holders, node.clock());
            }
        }
    }

    private void startAgain() {
        for (SimulatedNode node : simulation.nodes) {
            if (!node.exists()) {
                node.start();
                return;
            }
        }
    }

    private void stop(SimulatedNode node) {
        node.stop();
        long until = simulation.now() + simulation.between(100 * MILLIS, 25 * SECONDS);
        simulation.at(until, node::resume);
    }

    private void cutFor(long time, int node) {
        simulation.network.isolate(node, true);
        simulation.in(time, () -> simulation.network.isolate(node, false));
    }

    private void oneWay(int node, boolean hears) {
        for (int other = 0; other < simulation.shape.members; other++) {
            simulation.network.cut(hears ? node : other, hears ? other : node, true);
        }
    }

    /** Everything works from now on, and everybody is there. */
    void over() {
        simulation.faultsAreOver = true;
        simulation.network.heal();
        for (SimulatedNode node : simulation.nodes) {
            node.resume();
            node.start();
        }
    }
}
