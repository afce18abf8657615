package io.carillon.cluster.simulation;

import static io.carillon.cluster.simulation.Simulation.MILLIS;
import static io.carillon.cluster.simulation.Simulation.SECONDS;

/** What goes wrong in a simulation, by chance. */
final class Faults {
    private final Simulation simulation;
    private long end;

    Faults(Simulation simulation) {
        this.simulation = simulation;
    }

    void until(long when) {
        end = when;
        next();
    }

    private void next() {
        long later = simulation.between(100 * MILLIS, 4 * SECONDS);
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
        switch (simulation.random.nextInt(14)) {
            case 0, 1 -> node.kill(true);
            case 2 -> node.kill(false);
            case 3, 4, 5 -> startAgain();
            case 6, 7 -> stop(node);
            case 8 -> cutFor(simulation.between(SECONDS / 2, 12 * SECONDS), node.number);
            case 9 -> {
                network.cut(node.number, other, true);
                network.cut(other, node.number, simulation.chance(0.5));
            }
            case 10 -> oneWay(node.number, simulation.chance(0.5));
            case 11 ->
                    network.loss = simulation.chance(0.5) ? 0 : simulation.random.nextDouble() / 3;
            case 12 -> {
                network.slow(node.number, other, simulation.between(MILLIS, 4 * SECONDS));
                network.slow(other, node.number, simulation.between(MILLIS, 4 * SECONDS));
            }
            default -> {
                if (simulation.chance(0.3)) {
                    node.leave();
                } else {
                    network.heal();
                }
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
        simulation.network.heal();
        for (SimulatedNode node : simulation.nodes) {
            node.resume();
            node.start();
        }
    }
}
