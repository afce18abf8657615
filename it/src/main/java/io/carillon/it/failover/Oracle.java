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
     * What is known of a loss beside the calls.
     *
     * @param goneAtNanos when the node went
     * @param withinNanos how soon another has to be in its place
     * @param heldCalls calls that the node had
     * @param unprotected of these, such as nobody had a copy of
     * @param strays requests to phones whose call was over
     * @param timers what became of the applications' timers
     * @param returns may a call come back to a node that had it?
     * @param died the node that has died, whose calls may come back; empty for none
     */
    record Loss(
            long goneAtNanos,
            long withinNanos,
            long heldCalls,
            long unprotected,
            List<String> strays,
            FiredTimers.Sum timers,
            boolean returns,
            String died) {
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
                        loss.strays().size()
                                + " requests to phones whose call was over"
                                + shown(loss.strays())));
        lines.add(oneOwner(calls, loss));
        lines.add(timers(loss.timers()));
        return lines;
    }

    private static Line kind(Kind kind, List<CallFacts> some) {
        StringBuilder text = new StringBuilder(kind.user()).append(": ");
        long wrong = 0;
        for (Stage stage : Stage.values()) {
            List<CallFacts> these = some.stream().filter(call -> call.atKill() == stage).toList();
            long bad = these.stream().filter(Oracle::isWrong).count();
            if (!these.isEmpty()) {
                text.append(these.size()).append(' ').append(name(stage));
                text.append(bad == 0 ? ", " : " (" + bad + " went wrong), ");
            }
            wrong += bad;
        }
        text.setLength(text.length() - 2);
        return new Line(wrong == 0, text.toString());
    }

    /** Two nodes in turn for a call, and then the first again: both thought it theirs. */
    private static Line oneOwner(Collection<CallFacts> calls, Loss loss) {
        List<String> back =
                calls.stream()
                        .filter(call -> call.wentBack(loss.died()))
                        .map(call -> call.name() + " by nodes " + call.nodes())
                        .toList();
        return new Line(
                back.isEmpty() || loss.returns(),
                back.size() + " calls came back to a node that had lost them" + shown(back));
    }

    private static Line timers(FiredTimers.Sum timers) {
        return new Line(
                timers.never() == 0 && timers.twice() == 0,
                String.format(
                        Locale.ROOT,
                        "%d timers of applications due: %d did not fire, %d fired twice, %d again as"
                                + " their node was lost before that was written; the latest %.1f s late",
                        timers.due(),
                        timers.never(),
                        timers.twice(),
                        timers.again(),
                        timers.lateMillis() / 1e3));
    }

    private static String shown(List<String> some) {
        StringBuilder text = new StringBuilder();
        some.stream().limit(SHOWN).forEach(one -> text.append("\n        as ").append(one));
        return text.toString();
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

    /** What an application does by itself leaves without waiting: nothing is promised of it yet. */
    static boolean isWrong(CallFacts call) {
        boolean promised =
                call.atKill() != Stage.IN_SETUP
                        || (call.kind() != Kind.UAC && call.kind() != Kind.SUBSCRIPTION);
        return !call.good() && promised;
    }

    /** A call in set-up, and one that begins later, has only to come about. */
    private static Line failed(Collection<CallFacts> calls) {
        List<CallFacts> failed =
                calls.stream()
                        .filter(call -> call.atKill() != Stage.CONFIRMED)
                        .filter(call -> call.atKill() != Stage.EARLY)
                        .filter(Oracle::isWrong)
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
        Answers answers = new Answers();
        answers.add(calls, loss);
        return new Line(answers.good(), answers.text(loss.withinNanos()));
    }
}
