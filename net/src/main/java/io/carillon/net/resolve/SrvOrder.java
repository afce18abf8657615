package io.carillon.net.resolve;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.xbill.DNS.SRVRecord;

/** The order in which SRV records are tried: RFC 2782, usage rules. */
final class SrvOrder {
    private SrvOrder() {}

    /**
     * Sorts by priority, and within one by weight and chance.
     *
     * @param most records looked at; those of the best priorities
     */
    static List<SRVRecord> of(List<SRVRecord> records, int most, RandomGenerator random) {
        List<SRVRecord> sorted = new ArrayList<>(records);
        // "place all those with weight 0 at the beginning of the list": sorted by weight they are.
        sorted.sort(
                Comparator.comparingInt(SRVRecord::getPriority)
                        .thenComparingInt(SRVRecord::getWeight));
        if (sorted.size() > most) {
            sorted = new ArrayList<>(sorted.subList(0, most));
        }
        List<SRVRecord> ordered = new ArrayList<>(sorted.size());
        int from = 0;
        while (from < sorted.size()) {
            int to = from;
            while (to < sorted.size()
                    && sorted.get(to).getPriority() == sorted.get(from).getPriority()) {
                to++;
            }
            choose(new ArrayList<>(sorted.subList(from, to)), ordered, random);
            from = to;
        }
        return ordered;
    }

    /**
     * "Compute the sum of the weights of those RRs, and with each RR associate the running sum in
     * the selected order. Then choose a uniform random number between 0 and the sum computed
     * (inclusive), and select the RR whose running sum value is the first in the selected order
     * which is greater than or equal to the random number selected."
     */
    private static void choose(
            List<SRVRecord> same, List<SRVRecord> ordered, RandomGenerator random) {
        while (!same.isEmpty()) {
            int sum = 0;
            for (SRVRecord record : same) {
                sum += record.getWeight();
            }
            int chosen = random.nextInt(sum + 1);
            int running = 0;
            int index = 0;
            for (; index < same.size() - 1; index++) {
                running += same.get(index).getWeight();
                if (running >= chosen) {
                    break;
                }
            }
            ordered.add(same.remove(index));
        }
    }
}
