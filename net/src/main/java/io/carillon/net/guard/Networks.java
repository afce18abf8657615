package io.carillon.net.guard;

import io.carillon.sip.guard.SourceKey;
import io.carillon.sip.privacy.AddressRange;
import io.carillon.sip.privacy.AddressRanges;
import java.util.List;

/**
 * A set of sources, each given as an {@link AddressRange}. As {@link AddressRanges}, for the keys
 * by which the guard knows sources: a look, which every packet costs, is one comparison per range
 * and no object. Immutable.
 */
public final class Networks {
    /** No range at all. */
    public static final Networks NONE = of(List.of());

    private final long[] values;
    private final long[] masks;

    private Networks(long[] values, long[] masks) {
        this.values = values;
        this.masks = masks;
    }

    /**
     * @param ranges an IPv6 prefix longer than 64 bits counts as one of 64
     * @throws IllegalArgumentException naming the one that is no range
     */
    public static Networks of(List<String> ranges) {
        long[] values = new long[ranges.size()];
        long[] masks = new long[ranges.size()];
        for (int i = 0; i < values.length; i++) {
            AddressRange range = AddressRange.parse(ranges.get(i));
            int prefix = range.bits();
            long key = SourceKey.of(range.address());
            masks[i] = SourceKey.isInet4(key) ? high(32 + prefix) : high(Math.min(prefix, 64));
            values[i] = key & masks[i];
        }
        return new Networks(values, masks);
    }

    /** A mask of so many leading ones. */
    private static long high(int ones) {
        return ones == 0 ? 0 : -1L << (64 - ones);
    }

    /** Whether a source is in one of the ranges. */
    public boolean contains(long key) {
        for (int i = 0; i < values.length; i++) {
            // ::/0 is for IPv6 sources alone; an IPv4 range carries the mark of its kind.
            if ((key & masks[i]) == values[i]
                    && SourceKey.isInet4(values[i]) == SourceKey.isInet4(key)) {
                return true;
            }
        }
        return false;
    }
}
