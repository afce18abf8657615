package io.carillon.it.failover;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the nodes have written of the timers that fired, in any order. Immutable. */
record FiredTimers(Map<String, List<Firing>> all) {
    private static final int WORDS = 5;

    /**
     * One firing.
     *
     * @param atMillis of the wall clock
     * @param lateMillis behind its time
     */
    record Firing(long atMillis, long lateMillis, int node) {}

    /**
     * What became of those that were due.
     *
     * @param due how many
     * @param never of them, such as did not fire
     * @param twice such as fired again without a reason
     * @param again such as fired again, as the node that was lost had fired them unwritten
     * @param lateMillis how late the latest was
     */
    record Sum(long due, long never, long twice, long again, long lateMillis) {
        static final Sum NONE = new Sum(0, 0, 0, 0, 0);

        Sum plus(Sum other) {
            return new Sum(
                    due + other.due,
                    never + other.never,
                    twice + other.twice,
                    again + other.again,
                    Math.max(lateMillis, other.lateMillis));
        }
    }

    /** Reads all that is there: each line Call-ID, number, due, fired, node. */
    static FiredTimers read(List<Path> logs) throws IOException {
        Map<String, List<Firing>> all = new HashMap<>();
        for (Path log : logs) {
            if (!Files.exists(log)) {
                continue;
            }
            for (String line : Files.readAllLines(log)) {
                String[] words = line.split(" ", -1);
                if (words.length != WORDS) {
                    throw new IOException(log + ": '" + line + "' is no timer");
                }
                long at = Long.parseLong(words[3]);
                all.computeIfAbsent(words[0] + ' ' + words[1], _ -> new ArrayList<>())
                        .add(
                                new Firing(
                                        at,
                                        at - Long.parseLong(words[2]),
                                        Integer.parseInt(words[4])));
            }
        }
        return new FiredTimers(all);
    }

    /**
     * Judges those of some calls.
     *
     * @param timers each as Call-ID and number
     * @param gone the node that was lost; -1 for none
     * @param fromMillis what it fired since then may not have been written
     * @param untilMillis then it acted no more
     */
    Sum judge(List<String> timers, int gone, long fromMillis, long untilMillis) {
        Sum sum = Sum.NONE;
        for (String timer : timers) {
            List<Firing> fired = all.getOrDefault(timer, List.of());
            long late = fired.stream().mapToLong(Firing::lateMillis).max().orElse(0);
            boolean explained =
                    fired.size() == 2
                            && fired.stream()
                                    .anyMatch(one ->
                                            one.node() == gone
                                                    && one.atMillis() >= fromMillis
                                                    && one.atMillis() <= untilMillis);
            boolean more = fired.size() > 1;
            sum =
                    sum.plus(
                            new Sum(
                                    1,
                                    fired.isEmpty() ? 1 : 0,
                                    more && !explained ? 1 : 0,
                                    explained ? 1 : 0,
                                    late));
        }
        return sum;
    }
}
