package io.carillon.grid.store;

import java.util.List;
import org.infinispan.conflict.EntryMergePolicy;
import org.infinispan.container.entries.CacheEntry;
import org.jspecify.annotations.Nullable;

/**
 * When the halves of a divided grid meet, the later state of each record stays. Public, as
 * Infinispan makes it.
 */
public final class LaterStays implements EntryMergePolicy<String, Object> {
    @Override
    public @Nullable CacheEntry<String, Object> merge(
            @Nullable CacheEntry<String, Object> preferred,
            List<CacheEntry<String, Object>> others) {
        CacheEntry<String, Object> latest = preferred;
        for (CacheEntry<String, Object> other : others) {
            byte[] value = value(other);
            byte[] latestValue = value(latest);
            if (value != null && (latestValue == null || Stored.follows(value, latestValue))) {
                latest = other;
            }
        }
        return latest;
    }

    private static byte @Nullable [] value(@Nullable CacheEntry<String, Object> entry) {
        return entry == null ? null : Stored.bytes(entry.getValue());
    }
}
