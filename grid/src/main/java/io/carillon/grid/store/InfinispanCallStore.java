package io.carillon.grid.store;

import io.carillon.grid.link.LinkSettings;
import io.carillon.grid.link.StoreMessages;
import io.carillon.grid.link.Suspicions;
import io.carillon.servlet.port.CallStore;
import io.carillon.sip.token.Ownership;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.infinispan.AdvancedCache;
import org.infinispan.CacheStream;
import org.infinispan.commons.jdkspecific.ThreadCreator;
import org.infinispan.commons.util.IntSets;
import org.infinispan.container.DataContainer;
import org.infinispan.container.entries.CacheEntry;
import org.infinispan.context.Flag;
import org.infinispan.distribution.DistributionInfo;
import org.infinispan.distribution.ch.ConsistentHash;
import org.infinispan.factories.GlobalComponentRegistry;
import org.infinispan.functional.FunctionalMap.ReadWriteMap;
import org.infinispan.functional.impl.FunctionalMapImpl;
import org.infinispan.functional.impl.ReadWriteMapImpl;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.manager.EmbeddedCacheManager;
import org.infinispan.remoting.transport.Address;
import org.infinispan.topology.CacheTopology;
import org.jgroups.JChannel;
import org.jgroups.View;
import org.jgroups.util.ExtendedUUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of calls by Infinispan: each on two nodes, a segment for each partition. What is written
 * goes in batches; of two states the later stays on each node that holds the record, whatever comes
 * first there. Where copies lie is Infinispan's choice, who owns a call is not.
 */
public final class InfinispanCallStore implements CallStore {
    /** Infinispan's own cache: on all nodes, and there before any other. */
    private static final String OWN = "org.infinispan.CONFIG";

    private static final Logger LOG = LoggerFactory.getLogger(InfinispanCallStore.class);

    /** As long as a removal is remembered: longer than a node is stopped and comes back. */
    private static final Duration REMEMBERED = Duration.ofSeconds(60);

    private static final int READERS = 4;

    /** Each partition may be read twice at the same time, and as many single records. */
    private static final int READS_WAITING = 4 * Ownership.PARTITIONS;

    private static final int FORGOTTEN_AT_ONCE = 512;

    /** One sweeps, which may wait for the grid; one looks for answers that do not come. */
    private static final int SWEEPERS = 2;

    private static final long ANSWER_MILLIS = 200;

    /** Some times as long as a removal is remembered. */
    private static final long LOOK_SECONDS = 300;

    private final EmbeddedCacheManager manager;
    private final JChannel channel;
    private final AdvancedCache<String, byte[]> cache;
    private final ReadWriteMap<String, byte[]> map;
    private final StoreWriter writer;
    private final StraightWrites straight;
    private final WholeReads wholeReads;
    private final PartitionReads partitionReads = new PartitionReads(this::readAll);
    private final ThreadPoolExecutor readers;
    private final ExecutorService puts;
    private final ScheduledExecutorService sweeper;
    private final Removals removals = new Removals(REMEMBERED.toNanos());
    private final OldRemovals old = new OldRemovals();
    private volatile boolean closed;

    /**
     * Joins the grid, or begins one. Waits for some seconds, two minutes at most.
     *
     * @param settings with the port offset of this channel
     * @param company who is there already
     * @throws IllegalStateException in a sentence, when it cannot join
     */
    public InfinispanCallStore(LinkSettings settings, Company company) {
        // Handlers that compute may hold all that carry virtual threads.
        ThreadCreator.useVirtualThreads(false);
        StoreConfiguration.OwnChannel own = new StoreConfiguration.OwnChannel(settings, company);
        Gathering gathering = new Gathering(company);
        manager = new DefaultCacheManager(StoreConfiguration.global(settings, own), false);
        try {
            gathering.awaitVoters();
            manager.start();
            channel = own.check();
            gathering.awaitGrid(this::joined);
            // Not before: a manager that starts begins each cache that it knows of.
            manager.defineConfiguration(StoreConfiguration.CACHE, StoreConfiguration.cache());
            cache = manager.<String, byte[]>getCache(StoreConfiguration.CACHE).getAdvancedCache();
        } catch (RuntimeException e) {
            manager.stop();
            throw new IllegalStateException(InfinispanFailures.ofJoin(e), e);
        }
        wholeReads = new WholeReads(cache);
        NodeMemory memory = new NodeMemory(cache);
        CommandGate.take(cache, memory);
        straight = StraightWay.of(cache, memory, StoreMessages.of(channel));
        map = ReadWriteMapImpl.create(FunctionalMapImpl.create(cache));
        puts = Executors.newCachedThreadPool(named("grid-put"));
        readers =
                new ThreadPoolExecutor(
                        READERS,
                        READERS,
                        10,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(READS_WAITING),
                        named("grid-read"));
        readers.allowCoreThreadTimeOut(true);
        sweeper = Executors.newScheduledThreadPool(SWEEPERS, named("grid-sweep"));
        // It ends with the executor, and sweep() says what fails.
        var _ = sweeper.scheduleWithFixedDelay(this::sweep, 1, 1, TimeUnit.SECONDS);
        var _ =
                sweeper.scheduleWithFixedDelay(
                        this::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
        var _ =
                sweeper.scheduleWithFixedDelay(
                        straight::look, ANSWER_MILLIS, ANSWER_MILLIS, TimeUnit.MILLISECONDS);
        writer = new StoreWriter("grid-write", new Target(), StoreWriter.Limits.STANDARD);
        writer.start();
    }

    private static ThreadFactory named(String name) {
        return Thread.ofPlatform().daemon().name(name + "-", 1).factory();
    }

    @Override
    public void write(List<State> batch, Consumer<Outcome> done) {
        batch.forEach(state -> check(state.partition()));
        writer.write(batch, done);
    }

    @Override
    public void readAll(int partition, Consumer<State> each, Consumer<@Nullable String> end) {
        check(partition);
        PartitionReads.Read read = new PartitionReads.Read(partition, each, end);
        partitionReads.add(read);
        reading(
                partitionReads::next,
                failure -> {
                    if (partitionReads.takeBack(read)) {
                        end.accept(failure);
                    }
                });
    }

    private @Nullable String readAll(Set<Integer> partitions, Consumer<State> each) {
        return wholeReads.read(partitions, each, found -> readOnce(partitions, found));
    }

    private @Nullable String readOnce(Set<Integer> partitions, Consumer<State> each) {
        try (CacheStream<CacheEntry<String, byte[]>> entries = cache.cacheEntrySet().stream()) {
            entries.filterKeySegments(IntSets.from(partitions))
                    .timeout(StoreConfiguration.ANSWER_SECONDS, TimeUnit.SECONDS)
                    .iterator()
                    .forEachRemaining(entry -> found(entry.getKey(), entry.getValue(), each));
            return null;
        } catch (RuntimeException e) {
            return InfinispanFailures.sentence(e);
        }
    }

    private void found(String key, byte[] value, Consumer<State> each) {
        if (Stored.isRemoved(value)) {
            // Its writer may be dead, so somebody else has to forget it.
            removals.add(key, value, System.nanoTime());
        } else {
            each.accept(Stored.state(key, value));
        }
    }

    @Override
    public void read(int partition, String id, Consumer<Found> found) {
        check(partition);
        String key = Stored.key(partition, id);
        reading(
                () -> tell(found, id, wholeReads.readOne(partition, () -> readOnce(key))),
                failure -> found.accept(Found.failed(failure)));
    }

    /** What its reader makes of it is not to end a thread that reads for others. */
    private static void tell(Consumer<Found> reader, String id, Found found) {
        try {
            reader.accept(found);
        } catch (RuntimeException | LinkageError e) {
            LOG.error("Who reads record {} failed", id, e);
        }
    }

    private Found readOnce(String key) {
        try {
            byte[] value = cache.get(key);
            return Found.of(value == null ? null : Stored.state(key, value));
        } catch (RuntimeException e) {
            return Found.failed(InfinispanFailures.sentence(e));
        }
    }

    private void reading(Runnable task, Consumer<String> refused) {
        try {
            readers.execute(task);
        } catch (RejectedExecutionException e) {
            String why = closed ? StoreWriter.LEFT : "too many reads wait for the grid";
            Aside.tell(() -> refused.accept(why));
        }
    }

    @Override
    public void onMeeting(Runnable met) {
        wholeReads.onMeeting(met);
    }

    /** While parts of the grid that have met compare what they have, one may have nothing of it. */
    @Override
    public int holders(int partition) {
        check(partition);
        int holders = closed ? 0 : readOwners(partition);
        return holders > 1 && compares() ? 1 : holders;
    }

    private int readOwners(int partition) {
        return distribution(partition).readOwners().size();
    }

    private boolean compares() {
        return cache.getDistributionManager().getCacheTopology().getPhase()
                == CacheTopology.Phase.CONFLICT_RESOLUTION;
    }

    /**
     * Numbers of the members that hold a partition; the first is asked first. While copies move,
     * those that will hold it. Empty while it is not known: after a division, until what the parts
     * have was compared.
     */
    public int[] placement(int partition) {
        check(partition);
        if (compares()) {
            return new int[0];
        }
        CacheTopology now = cache.getDistributionManager().getCacheTopology();
        ConsistentHash later = now.getPendingCH();
        return (later != null ? later : now.getCurrentCH())
                .locateOwnersForSegment(partition).stream()
                        .mapToInt(InfinispanCallStore::member)
                        .toArray();
    }

    /** Partitions of which fewer nodes than should have a copy. */
    public int partitionsWithoutCopy() {
        int count = 0;
        for (int partition = 0; partition < Ownership.PARTITIONS; partition++) {
            count += holders(partition) < StoreConfiguration.COPIES ? 1 : 0;
        }
        return count;
    }

    /** Records that lie on this node, removals that are remembered among them. */
    public int entries() {
        return cache.getDataContainer().size();
    }

    /** Bytes that wait to be written or are under way. */
    public long waitingBytes() {
        return writer.waitingBytes();
    }

    /** For tests: batches that went straight to the memory of their holders. */
    long straightBatches() {
        return straight.straight();
    }

    /** Removals that are remembered because of this node. */
    public int rememberedRemovals() {
        return removals.size();
    }

    /** For tests that end a node as nobody would. */
    JChannel channel() {
        return channel;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            writer.close();
            writer.join();
            sweeper.shutdownNow();
            straight.close();
            readers.shutdown();
            manager.stop();
            puts.shutdownNow();
        }
    }

    private DistributionInfo distribution(int partition) {
        return cache.getDistributionManager().getCacheTopology().getSegmentDistribution(partition);
    }

    /** The voters go on without that member, and so does the grid. */
    public void leaveOut(int member) {
        View view = channel.getView();
        if (closed || view == null) {
            return;
        }
        for (org.jgroups.Address each : view.getMembers()) {
            if (each instanceof ExtendedUUID id && member(Address.fromExtendedUUID(id)) == member) {
                Suspicions.suspect(channel, each);
            }
        }
    }

    /**
     * Members of this grid, as the cache of Infinispan's own knows them while it is at rest. One
     * that puts two grids together asks each node for its caches: a cache that starts meanwhile is
     * taken for a holder of everything, and all records are compared.
     */
    private Set<Integer> joined() {
        CacheTopology own =
                GlobalComponentRegistry.of(manager).getLocalTopologyManager().getCacheTopology(OWN);
        if (own == null || own.getPhase() != CacheTopology.Phase.NO_REBALANCE) {
            return Set.of();
        }
        return own.getMembers().stream()
                .map(InfinispanCallStore::member)
                .collect(Collectors.toSet());
    }

    private static int member(Address address) {
        return Integer.parseInt(address.getMachineId());
    }

    private static void check(int partition) {
        if (partition < 0 || partition >= Ownership.PARTITIONS) {
            throw new IllegalArgumentException("no partition " + partition);
        }
    }

    private void sweep() {
        List<Removals.Removal> due = removals.due(System.nanoTime(), FORGOTTEN_AT_ONCE);
        try {
            while (!due.isEmpty()) {
                forget(due);
                due = removals.due(System.nanoTime(), FORGOTTEN_AT_ONCE);
            }
        } catch (RuntimeException e) {
            long now = System.nanoTime();
            due.forEach(removal -> removals.add(removal.key(), removal.value(), now));
            LOG.info("Removals are remembered for longer: {}", InfinispanFailures.sentence(e));
        }
    }

    /** Waits until that is done. */
    private void forget(List<Removals.Removal> due) {
        Map<Set<Address>, Map<String, byte[]>> batches = new HashMap<>();
        due.forEach(removal ->
                batches.computeIfAbsent(
                                holdersOf(Stored.partition(removal.key())),
                                same -> new LinkedHashMap<>())
                        .put(removal.key(), removal.value()));
        for (Map<String, byte[]> batch : batches.values()) {
            CompletionStage<Boolean> forgotten = straight.write(Change.FORGET_REMOVED, batch);
            if (forgotten == null || !forgotten.toCompletableFuture().join()) {
                eval(batch, Change.FORGET_REMOVED);
            }
        }
    }

    private Set<Address> holdersOf(int partition) {
        return Set.copyOf(distribution(partition).writeOwners());
    }

    /** For tests: what lies on this node itself, removals left out. */
    void eachOwn(Consumer<State> each) {
        cache.withFlags(Flag.CACHE_MODE_LOCAL)
                .cacheEntrySet()
                .iterator()
                .forEachRemaining(entry -> {
                    if (!Stored.isRemoved(entry.getValue())) {
                        each.accept(Stored.state(entry.getKey(), entry.getValue()));
                    }
                });
    }

    /** Takes out of this node's own memory what nobody remembers any more; others do so too. */
    void look() {
        try {
            cache.withFlags(Flag.CACHE_MODE_LOCAL)
                    .cacheEntrySet()
                    .iterator()
                    .forEachRemaining(entry -> {
                        if (Stored.isRemoved(entry.getValue())) {
                            old.saw(entry.getKey(), entry.getValue());
                        }
                    });
            DataContainer<String, byte[]> own = cache.getDataContainer();
            old.looked()
                    .forEach(each ->
                            own.compute(
                                    each.getKey(),
                                    (key, now, factory) ->
                                            now != null && isOld(now, each.getValue())
                                                    ? null
                                                    : now));
        } catch (RuntimeException e) {
            LOG.info("Old removals stay for longer: {}", InfinispanFailures.sentence(e));
        }
    }

    private static boolean isOld(CacheEntry<?, ?> entry, byte[] removal) {
        byte[] now = Stored.bytes(entry.getValue());
        return now != null && Stored.isSame(now, removal);
    }

    private void eval(Map<String, byte[]> batch, Change change) {
        // Waits, although it does not say so.
        map.evalMany(batch, change.function());
    }

    /**
     * Batches go straight to the holders. Where that cannot be, or may have failed, they go to
     * Infinispan, each on a thread of its own: the writer bounds how many.
     */
    private final class Target implements StoreWriter.Target {
        @Override
        public CompletionStage<?> put(List<State> states) {
            Map<String, byte[]> batch = LinkedHashMap.newLinkedHashMap(states.size());
            states.forEach(state ->
                    batch.put(Stored.key(state.partition(), state.id()), Stored.value(state)));
            CompletionStage<Boolean> written = straight.write(Change.KEEP_LATER, batch);
            if (written == null) {
                return byInfinispan(batch);
            }
            return written.thenCompose(stored -> {
                if (!stored) {
                    return byInfinispan(batch);
                }
                remember(batch);
                return CompletableFuture.completedFuture(null);
            });
        }

        private CompletionStage<@Nullable Void> byInfinispan(Map<String, byte[]> batch) {
            return CompletableFuture.runAsync(
                    () -> {
                        eval(batch, Change.KEEP_LATER);
                        remember(batch);
                    },
                    puts);
        }

        private void remember(Map<String, byte[]> batch) {
            long now = System.nanoTime();
            batch.forEach((key, value) -> {
                if (Stored.isRemoved(value)) {
                    removals.add(key, value, now);
                }
            });
        }

        @Override
        public Set<Address> group(int partition) {
            return holdersOf(partition);
        }

        @Override
        public int holders(int partition) {
            return closed ? 0 : readOwners(partition); // what was just written went to all of them
        }
    }
}
