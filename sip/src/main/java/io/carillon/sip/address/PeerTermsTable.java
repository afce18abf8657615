package io.carillon.sip.address;

import io.carillon.sip.guard.PeerTerms;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The terms of peers by their addresses; of two ranges the narrower one decides. As all sources of
 * an IPv6 /64 are one, a longer prefix counts as that. Immutable.
 */
public final class PeerTermsTable implements PeerTerms.Table {
    private final AddressRanges[] ranges;
    private final PeerTerms[] terms;

    public PeerTermsTable(Map<AddressRange, PeerTerms> peers) {
        List<AddressRange> narrowFirst = new ArrayList<>(peers.keySet());
        narrowFirst.sort(Comparator.comparingInt(AddressRange::bits).reversed());
        ranges =
                narrowFirst.stream()
                        .map(range -> AddressRanges.of(List.of(range.toString())))
                        .toArray(AddressRanges[]::new);
        terms =
                narrowFirst.stream()
                        .map(range -> peers.getOrDefault(range, PeerTerms.STRANGER))
                        .toArray(PeerTerms[]::new);
    }

    /** Makes no object: one comparison for each range. */
    @Override
    public PeerTerms of(long source) {
        for (int i = 0; i < ranges.length; i++) {
            if (ranges[i].containsSource(source)) {
                return terms[i];
            }
        }
        return PeerTerms.STRANGER;
    }
}
