package io.carillon.it.failover;

import io.carillon.it.failover.CallFacts.Check;
import io.carillon.it.failover.CallFacts.Stage;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Judges what became of the calls of a cluster that lost a node. An established call, and one whose
 * first response that makes a dialog had left, goes on as if nothing had happened; whoever asks is
 * answered soon. Stateless.
 */
final class Oracle {
    /** Whoever asks after the node was replaced is answered so soon. */
    static final long USUAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Nobody waits longer than this. */
    static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(15_500);

    private static final int SHOWN = 5;

    /**
     * What the cluster itself says of a loss.
     *
     * @param goneAtNanos when the node went
     * @param withinNanos how soon another has to be in its place
     * @param heldCalls calls that the node had
     * @param unprotected of these, such as nobody had a copy of
     * @param strays requests to phones whose call was over
     */
    record Loss(
            long goneAtNanos,
            long withinNanos,
            long heldCalls,
            long unprotected,
            List<String> strays) {
        Loss {
            strays = List.copyOf(strays);
        }
    }

    /**
     * A line of the judgement.
     *
     * @param good does it hold
     */
    record Line(boolean good, String text) {
        @Override
        public String toString() {
            return (good ? "ok    " : "SHORT ") + text;
        }
    }

    private Oracle() {}

    /** All lines; the run is good when each is. */
    static List<Line> judge(Collection<CallFacts> calls, Loss loss) {
        List<Line> lines = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            List<CallFacts> some = calls.stream().filter(call -> call.kind() == kind).toList();
            if (!some.isEmpty()) {
                lines.add(kind(kind, some));
            }
        }
        lines.add(lost(calls, loss));
        lines.add(
                new Line(
                        loss.unprotected() == 0,
                        loss.unprotected()
                                + " calls unprotected of "
                                + loss.heldCalls()
                                + " that the node had"));
        lines.add(failed(calls));
        lines.add(times(calls, loss));
        lines.add(
                new Line(
                        loss.strays().isEmpty(),
                        loss.strays().size() + " requests to phones whose call was over"));
        return lines;
    }

    private static Line kind(Kind kind, List<CallFacts> some) {
        StringBuilder text = new StringBuilder(kind.application()).append(": ");
        long wrong = 0;
        for (Stage stage : Stage.values()) {
            List<CallFacts> these = some.stream().filter(call -> call.atKill() == stage).toList();
            long bad = these.stream().filter(call -> !call.good()).count();
            if (!these.isEmpty()) {
                text.append(these.size()).append(' ').append(name(stage));
                text.append(bad == 0 ? ", " : " (" + bad + " went wrong), ");
            }
            wrong += bad;
        }
        text.setLength(text.length() - 2);
        return new Line(wrong == 0, text.toString());
    }

    private static String name(Stage stage) {
        return stage.name().toLowerCase(Locale.ROOT).replace("in_setup", "in set-up");
    }

    /** Calls that nobody may lose but those of which there was no copy. */
    static List<CallFacts> lostCalls(Collection<CallFacts> calls) {
        return calls.stream()
                .filter(call -> call.atKill() == Stage.CONFIRMED || call.atKill() == Stage.EARLY)
                .filter(call -> !call.good())
                .toList();
    }

    private static Line lost(Collection<CallFacts> calls, Loss loss) {
        List<CallFacts> lost = lostCalls(calls);
        return new Line(lost.size() <= loss.unprotected(), "lost " + lost.size() + named(lost));
    }

    /** A call in set-up, and one that begins later, has only to come about. */
    private static Line failed(Collection<CallFacts> calls) {
        List<CallFacts> failed =
                calls.stream()
                        .filter(call -> call.atKill() != Stage.CONFIRMED)
                        .filter(call -> call.atKill() != Stage.EARLY)
                        .filter(call -> !call.good())
                        .toList();
        return new Line(failed.isEmpty(), "failed beside them " + failed.size() + named(failed));
    }

    private static String named(List<CallFacts> some) {
        Map<String, Integer> why = new LinkedHashMap<>();
        some.forEach(call ->
                why.merge(call.atKill() + " " + call.kind() + " " + call.wrong(), 1, Integer::sum));
        StringBuilder text = new StringBuilder();
        why.forEach((what, count) ->
                text.append("\n        ").append(count).append(" x ").append(what));
        some.stream()
                .limit(SHOWN)
                .forEach(call -> text.append("\n        as ").append(call.name()));
        return text.toString();
    }

    /** When has this to be answered? */
    static long dueNanos(Check check, Loss loss) {
        long replaced = loss.goneAtNanos() + loss.withinNanos();
        long usual = check.sentNanos() + USUAL_NANOS;
        return usual - replaced > 0 ? usual : replaced;
    }

    /** The first that each call asks for after the node has gone. */
    private static Line times(Collection<CallFacts> calls, Loss loss) {
        Histogram micros = new Histogram(TimeUnit.MINUTES.toMicros(5), 3);
        long late = 0;
        long never = 0;
        for (CallFacts call : calls) {
            if (call.checks().isEmpty()) {
                continue;
            }
            Check first = call.checks().getFirst();
            if (!first.answered()) {
                never++;
                continue;
            }
            long nanos = Math.max(0, first.answeredNanos() - first.sentNanos());
            micros.recordValue(TimeUnit.NANOSECONDS.toMicros(nanos));
            if (first.answeredNanos() - dueNanos(first, loss) > 0) {
                late++;
            }
        }
        long all = micros.getTotalCount() + never;
        boolean good =
                never == 0
                        && late * 100 <= all
                        && micros.getMaxValue() <= TimeUnit.NANOSECONDS.toMicros(LONGEST_NANOS);
        return new Line(
                good,
                String.format(
                        Locale.ROOT,
                        "first request after it answered after p50 %.0f ms, p99 %.0f ms, max %.0f ms;"
                                + " of %d, %d later than %.0f s after the loss and 200 ms after it was"
                                + " sent, %d never",
                        micros.getValueAtPercentile(50) / 1e3,
                        micros.getValueAtPercentile(99) / 1e3,
                        micros.getMaxValue() / 1e3,
                        all,
                        late,
                        loss.withinNanos() / 1e9,
                        never));
    }
}
