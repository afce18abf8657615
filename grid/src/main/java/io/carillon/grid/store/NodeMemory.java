package io.carillon.grid.store;

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
 * the same time the later state stays. Any thread; waits for nothing but another change of the key.
 */
final class NodeMemory {
    private final InternalDataContainer<Object, Object> entries;

    /** Of a cache: keys are text, values bytes in a wrapper. */
    @SuppressWarnings("unchecked")
    NodeMemory(AdvancedCache<String, byte[]> cache) {
        entries = ComponentRegistry.of(cache).getInternalDataContainer().running();
    }

    /** Nothing where this node does not hold that segment any more. */
    void store(int segment, String key, Change change, byte[] value) {
        entries.compute(
                segment, key, (same, entry, factory) -> after(entry, factory, change, key, value));
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
