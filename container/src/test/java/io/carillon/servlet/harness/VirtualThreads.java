package io.carillon.servlet.harness;

import io.carillon.servlet.threads.ApplicationThreads;
import io.carillon.testkit.SimulatedNetwork;
import io.carillon.testkit.VirtualTime;

/**
 * Application threads on virtual time: each task runs a little later, outside of any shard, in an
 * order that the seed decides.
 */
public final class VirtualThreads implements ApplicationThreads {
    private final VirtualTime time;
    private final SimulatedNetwork network;

    public VirtualThreads(SimulatedNetwork network) {
        this.time = network.time();
        this.network = network;
    }

    @Override
    public void execute(Runnable task) {
        time.after(network.random().nextLong(3_000_000L), task);
    }
}
