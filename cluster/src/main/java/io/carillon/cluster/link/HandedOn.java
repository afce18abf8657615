package io.carillon.cluster.link;

import io.carillon.sip.token.Ownership;
import org.jspecify.annotations.Nullable;

/**
 * Who answers for a request that was handed on, as the number of {@link FlowAct#HANDED_ON} says it.
 *
 * @param node who has taken it; {@link PeerId#NONE} where a node of an older build does not say
 * @param partition of its call
 */
public record HandedOn(int node, int partition) {
    private static final int NODE_AT = 16;
    private static final int NOBODY = 0;

    /** The number for the frame. */
    long number() {
        return (long) (node + 1) << NODE_AT | partition;
    }

    /** Reads it; null where it cannot be one. */
    public static @Nullable HandedOn of(long number) {
        long node = number >> NODE_AT;
        long partition = number & ((1 << NODE_AT) - 1);
        if (node < NOBODY || node > PeerId.NONE || partition >= Ownership.PARTITIONS) {
            return null;
        }
        return new HandedOn(node == NOBODY ? PeerId.NONE : (int) node - 1, (int) partition);
    }
}
