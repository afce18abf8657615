package io.carillon.grid.store;

import org.infinispan.distribution.ch.KeyPartitioner;

/** The segment of a key is its partition. Public, as Infinispan makes it. */
public final class PartitionKeys implements KeyPartitioner {
    @Override
    public int getSegment(Object key) {
        return Stored.partition((String) key);
    }
}
