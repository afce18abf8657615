package io.carillon.lab.measure;

import static io.carillon.lab.study.FigureText.format;

import io.carillon.lab.process.PairRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What it costs that calls outlive their node, line by line, and whether each line holds. Owner:
 * one thread.
 */
final class GridCostFigures {
    private static final double OWNER_MOST = 1.15;
    private static final double TOGETHER_MOST = 1.35;
    private static final double HEAP_MOST = 3.0;
    private static final int HALF_MILLIS = 3;
    private static final int MOST_MILLIS = 15;
    private static final double MOST_OF_THEM = 0.99;

    private final List<Double> owner = new ArrayList<>();
    private final List<Double> together = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final List<Line> heap = new ArrayList<>();
    private final TreeMap<Integer, Long> waited = new TreeMap<>();
    private long leftProtected;

    /**
     * A line of the verdict.
     *
     * @param subject what was looked at
     * @param measured what came out
     * @param wanted what it had to be
     */
    private record Line(boolean holds, String subject, String measured, String wanted) {
        @Override
        public String toString() {
            return (holds ? "ok    " : "SHORT ") + subject + ": " + measured + " (" + wanted + ")";
        }
    }

    /**
     * What the nodes have counted of messages that wait for a record.
     *
     * @param within those that waited no longer than so many milliseconds; the last of them is all
     * @param leftProtected those that left when two nodes held the record
     */
    record Waits(Map<Integer, Long> within, long leftProtected) {
        Waits {
            within = Map.copyOf(within);
        }

        Waits plus(Waits other) {
            Map<Integer, Long> sum = new TreeMap<>(within);
            other.within.forEach((millis, count) -> sum.merge(millis, count, Long::sum));
            return new Waits(sum, leftProtected + other.leftProtected);
        }
    }

    /** A pair: CPU per call of the owner, and of a server alone. */
    void owner(double with, double without) {
        owner.add(ratio(with, without));
    }

    /** A pair: CPU per call of both nodes, and of a server alone. */
    void together(double with, double without) {
        together.add(ratio(with, without));
    }

    /** Bytes of heap per held call of all nodes, and of a server alone. */
    void heap(double with, double without) {
        double ratio = ratio(with, without);
        heap.add(
                new Line(
                        ratio <= HEAP_MOST,
                        "heap per held call, all nodes to a server alone",
                        format("%.2f; %.0f bytes to %.0f", ratio, with, without),
                        format("at most %.1f", HEAP_MOST)));
    }

    private static double ratio(double with, double without) {
        if (!(with > 0) || !(without > 0)) {
            throw new IllegalArgumentException(with + " to " + without + " is no ratio of costs");
        }
        return with / without;
    }

    /** Messages that waited between the two. */
    void waits(Waits before, Waits after) {
        after.within.forEach((millis, count) ->
                waited.merge(millis, count - before.within.getOrDefault(millis, 0L), Long::sum));
        leftProtected += after.leftProtected - before.leftProtected;
    }

    /** A load was not as it has to be. */
    void fault(String what) {
        faults.add(what);
    }

    /** Does each line hold that was measured? */
    boolean holds() {
        return lines().stream().allMatch(Line::holds);
    }

    /** All lines, the verdict last. */
    List<String> report() {
        List<Line> all = lines();
        List<String> report = new ArrayList<>();
        all.forEach(line -> report.add(line.toString()));
        List<Line> wrong = all.stream().filter(line -> !line.holds()).toList();
        report.add(
                wrong.isEmpty()
                        ? format("VERDICT: all %d lines hold", all.size())
                        : format(
                                "VERDICT: %d of %d lines fall short; first: %s: %s",
                                wrong.size(),
                                all.size(),
                                wrong.getFirst().subject(),
                                wrong.getFirst().measured()));
        return report;
    }

    private List<Line> lines() {
        List<Line> all = new ArrayList<>();
        all.add(cpu("the owner", owner, OWNER_MOST));
        all.add(cpu("owner and copy together", together, TOGETHER_MOST));
        all.addAll(heap);
        all.add(waits());
        long left = count();
        all.add(
                new Line(
                        left > 0 && leftProtected == left,
                        "messages that left when two nodes held their record",
                        format("%,d of %,d", leftProtected, left),
                        "all"));
        all.add(
                new Line(
                        faults.isEmpty(),
                        "loads",
                        faults.isEmpty()
                                ? "nothing failed or was sent again"
                                : String.join("; ", faults),
                        "clean"));
        return all;
    }

    private static Line cpu(String whose, List<Double> ratios, double most) {
        String subject = "CPU per call, " + whose + " to a server alone";
        String wanted = format("at most %.2f", most);
        if (ratios.isEmpty()) {
            return new Line(false, subject, "not measured", wanted);
        }
        PairRatio ratio = PairRatio.of(ratios);
        return new Line(ratio.median() <= most, subject, ratio.toString(), wanted);
    }

    private long count() {
        return waited.isEmpty() ? 0 : waited.lastEntry().getValue();
    }

    private Line waits() {
        String wanted = format("half of them %d ms, 99 %% of them %d ms", HALF_MILLIS, MOST_MILLIS);
        long all = count();
        if (all == 0) {
            return new Line(false, "wait for the record", "no message waited", wanted);
        }
        int half = least(0.5 * all);
        int most = least(MOST_OF_THEM * all);
        StringBuilder shares = new StringBuilder();
        waited.forEach((millis, count) ->
                shares.append(format("; %d ms %.2f %%", millis, 100.0 * count / all)));
        return new Line(
                half <= HALF_MILLIS && most <= MOST_MILLIS,
                "wait for the record",
                format("p50 at most %d ms, p99 at most %d ms%s", half, most, shares),
                wanted);
    }

    /** The least time that is counted, no longer than which so many have waited. */
    private int least(double share) {
        return waited.entrySet().stream()
                .filter(each -> each.getValue() >= share)
                .mapToInt(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }
}
