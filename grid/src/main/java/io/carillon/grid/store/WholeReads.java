package io.carillon.grid.store;

import io.carillon.servlet.port.CallStore.Found;
import io.carillon.servlet.port.CallStore.State;
import io.carillon.sip.token.Ownership;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.infinispan.AdvancedCache;
import org.infinispan.distribution.DistributionInfo;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.notifications.Listener;
import org.infinispan.notifications.cachelistener.annotation.TopologyChanged;
import org.infinispan.notifications.cachelistener.event.TopologyChangedEvent;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheTopology;
import org.jspecify.annotations.Nullable;

/**
 * Reads of partitions that say so when they may have missed something. While the grid moves copies
 * a read may ask a node that has none any more, or none yet. So one counts only where the same
 * nodes held the copies from its begin to its end, and parts of the grid that have met are done
 * with comparing; else it is done again, for some seconds. Where all who had the copies are gone it
 * never counts, until time has shown that they stay away.
 */
final class WholeReads {
    /** As long as a node is stopped, or behind a cut wire, and comes back. */
    private static final long BACK_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final long AGAIN_MILLIS = 20;

    private final AdvancedCache<?, ?> cache;
    private final LostCopies lost = new LostCopies(BACK_WITHIN_NANOS);
    private final List<Runnable> meetings = new CopyOnWriteArrayList<>();
    private final AtomicBoolean comparing = new AtomicBoolean();
    private final Absences absences = new Absences(BACK_WITHIN_NANOS);

    /** Of that cache, from now on. */
    WholeReads(AdvancedCache<?, ?> cache) {
        this.cache = cache;
        cache.addListener(new Moves());
    }

    /**
     * Parts of a divided grid met, and are done with comparing: told on a thread of its own. Not
     * where they were apart for longer than a removal is remembered: most of what comes to light
     * then has ended meanwhile.
     */
    void onMeeting(Runnable met) {
        meetings.add(met);
    }

    /**
     * Reads until it can be relied on, and tells each record once, of the read that counts. Until
     * then what was read waits in memory: of the partitions that one question asks for.
     *
     * @param once reads, and tells in one sentence what went wrong
     */
    @Nullable String read(
            Set<Integer> partitions,
            Consumer<State> each,
            Function<Consumer<State>, @Nullable String> once) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(StoreConfiguration.ANSWER_SECONDS);
        while (true) {
            LocalizedCacheTopology before = topology();
            List<State> found = new ArrayList<>();
            String failure = once.apply(found::add);
            if (failure != null) {
                return failure;
            }
            String gone = gone(partitions);
            if (gone != null) {
                return gone;
            }
            if (counts(before, partitions)) {
                found.forEach(each);
                return null;
            }
            String late = waits(end);
            if (late != null) {
                return late;
            }
        }
    }

    /**
     * Reads one record until that can be relied on, as above. While copies move, one that is found
     * is right; that there is none is not.
     */
    Found readOne(int partition, Supplier<Found> once) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(StoreConfiguration.ANSWER_SECONDS);
        while (true) {
            LocalizedCacheTopology before = topology();
            Found found = once.get();
            boolean compared = compares(before) || compares(topology());
            if (found.failure() != null || (found.state() != null && !compared)) {
                return found;
            }
            String gone = found.state() == null ? gone(Set.of(partition)) : null;
            if (gone != null) {
                return Found.failed(gone);
            }
            if (counts(before, Set.of(partition))) {
                return found;
            }
            String late = waits(end);
            if (late != null) {
                return Found.failed(late);
            }
        }
    }

    /** Is what was read since then all there is? */
    private boolean counts(LocalizedCacheTopology before, Set<Integer> partitions) {
        return before.getTopologyId() == topology().getTopologyId()
                && !compares(before)
                && isHeld(before, partitions);
    }

    /** For a moment; why it must not, where it must not. */
    private static @Nullable String waits(long endNanos) {
        if (System.nanoTime() - endNanos > 0) {
            return "copies moved while they were read";
        }
        try {
            Thread.sleep(AGAIN_MILLIS);
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return StoreWriter.LEFT;
        }
    }

    /**
     * Why there may be records of these that nobody seen has; null where there is no such reason.
     */
    private @Nullable String gone(Set<Integer> partitions) {
        int empty = lost.oneOf(partitions, System.nanoTime());
        return empty < 0 ? null : "all nodes that had copies of partition " + empty + " are gone";
    }

    private LocalizedCacheTopology topology() {
        return cache.getDistributionManager().getCacheTopology();
    }

    /**
     * Parts of a divided grid have met, and compare what they have: members of both are taken for
     * holders of a partition, and one of them may have nothing of it, or what was before.
     */
    private static boolean compares(CacheTopology topology) {
        return topology.getPhase() == CacheTopology.Phase.CONFLICT_RESOLUTION;
    }

    private static boolean isHeld(LocalizedCacheTopology topology, Set<Integer> partitions) {
        for (int partition : partitions) {
            DistributionInfo where = topology.getSegmentDistribution(partition);
            if (where.readOwners().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Hears who holds what. Public, as Infinispan calls it. */
    @Listener
    public final class Moves {
        /** Before reads ask the new ones, and once they do. */
        @TopologyChanged
        public void moved(TopologyChangedEvent<?, ?> event) {
            ConsistentHash before = event.getReadConsistentHashAtStart();
            ConsistentHash after = event.getReadConsistentHashAtEnd();
            if (before == null || after == null) {
                return;
            }
            long now = System.nanoTime();
            boolean compares = compares(topology());
            if (!event.isPre()
                    && comparing.getAndSet(compares)
                    && !compares
                    && absences.wereBrief(after.getMembers(), now)) {
                meetings.forEach(Aside::tell);
            }
            boolean under = compares || event.isPre();
            absences.moved(before.getMembers(), after.getMembers(), under, now);
            for (int p = 0; p < Ownership.PARTITIONS; p++) {
                if (event.isPre()) {
                    lost.moves(p, owners(before, p), owners(after, p), now);
                } else {
                    lost.moved(p, owners(before, p), owners(after, p), now);
                }
            }
        }

        private static List<Address> owners(ConsistentHash hash, int partition) {
            return hash.locateOwnersForSegment(partition);
        }
    }
}
