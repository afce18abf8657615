package io.carillon.grid.store;

import io.carillon.cluster.bytes.Packer;
import io.carillon.cluster.bytes.Unpacker;
import io.carillon.grid.link.StoreMessages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.infinispan.AdvancedCache;
import org.infinispan.distribution.DistributionInfo;
import org.infinispan.distribution.LocalizedCacheTopology;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheTopology;
import org.jgroups.util.ExtendedUUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a batch straight into the memory of the nodes that hold it, past Infinispan's commands,
 * which cost five times as much. Only while nothing moves; whatever is not certain is written by
 * Infinispan, once more.
 *
 * <p>A batch was written when each holder has it in the topology of the sender, before that one
 * ended on any of them: so it is in what a later holder is given. For this a holder compares the
 * topology before it stores and after, and the sender when the answers are there.
 *
 * <p>Any thread; nothing waits. Bounded by the writer, who bounds what is under way.
 */
final class StraightWrites implements StoreMessages.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(StraightWrites.class);
    private static final int BATCH = 1;
    private static final int STORED = 2;
    private static final int REFUSED = 3;

    /** A holder that has not answered for so long may not have it. */
    private static final long ANSWER_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Of a batch's begin, and of each value. */
    private static final int ROOM = 48;

    private static final int MOST_STATES = 1 << 16;
    private static final int MOST_VALUE = 16 << 20;
    private static final int MOST_KEY = 1024;

    private final AdvancedCache<String, byte[]> cache;
    private final NodeMemory memory;
    private final StoreMessages messages;
    private final Map<Long, Asked> asked = new ConcurrentHashMap<>();
    private final AtomicLong numbers = new AtomicLong();
    private final LongAdder straight = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private volatile Map<Address, ExtendedUUID> members = Map.of();

    /** A batch of which holders have not answered yet. */
    private static final class Asked {
        final CompletableFuture<Boolean> stored = new CompletableFuture<>();
        final Set<ExtendedUUID> missing;
        final long atNanos;

        Asked(Set<ExtendedUUID> holders, long now) {
            missing = holders;
            atNanos = now;
        }

        /** True when that was the last one. */
        synchronized boolean has(ExtendedUUID holder) {
            return missing.remove(holder) && missing.isEmpty();
        }

        synchronized boolean waitsForOtherThan(Set<ExtendedUUID> here) {
            return !here.containsAll(missing);
        }
    }

    /** Of a cache whose messages come by that protocol. */
    StraightWrites(AdvancedCache<String, byte[]> cache, NodeMemory memory, StoreMessages messages) {
        this.cache = cache;
        this.memory = memory;
        this.messages = messages;
        messages.listen(this);
    }

    /** Batches that all their holders have got this way. */
    long straight() {
        return straight.sum();
    }

    /** Batches that were tried this way, and had to go by Infinispan. */
    long refused() {
        return refused.sum();
    }

    /**
     * Writes, if that can be done.
     *
     * @param batch with the same holders
     * @return true in the end when each holder has it; false when some may not; null where it was
     *     not tried
     */
    @Nullable CompletionStage<Boolean> write(Change change, Map<String, byte[]> batch) {
        LocalizedCacheTopology topology = topology();
        Set<ExtendedUUID> others = others(topology, batch.keySet());
        if (others == null) {
            return null;
        }
        Asked open = new Asked(others, System.nanoTime());
        long number = numbers.incrementAndGet();
        byte[] content = content(number, topology.getTopologyId(), change, batch);
        List<ExtendedUUID> all = List.copyOf(others);
        asked.put(number, open);
        all.forEach(holder -> messages.send(holder, content));
        store(topology, change, batch);
        if (all.isEmpty()) {
            asked.remove(number);
            open.stored.complete(true);
        }
        return open.stored.thenApply(stored -> certain(stored, topology));
    }

    private boolean certain(boolean stored, LocalizedCacheTopology topology) {
        boolean certain = stored && isNow(topology.getTopologyId());
        (certain ? straight : refused).increment();
        return certain;
    }

    /** Those who hold the keys beside this node; null when they cannot be written straight. */
    private @Nullable Set<ExtendedUUID> others(LocalizedCacheTopology topology, Set<String> keys) {
        if (topology.getPhase() != CacheTopology.Phase.NO_REBALANCE) {
            return null;
        }
        Set<Address> holders = null;
        for (String key : keys) {
            DistributionInfo where = topology.getSegmentDistribution(Stored.partition(key));
            Set<Address> these = Set.copyOf(where.writeOwners());
            if (where.readOwners().size() != these.size()
                    || these.size() < StoreConfiguration.COPIES
                    || (holders != null && !holders.equals(these))) {
                return null;
            }
            holders = these;
        }
        Set<ExtendedUUID> others = new HashSet<>();
        for (Address holder : holders == null ? Set.<Address>of() : holders) {
            if (!holder.equals(topology.getLocalAddress())) {
                ExtendedUUID member = members.get(holder);
                if (member == null || !messages.takes(member)) {
                    return null;
                }
                others.add(member);
            }
        }
        return others;
    }

    private static byte[] content(
            long number, int topology, Change change, Map<String, byte[]> batch) {
        int room = ROOM;
        for (byte[] value : batch.values()) {
            room += ROOM + value.length;
        }
        Packer content = StoreMessages.content(room).octet(BATCH).number(number).number(topology);
        content.octet(change.code()).number(batch.size());
        batch.forEach((key, value) -> content.text(key).content(value));
        return content.toBytes();
    }

    // ---- a holder ----

    @Override
    public void came(org.jgroups.Address from, Unpacker content) {
        if (!(from instanceof ExtendedUUID sender)) {
            return;
        }
        try {
            int kind = content.octet();
            long number = content.number();
            if (kind == BATCH) {
                boolean stored = stored(Address.fromExtendedUUID(sender), content);
                int answer = stored ? STORED : REFUSED;
                messages.send(
                        sender, StoreMessages.content(0).octet(answer).number(number).toBytes());
            } else {
                answered(sender, kind, number);
            }
        } catch (IllegalArgumentException e) {
            LOG.warn("What {} sent to be stored cannot be read: {}", from, e.getMessage());
        }
    }

    private boolean stored(Address sender, Unpacker content) {
        int topologyId = content.upTo(Integer.MAX_VALUE);
        Change change = Change.of(content.octet());
        int count = content.upTo(MOST_STATES);
        Map<String, byte[]> batch = HashMap.newHashMap(count);
        for (int i = 0; i < count; i++) {
            String key = content.text(MOST_KEY);
            byte[] value = content.content(MOST_VALUE);
            Stored.check(key, value);
            batch.put(key, value);
        }
        content.end();
        LocalizedCacheTopology topology = topology();
        return topology.getTopologyId() == topologyId
                && topology.getPhase() == CacheTopology.Phase.NO_REBALANCE
                && topology.getMembers().contains(sender)
                && store(topology, change, batch)
                && isNow(topologyId);
    }

    /** False when this node does not hold all of these. */
    private boolean store(
            LocalizedCacheTopology topology, Change change, Map<String, byte[]> batch) {
        boolean all = true;
        for (Map.Entry<String, byte[]> each : batch.entrySet()) {
            int segment = Stored.partition(each.getKey());
            if (topology.getSegmentDistribution(segment).isWriteOwner()) {
                memory.store(segment, each.getKey(), change, each.getValue());
            } else {
                all = false;
            }
        }
        return all;
    }

    // ---- answers ----

    private void answered(ExtendedUUID holder, int answer, long number) {
        Asked open = asked.get(number);
        if (open == null) {
            return;
        }
        if (answer != STORED) {
            ended(number, open, false);
        } else if (open.has(holder)) {
            ended(number, open, true);
        }
    }

    private void ended(long number, Asked open, boolean stored) {
        asked.remove(number);
        open.stored.complete(stored);
    }

    @Override
    public void view(Set<org.jgroups.Address> here) {
        Map<Address, ExtendedUUID> now = new HashMap<>();
        for (org.jgroups.Address each : here) {
            if (each instanceof ExtendedUUID member) {
                now.put(Address.fromExtendedUUID(member), member);
            }
        }
        members = Map.copyOf(now);
        Set<ExtendedUUID> living = Set.copyOf(now.values());
        giveUp(open -> open.waitsForOtherThan(living));
    }

    /** Looks for those that have waited for too long. Called now and then. */
    void look() {
        long now = System.nanoTime();
        giveUp(open -> now - open.atNanos >= ANSWER_NANOS);
    }

    /** Nothing is answered any more. */
    void close() {
        members = Map.of();
        giveUp(open -> true);
    }

    private void giveUp(Predicate<Asked> which) {
        new ArrayList<>(asked.entrySet())
                .forEach(each -> {
                    if (which.test(each.getValue())) {
                        ended(each.getKey(), each.getValue(), false);
                    }
                });
    }

    private boolean isNow(int topologyId) {
        LocalizedCacheTopology now = topology();
        return now.getTopologyId() == topologyId
                && now.getPhase() == CacheTopology.Phase.NO_REBALANCE;
    }

    private LocalizedCacheTopology topology() {
        return cache.getDistributionManager().getCacheTopology();
    }
}
