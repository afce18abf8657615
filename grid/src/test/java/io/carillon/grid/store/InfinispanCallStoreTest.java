package io.carillon.grid.store;

import io.carillon.servlettest.store.CallStoreContract;
import io.carillon.servlettest.store.StoreCluster;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

/** Infinispan keeps the contract, with nodes in this process. */
class InfinispanCallStoreTest extends CallStoreContract {
    private static final Map<Integer, InfinispanCluster> USABLE = new HashMap<>();

    @Override
    protected StoreCluster cluster(int count) {
        return USABLE.computeIfAbsent(count, InfinispanCluster::new);
    }

    @Override
    protected void release(StoreCluster used) {
        InfinispanCluster nodes = (InfinispanCluster) used;
        if (nodes.isHurt() || nodes.hasLeft()) {
            USABLE.values().remove(nodes);
            nodes.close();
        }
    }

    @AfterAll
    static void close() {
        USABLE.values().forEach(InfinispanCluster::close);
        USABLE.clear();
    }
}
