package io.carillon.server.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Could the other nodes carry the load when one goes? By what each has used of its processors
 * lately: what goes is shared evenly by those that stay.
 *
 * @param percent used of the processors of the busiest node that stays, whichever goes; null where
 *     a node does not say, and where there is one only
 */
record OneFewer(@Nullable Integer percent) {
    /** More leaves nothing for a busy minute. */
    static final int MOST_PERCENT = 80;

    static final OneFewer UNKNOWN = new OneFewer(null);

    /**
     * As nodes say of themselves.
     *
     * @param heard those that are heard, this one too; those that take no calls count for nothing
     */
    static OneFewer of(Map<Integer, ClusterView.Heard> heard) {
        List<Integer> used = new ArrayList<>();
        for (ClusterView.Heard node : heard.values()) {
            if (LackingApplications.takesCalls(node)) {
                Integer percent = node.used();
                if (percent == null) {
                    return UNKNOWN;
                }
                used.add(percent);
            }
        }
        if (used.size() < 2) {
            return UNKNOWN;
        }
        used.sort(Comparator.reverseOrder());
        int stay = used.size() - 1;
        // The worst is that the busiest goes to the second, or the second to the busiest.
        return new OneFewer(
                Math.max(
                        used.get(1) + Math.ceilDiv(used.get(0), stay),
                        used.get(0) + Math.ceilDiv(used.get(1), stay)));
    }

    /** Null where it is not known. */
    @Nullable Boolean carried() {
        return percent == null ? null : (Boolean) (percent <= MOST_PERCENT);
    }
}
