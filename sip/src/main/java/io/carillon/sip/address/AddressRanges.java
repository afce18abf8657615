package io.carillon.sip.address;

import io.carillon.sip.guard.SourceKey;
import java.net.InetAddress;
import java.util.List;

/** A set of addresses, each given as an {@link AddressRange}. Immutable. */
public final class AddressRanges {
    /** No range at all. */
    public static final AddressRanges NONE = of(List.of());

    private final AddressRange[] ranges;

    /** The same for sources: a look, which every packet costs, is one comparison per range. */
    private final long[] sources;

    private final long[] masks;

    private AddressRanges(AddressRange[] ranges) {
        this.ranges = ranges;
        sources = new long[ranges.length];
        masks = new long[ranges.length];
        for (int i = 0; i < ranges.length; i++) {
            int prefix = ranges[i].bits();
            long source = SourceKey.of(ranges[i].first());
            masks[i] = SourceKey.isInet4(source) ? high(32 + prefix) : high(Math.min(prefix, 64));
            sources[i] = source & masks[i];
        }
    }

    /**
     * @throws IllegalArgumentException naming the one that is no range
     */
    public static AddressRanges of(List<String> texts) {
        return new AddressRanges(
                texts.stream().map(AddressRange::parse).toArray(AddressRange[]::new));
    }

    /** A mask of so many leading ones. */
    private static long high(int ones) {
        return ones == 0 ? 0 : -1L << (64 - ones);
    }

    public boolean isEmpty() {
        return ranges.length == 0;
    }

    /** An IPv4 address inside an IPv6 one counts as the IPv4 one, as Java has it. */
    public boolean contains(InetAddress address) {
        if (ranges.length == 0) {
            return false;
        }
        byte[] bytes = address.getAddress();
        for (AddressRange range : ranges) {
            if (range.contains(bytes)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a source is in one of the ranges. An IPv6 prefix longer than 64 bits counts as one of
     * 64, as all sources of such a network are one. Makes no object.
     *
     * @param source a {@link SourceKey}
     */
    public boolean containsSource(long source) {
        for (int i = 0; i < sources.length; i++) {
            // ::/0 is for IPv6 sources alone; an IPv4 range carries the mark of its kind.
            if ((source & masks[i]) == sources[i]
                    && SourceKey.isInet4(sources[i]) == SourceKey.isInet4(source)) {
                return true;
            }
        }
        return false;
    }
}
