package io.carillon.servlettest.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.port.CallStore.Found;
import io.carillon.servlet.port.CallStore.Outcome;
import io.carillon.servlet.port.CallStore.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to nodes of the simulated grid, and that a seed makes the run. */
class SimulatedGridTest {
    private final SimulatedCluster nodes = new SimulatedCluster(3, 3, 0);
    private final SimulatedGrid grid = nodes.grid;

    @Test
    void aNodeThatStandsStillHoldsAWriteUpUntilItIsMissed() {
        int partition = heldBy(0, 1);
        grid.pause(1);
        List<Outcome> told = new ArrayList<>();
        grid.node(0).write(List.of(state(partition, 1)), told::add);
        nodes.time.runFor(Duration.ofSeconds(2));
        assertThat(told).isEmpty();
        nodes.time.runFor(Duration.ofSeconds(1));
        assertThat(told).singleElement().matches(Outcome::isProtected);
        assertThat(grid.node(2).size()).isEqualTo(1);
    }

    @Test
    void aNodeThatGoesOnTakesTheLaterStates() {
        int partition = heldBy(0, 1);
        write(0, state(partition, 1));
        grid.pause(1);
        nodes.time.runFor(Duration.ofSeconds(5));
        write(0, state(partition, 2));
        grid.resume(1);
        nodes.time.runFor(Duration.ofSeconds(5));
        assertThat(grid.node(0).holders(partition)).isGreaterThanOrEqualTo(2);
        assertThat(CallStoreContract.read(nodes, 1, partition, "call"))
                .extracting(State::sequence)
                .isEqualTo(2L);
    }

    @Test
    void halvesGoOnAndTheLaterStateStaysWhenTheyMeet() {
        int partition = heldBy(0, 1);
        write(0, state(partition, 1));
        grid.cut(0, 1);
        grid.cut(0, 2);
        nodes.time.runFor(Duration.ofSeconds(5));
        assertThat(write(0, state(partition, 2)).isProtected()).isFalse();
        assertThat(write(1, state(partition, 3)).isProtected()).isTrue();
        grid.heal(0, 1);
        grid.heal(0, 2);
        nodes.time.runFor(Duration.ofSeconds(5));
        for (int node = 0; node < 3; node++) {
            assertThat(CallStoreContract.read(nodes, node, partition, "call"))
                    .extracting(State::sequence)
                    .isEqualTo(3L);
        }
    }

    /** What the others hold has not gone because this node does not see them. */
    @Test
    void aNodeThatIsAloneDoesNotSayThatThereIsNothing() {
        int partition = heldBy(1, 2);
        write(1, state(partition, 1));
        grid.cut(0, 1);
        grid.cut(0, 2);
        nodes.time.runFor(Duration.ofSeconds(5));
        List<Found> found = new ArrayList<>();
        grid.node(0).read(partition, "call", found::add);
        nodes.time.runFor(Duration.ofSeconds(5));
        assertThat(found).singleElement().matches(read -> read.failure() != null);
        grid.heal(0, 1);
        grid.heal(0, 2);
        nodes.time.runFor(Duration.ofSeconds(5));
        assertThat(CallStoreContract.read(nodes, 0, partition, "call")).isNotNull();
        assertThat(CallStoreContract.read(nodes, 0, partition, "other")).isNull();
    }

    @Test
    void aFullNodeIsNoHolder() {
        int partition = heldBy(0, 1);
        grid.full(1, true);
        Outcome outcome = write(0, state(partition, 1));
        assertThat(outcome.failure()).isNull();
        assertThat(outcome.isProtected()).isFalse();
        grid.full(0, true);
        assertThat(write(0, state(partition, 2)).failure()).isNotNull();
    }

    @Test
    void aRemovalIsForgottenInTheEnd() {
        int partition = heldBy(0, 1);
        write(0, state(partition, 1));
        write(0, new State(partition, "call", 1, 2, null));
        nodes.time.runUntilQuiet(Duration.ofMinutes(5));
        write(0, state(partition, 1));
        assertThat(CallStoreContract.read(nodes, 1, partition, "call")).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aSeedMakesTheRun(long seed) {
        assertThat(run(seed)).isEqualTo(run(seed));
    }

    /** Writes, deaths and loss: what was protected is read by those that are left. */
    private static List<String> run(long seed) {
        SimulatedCluster nodes = new SimulatedCluster(4, seed, 0.1);
        SplittableRandom random = new SplittableRandom(seed);
        List<String> told = new ArrayList<>();
        List<State> kept = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            State state = new State(random.nextInt(1024), "call " + i, 1, 1, new byte[] {1});
            nodes.grid
                    .node(random.nextInt(3))
                    .write(
                            List.of(state),
                            outcome -> {
                                told.add(state.id() + " " + outcome + " " + nodes.time.elapsed());
                                if (outcome.isProtected()) {
                                    kept.add(state);
                                }
                            });
            nodes.time.runFor(Duration.ofMillis(random.nextInt(5)));
            if (i == 100) {
                nodes.grid.kill(3);
            }
        }
        nodes.time.runFor(Duration.ofSeconds(10));
        assertThat(told).hasSize(200);
        for (State state : kept) {
            assertThat(CallStoreContract.read(nodes, 0, state.partition(), state.id()))
                    .as(state.id())
                    .isNotNull();
        }
        return told;
    }

    private int heldBy(int one, int other) {
        for (int partition = 0; ; partition++) {
            if (SimulatedGrid.owners(List.of(0, 1, 2), partition)
                    .containsAll(List.of(one, other))) {
                return partition;
            }
        }
    }

    private Outcome write(int node, State state) {
        return CallStoreContract.write(nodes, node, state);
    }

    private static State state(int partition, long sequence) {
        return new State(partition, "call", 1, sequence, new byte[] {(byte) sequence});
    }
}
