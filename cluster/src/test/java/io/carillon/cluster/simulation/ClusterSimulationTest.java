package io.carillon.cluster.simulation;

import static io.carillon.cluster.simulation.Simulation.MILLIS;
import static io.carillon.cluster.simulation.Simulation.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.node.ClusterTimes;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clusters under faults of all kinds, each run made by its seed. {@code -Dcarillon.seeds=10000}
 * runs more of them, {@code -Dcarillon.seed=N} one.
 */
class ClusterSimulationTest {
    private static final ClusterTimes STANDARD = ClusterTimes.STANDARD;

    /** Partitions move sooner, so that more of them do while something fails. */
    static final ClusterTimes RESTLESS =
            new ClusterTimes(
                    STANDARD.beat(),
                    STANDARD.lease(),
                    STANDARD.margin(),
                    STANDARD.again(),
                    STANDARD.doubt(),
                    3 * SECONDS,
                    STANDARD.rejoin(),
                    STANDARD.fill(),
                    SECONDS,
                    4 * SECONDS,
                    16,
                    STANDARD.firstHandOvers(),
                    STANDARD.doubling());

    @ParameterizedTest
    @EnumSource(Shape.class)
    void neverTwoOwnersAndOneWhenTheFaultsAreOver(Shape shape) {
        Long one = Long.getLong("carillon.seed");
        long seeds = Long.getLong("carillon.seeds", 50);
        long from = one == null ? 0 : one;
        long to = one == null ? seeds / Shape.values().length : one + 1;
        for (long seed = from; seed < to; seed++) {
            run(seed, shape, BrokenRule.NONE);
        }
    }

    @ParameterizedTest
    @EnumSource(value = BrokenRule.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aBrokenRuleIsFound(BrokenRule broken) {
        assertThat(seedThatFinds(broken)).as("seed that finds it").isNotNegative();
    }

    private static long seedThatFinds(BrokenRule broken) {
        for (long seed = 0; seed < 400; seed++) {
            try {
                run(seed, Shape.THREE, broken);
            } catch (AssertionError e) {
                if (String.valueOf(e.getMessage()).contains("acts in term")) {
                    return seed;
                }
            }
        }
        return -1;
    }

    private static void run(long seed, Shape shape, BrokenRule broken) {
        ClusterTimes times = seed % 2 == 0 ? STANDARD : RESTLESS;
        Simulation simulation = new Simulation(seed, shape, broken(times, broken), broken);
        simulation.startAll();
        if (!simulation.runUntil(simulation.invariants::allOwned, 8 * SECONDS)) {
            simulation.invariants.fail("nobody owns after the start" + owners(simulation));
        }
        Faults faults = new Faults(simulation);
        faults.until(simulation.now() + 60 * SECONDS);
        simulation.runFor(60 * SECONDS);
        faults.over();
        if (!simulation.runUntil(simulation.invariants::allOwned, 8 * SECONDS)) {
            simulation.invariants.fail("not owned 8 s after the faults" + owners(simulation));
        }
        for (int i = 0; i < 30; i++) {
            simulation.runFor(SECONDS);
            if (i > 8) {
                noneIsWithoutAnOwnerForLong(simulation);
            }
        }
    }

    /** From when a hand-over was agreed until the new owner knows it, nobody takes calls. */
    private static void noneIsWithoutAnOwnerForLong(Simulation simulation) {
        Set<Integer> without = simulation.invariants.notOwned();
        simulation.runUntil(
                () -> {
                    without.removeIf(simulation.invariants::owned);
                    return without.isEmpty();
                },
                SECONDS / 2);
        if (!without.isEmpty()) {
            simulation.invariants.fail(
                    without + " had no owner in quiet times" + owners(simulation));
        }
    }

    private static ClusterTimes broken(ClusterTimes times, BrokenRule broken) {
        return broken != BrokenRule.SUSPECTS_EARLY
                ? times
                : new ClusterTimes(
                        times.beat(),
                        times.lease(),
                        -1_000 * MILLIS,
                        times.again(),
                        times.doubt(),
                        times.settle(),
                        times.rejoin(),
                        times.fill(),
                        times.quiet(),
                        times.handOver(),
                        times.handOvers(),
                        times.firstHandOvers(),
                        times.doubling());
    }

    private static String owners(Simulation simulation) {
        StringBuilder text = new StringBuilder();
        for (SimulatedNode node : simulation.nodes) {
            text.append("\n").append(node.number).append(' ');
            if (!node.exists()) {
                text.append("is not there");
                continue;
            }
            text.append(node.node().state()).append(' ').append(node.node().table().members());
            text.append(" owns ").append(node.node().table().owned(node.number));
            text.append(" orphans ").append(node.node().table().orphans());
            text.append(" of life ").append(node.node().incarnation());
            text.append(" states ").append(node.states);
        }
        return text.append("\nleader ").append(simulation.agreement.leader()).toString();
    }

    @Test
    void flappingEndsWithOneOwnerEach() {
        for (long seed = 0; seed < 5; seed++) {
            Simulation simulation = new Simulation(seed, Shape.THREE, STANDARD, BrokenRule.NONE);
            simulation.startAll();
            simulation.runFor(40 * SECONDS);
            for (int i = 0; i < 40; i++) {
                simulation.network.isolate(0, i % 2 == 0);
                simulation.runFor(3 * SECONDS);
            }
            simulation.network.heal();
            assertThat(simulation.runUntil(simulation.invariants::allOwned, 8 * SECONDS))
                    .as(owners(simulation))
                    .isTrue();
            simulation.runFor(60 * SECONDS);
            assertThat(simulation.invariants.allOwned()).isTrue();
        }
    }
}
