package io.carillon.cluster.simulation;

import static io.carillon.cluster.simulation.Simulation.MILLIS;
import static io.carillon.cluster.simulation.Simulation.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.cluster.node.ClusterTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * From a fault until every partition of the victim has an owner that may act elsewhere. The times
 * of the agreement are those that were measured. {@code -Dcarillon.seeds=1000} runs more and prints
 * more figures.
 */
class TakeOverTimesTest {
    enum Fault {
        /** kill -9: its host closes the connections. */
        KILLED(2),
        /** The host has no power: nothing closes. */
        HOST_DEAD(8),
        /** SIGSTOP. */
        STOPPED(8),
        CUT(8),
        /** It sends, and hears nothing. */
        DEAF(8),
        /** It hears, and nobody hears it. */
        MUTE(8);

        final long most;

        Fault(long seconds) {
            this.most = seconds * SECONDS;
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void everyPartitionHasAnotherOwnerInTime(Fault fault) {
        long seeds = Long.getLong("carillon.seeds", 40);
        for (Shape shape : Shape.values()) {
            List<Long> times = new ArrayList<>();
            for (long seed = 0; seed < seeds / Shape.values().length; seed++) {
                times.add(takeOver(seed, shape, fault));
            }
            times.sort(null);
            if (seeds > 40) {
                System.out.printf(
                        Locale.ROOT,
                        "%-10s %-24s median %4d ms, p99 %4d ms, longest %4d ms%n",
                        fault,
                        shape,
                        times.get(times.size() / 2) / MILLIS,
                        times.get(times.size() * 99 / 100) / MILLIS,
                        times.getLast() / MILLIS);
            }
            assertThat(times.getLast()).as("%s %s", shape, fault).isLessThan(fault.most);
        }
    }

    private static Simulation quiet(long seed, Shape shape) {
        Simulation simulation = new Simulation(seed, shape, ClusterTimes.STANDARD, BrokenRule.NONE);
        simulation.startAll();
        simulation.runFor(45 * SECONDS + simulation.between(0, SECONDS));
        assertThat(simulation.invariants.allOwned()).isTrue();
        return simulation;
    }

    /** The victim is any member but the witness, the leader of the agreement among them. */
    private static long takeOver(long seed, Shape shape, Fault fault) {
        Simulation simulation = quiet(seed, shape);
        int number = simulation.random.nextInt(shape.witness < 0 ? shape.members : 2);
        SimulatedNode victim = simulation.nodes.get(number);
        long from = simulation.now();
        strike(simulation, victim, fault);
        boolean taken = simulation.runUntil(() -> taken(simulation, number), 20 * SECONDS);
        assertThat(taken).as("seed %s %s %s", seed, shape, fault).isTrue();
        return simulation.now() - from;
    }

    private static void strike(Simulation simulation, SimulatedNode victim, Fault fault) {
        switch (fault) {
            case KILLED -> victim.kill(true);
            case HOST_DEAD -> victim.kill(false);
            case STOPPED -> victim.stop();
            case CUT -> simulation.network.isolate(victim.number, true);
            case DEAF, MUTE -> {
                for (int other = 0; other < simulation.shape.members; other++) {
                    boolean deaf = fault == Fault.DEAF;
                    simulation.network.cut(
                            deaf ? other : victim.number, deaf ? victim.number : other, true);
                }
            }
        }
    }

    private static boolean taken(Simulation simulation, int victim) {
        for (int p = 0; p < Simulation.PARTITIONS; p++) {
            boolean owned = false;
            for (SimulatedNode node : simulation.nodes) {
                owned |=
                        node.number != victim
                                && node.acts(p)
                                && node.node().table().owner(p) == node.number;
            }
            if (!owned) {
                return false;
            }
        }
        return true;
    }

    @Test
    void aCutBetweenTwoWhomTheThirdSeesTakesNothingFromAnybody() {
        for (long seed = 0; seed < 10; seed++) {
            Simulation simulation = quiet(seed, Shape.THREE);
            int one = simulation.random.nextInt(3);
            int other = (one + 1) % 3;
            if (simulation.agreement.leader() != 3 - one - other) {
                // Else one of them does not reach the leader, which is the agreement's matter.
                continue;
            }
            long version = owners(simulation);
            simulation.network.cut(one, other, true);
            simulation.network.cut(other, one, true);
            for (int i = 0; i < 200; i++) {
                simulation.runFor(100 * MILLIS);
                assertThat(simulation.invariants.allOwned()).as("seed %s", seed).isTrue();
            }
            assertThat(owners(simulation)).isEqualTo(version);
        }
    }

    @Test
    void everybodyIsolatedForTenSecondsLosesNothing() {
        for (long seed = 0; seed < 10; seed++) {
            Simulation simulation = quiet(seed, Shape.THREE);
            long before = owners(simulation);
            for (SimulatedNode node : simulation.nodes) {
                simulation.network.isolate(node.number, true);
            }
            simulation.runFor(10 * SECONDS);
            assertThat(simulation.invariants.notOwned()).hasSize(Simulation.PARTITIONS);
            simulation.network.heal();
            assertThat(simulation.runUntil(simulation.invariants::allOwned, 4 * SECONDS)).isTrue();
            simulation.runFor(10 * SECONDS);
            assertThat(owners(simulation)).as("seed %s", seed).isEqualTo(before);
        }
    }

    /** The sum of all terms: it rises with each change of an owner. */
    private static long owners(Simulation simulation) {
        long sum = 0;
        for (int p = 0; p < Simulation.PARTITIONS; p++) {
            sum += simulation.nodes.getFirst().node().table().term(p);
        }
        return sum;
    }
}
