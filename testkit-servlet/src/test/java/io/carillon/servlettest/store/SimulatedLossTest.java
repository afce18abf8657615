package io.carillon.servlettest.store;

/** The simulated grid keeps the contract on a network that loses a fifth. */
class SimulatedLossTest extends CallStoreContract {
    @Override
    protected StoreCluster cluster(int count) {
        return new SimulatedCluster(count, 7, 0.2);
    }
}
