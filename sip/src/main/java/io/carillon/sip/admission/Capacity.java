package io.carillon.sip.admission;

import io.carillon.sip.guard.Sources;

/**
 * What a shard may keep for its peers, and what one that finds no room is told. Immutable.
 *
 * @param maxTransactions see {@code StackConfig.maxTransactions}
 * @param requestHeapBytes see {@code StackConfig.requestHeapBytes}
 * @param sources where each source is counted, and who is not
 * @param sharePerSource see {@code StackConfig.sharePerSource}
 * @param retryAfterSeconds Retry-After of a refusal; 0 for none
 */
public record Capacity(
        int maxTransactions,
        long requestHeapBytes,
        Sources sources,
        int sharePerSource,
        int retryAfterSeconds) {
    /**
     * No request at all may begin from here on; initial ones only below {@link #maxTransactions}.
     */
    public int hardLimit() {
        return maxTransactions + maxTransactions / 4;
    }
}
