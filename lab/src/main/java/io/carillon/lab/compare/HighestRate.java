package io.carillon.lab.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How high a server came.
 *
 * @param best highest clean rate, calls/s; 0: none
 * @param atTheTop whether no higher rate was to be tried
 * @param attempts every rate that was tried
 */
record HighestRate(int best, boolean atTheTop, List<RateAttempt> attempts) {
    static final HighestRate NONE = new HighestRate(0, false, List.of());

    /** With one more rate, which does not make it higher. */
    HighestRate with(RateAttempt attempt) {
        List<RateAttempt> all = new ArrayList<>(attempts);
        all.add(attempt);
        return new HighestRate(best, atTheTop, List.copyOf(all));
    }

    /** The clean attempt at a rate, if there was one. */
    @Nullable RateAttempt at(int rate) {
        return attempts.stream()
                .filter(a -> a.rate() == rate && a.clean())
                .findFirst()
                .orElse(null);
    }

    /** What ended the search, in a word or two. */
    String limit() {
        if (atTheTop) {
            return "--most";
        }
        List<RateAttempt> failed =
                attempts.stream().filter(a -> a.rate() > best && !a.clean()).toList();
        int least = failed.stream().mapToInt(RateAttempt::rate).min().orElse(0);
        boolean load = failed.stream().anyMatch(a -> a.rate() == least && a.loadWasTheLimit());
        return load ? "the load" : "the server";
    }

    /** A line per server; the last column only where several servers have a rate in common. */
    static String table(Map<String, HighestRate> heights, int common) {
        boolean several = heights.size() > 1 && common > 0;
        List<List<String>> lines = new ArrayList<>();
        List<String> head =
                new ArrayList<>(List.of("Server", "Highest clean rate", "Ended by", "CPU at it"));
        if (several) {
            head.add(String.format(Locale.ROOT, "CPU at %,d calls/s", common));
        }
        lines.add(head);
        heights.forEach((name, found) -> {
            List<String> line = new ArrayList<>();
            line.add(name);
            line.add(found.rateText());
            line.add(found.limit());
            line.add(share(found.at(found.best())));
            if (several) {
                line.add(share(found.at(common)));
            }
            lines.add(line);
        });
        return ComparisonTable.aligned(lines);
    }

    private String rateText() {
        String rate = String.format(Locale.ROOT, "%,d calls/s", best);
        return best == 0 ? "none" : limit().equals("the server") ? rate : "at least " + rate;
    }

    private static String share(@Nullable RateAttempt attempt) {
        return attempt == null
                ? ""
                : String.format(Locale.ROOT, "%.0f %% of a CPU", 100 * attempt.serverShare());
    }
}
