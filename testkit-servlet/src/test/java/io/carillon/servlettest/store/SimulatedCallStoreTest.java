package io.carillon.servlettest.store;

/** The simulated grid keeps the contract, on a network that loses nothing. */
class SimulatedCallStoreTest extends CallStoreContract {
    @Override
    protected StoreCluster cluster(int count) {
        return new SimulatedCluster(count, 1, 0);
    }
}
