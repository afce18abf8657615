package io.carillon.grid.store;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.infinispan.AdvancedCache;
import org.infinispan.commons.marshall.WrappedByteArray;
import org.infinispan.container.entries.InternalCacheEntry;
import org.infinispan.container.impl.InternalDataContainer;
import org.infinispan.container.impl.InternalEntryFactory;
import org.infinispan.factories.ComponentRegistry;
import org.infinispan.metadata.EmbeddedMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What lies on this node, in Infinispan's memory. A change compares and stores in one: of two at
 * the same time the later state stays. A command of Infinispan's reads, asks other holders, and
 * stores over whatever is there when they have answered. So a key that one is about to write here
 * is left to it until it ends. Any thread; waits for nothing but another change of the key.
 */
final class NodeMemory implements StraightWrites.Memory {
    private final InternalDataContainer<Object, Object> entries;

    /** Keys that commands of Infinispan's are about to write here, and how many. */
    private final Map<String, Integer> byInfinispan = new ConcurrentHashMap<>();

    /** Of a cache: keys are text, values bytes in a wrapper. */
    @SuppressWarnings("unchecked")
    NodeMemory(AdvancedCache<String, byte[]> cache) {
        entries = ComponentRegistry.of(cache).getInternalDataContainer().running();
    }

    /** A command of Infinispan's writes these from now on; what was begun here is over. */
    void begins(Collection<String> keys) {
        keys.forEach(key -> byInfinispan.merge(key, 1, Integer::sum));
        try {
            for (String key : keys) {
                // Waits for a change of the key that has looked before.
                entries.compute(Stored.partition(key), key, (same, entry, factory) -> entry);
            }
        } catch (RuntimeException e) {
            ended(keys);
            throw e;
        }
    }

    /** The command has written them, or has failed. */
    void ended(Collection<String> keys) {
        keys.forEach(key ->
                byInfinispan.computeIfPresent(key, (same, count) -> count == 1 ? null : count - 1));
    }

    @Override
    public boolean store(int segment, String key, Change change, byte[] value) {
        return store(segment, key, change, value, false);
    }

    /**
     * Stores what another holder had, unless a later state is here. False where this node does not
     * hold that segment.
     */
    boolean given(int segment, String key, byte[] value) {
        return store(segment, key, Change.KEEP_LATER, value, true);
    }

    private boolean store(int segment, String key, Change change, byte[] value, boolean anyhow) {
        boolean[] changed = new boolean[1];
        entries.compute(
                segment,
                key,
                (same, entry, factory) -> {
                    if (!anyhow && byInfinispan.containsKey(key)) {
                        return entry;
                    }
                    changed[0] = true;
                    return after(entry, factory, change, key, value);
                });
        return changed[0];
    }

    private static @Nullable InternalCacheEntry<Object, Object> after(
            @Nullable InternalCacheEntry<Object, Object> entry,
            InternalEntryFactory factory,
            Change change,
            String key,
            byte[] value) {
        byte[] now = entry == null ? null : Stored.bytes(entry.getValue());
        byte[] after = change.after(now, value);
        if (after == now) {
            return entry;
        }
        return after == null
                ? null
                : factory.create(key, new WrappedByteArray(after), EmbeddedMetadata.EMPTY);
    }
}
