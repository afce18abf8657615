package io.carillon.net.count;

import java.util.EnumMap;
import java.util.Map;

/**
 * The counts of a network. Each event loop counts in an array of its own, so counting costs no more
 * than an addition; reading adds them up and may be a moment behind. Any thread.
 */
public final class NetworkCounters {

    private final LoopCounts[] tallies;

    /**
     * @param tallies one per event loop
     */
    public NetworkCounters(LoopCounts[] tallies) {
        this.tallies = tallies;
    }

    /** The sum over all shards. */
    public long get(NetworkCounter counter) {
        long sum = 0;
        for (LoopCounts tally : tallies) {
            sum += tally.get(counter);
        }
        return sum;
    }

    /** All sums. */
    public Map<NetworkCounter, Long> snapshot() {
        Map<NetworkCounter, Long> all = new EnumMap<>(NetworkCounter.class);
        for (NetworkCounter counter : NetworkCounter.values()) {
            all.put(counter, get(counter));
        }
        return all;
    }
}
