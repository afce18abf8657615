package io.carillon.grid.store;

import java.util.List;
import org.infinispan.conflict.EntryMergePolicy;
import org.infinispan.container.entries.CacheEntry;
import org.jspecify.annotations.Nullable;

/**
 * When the halves of a divided grid meet, the later state of each record stays. Public, as
 * Infinispan makes it.
 */
public final class LaterStays implements EntryMergePolicy<String, byte[]> {
    @Override
    public @Nullable CacheEntry<String, byte[]> merge(
            @Nullable CacheEntry<String, byte[]> preferred,
            List<CacheEntry<String, byte[]>> others) {
        CacheEntry<String, byte[]> latest = preferred;
        for (CacheEntry<String, byte[]> other : others) {
            if (other != null
                    && other.getValue() != null
                    && (latest == null
                            || latest.getValue() == null
                            || Stored.follows(other.getValue(), latest.getValue()))) {
                latest = other;
            }
        }
        return latest;
    }
}
