package io.carillon.servlettest.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.carillon.servlet.port.CallStore;
import io.carillon.testkit.VirtualTime;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Nodes of a simulated grid, for the contract. */
final class SimulatedCluster implements StoreCluster {
    final VirtualTime time = new VirtualTime();
    final SimulatedGrid grid;

    SimulatedCluster(int count, long seed, double loss) {
        grid = new SimulatedGrid(time, seed).loss(loss);
        for (int i = 0; i < count; i++) {
            grid.join(i);
        }
        time.runFor(Duration.ofSeconds(1));
    }

    @Override
    public CallStore node(int number) {
        return grid.node(number);
    }

    @Override
    public void kill(int number) {
        grid.kill(number);
    }

    @Override
    public void until(String what, BooleanSupplier condition) {
        assertThat(time.runUntil(condition, Duration.ofSeconds(60))).as(what).isTrue();
    }

    @Override
    public void close() {}
}
