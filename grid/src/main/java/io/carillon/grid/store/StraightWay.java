package io.carillon.grid.store;

import io.carillon.grid.link.StoreMessages;
import java.util.Set;
import org.infinispan.AdvancedCache;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheTopology;
import org.jgroups.util.ExtendedUUID;

/** {@link StraightWrites} of a cache: Infinispan's topology, its memory, and the channel. */
final class StraightWay {
    private StraightWay() {}

    static StraightWrites of(AdvancedCache<?, ?> cache, NodeMemory memory, StoreMessages messages) {
        StraightWrites writes =
                new StraightWrites(
                        () -> new Now(cache.getDistributionManager().getCacheTopology()),
                        memory,
                        new Channel(messages),
                        System::nanoTime);
        messages.listen(writes);
        return writes;
    }

    private record Now(LocalizedCacheTopology topology) implements StraightWrites.Topology {
        @Override
        public int number() {
            return topology.getTopologyId();
        }

        @Override
        public boolean settled() {
            return topology.getPhase() != CacheTopology.Phase.CONFLICT_RESOLUTION;
        }

        @Override
        public boolean has(Address member) {
            return topology.getMembers().contains(member);
        }

        @Override
        public Address own() {
            return topology.getLocalAddress();
        }

        @Override
        public Set<Address> holders(int partition) {
            return Set.copyOf(topology.getSegmentDistribution(partition).writeOwners());
        }
    }

    private record Channel(StoreMessages messages) implements StraightWrites.Wire {
        @Override
        public boolean takes(ExtendedUUID member) {
            return messages.takes(member);
        }

        @Override
        public void send(ExtendedUUID member, byte[] content) {
            messages.send(member, content);
        }
    }
}
