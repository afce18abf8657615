package io.carillon.grid.store;

import org.infinispan.distribution.ch.KeyPartitioner;

/** The segment of a key is its partition. Public, as Infinispan makes it. */
public final class PartitionKeys implements KeyPartitioner {
    @Override
    public int getSegment(Object key) {
        // Infinispan 16.1.4 asks so for the segment of a segment, when owners change beneath a
        // batch.
        return key instanceof Integer segment ? segment : Stored.partition((String) key);
    }
}
