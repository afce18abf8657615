package io.carillon.it.failover;

import io.carillon.it.failover.CallFacts.Stage;
import io.carillon.it.failover.Oracle.Loss;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The lines of a whole run: what has to be shown, what all its losses have shown. One thread. */
final class LineTable {
    private static final String FORM = "%-4s  %-66s  %-40s  %s%n";

    private final Answers answers = new Answers();
    private final List<String> unfinished = new ArrayList<>();
    private FiredTimers.Sum timers = FiredTimers.Sum.NONE;
    private long withinNanos;
    private int line = 1;
    private int losses;
    private int agreed;
    private long established;
    private long establishedLost;
    private long ringing;
    private long ringingLost;
    private long failed;
    private long unprotected;
    private long strays;
    private long back;

    /** A loss and what it has shown. */
    void add(Fault fault, Collection<CallFacts> calls, Loss loss, boolean isAgreed) {
        line = fault.line();
        withinNanos = loss.withinNanos();
        losses++;
        agreed += isAgreed ? 1 : 0;
        answers.add(calls, loss);
        established += calls.stream().filter(call -> call.atKill() == Stage.CONFIRMED).count();
        ringing += calls.stream().filter(call -> call.atKill() == Stage.EARLY).count();
        List<CallFacts> lost = Oracle.lostCalls(calls);
        long lostRinging = lost.stream().filter(call -> call.atKill() == Stage.EARLY).count();
        ringingLost += lostRinging;
        establishedLost += lost.size() - lostRinging;
        failed += calls.stream().filter(Oracle::isWrong).count() - lost.size();
        unprotected += loss.unprotected();
        strays += loss.strays().size();
        back +=
                loss.returns()
                        ? 0
                        : calls.stream().filter(call -> call.wentBack(loss.died())).count();
        timers = timers.plus(loss.timers());
    }

    /** A loss that came to no end. */
    void unfinished(@Nullable String why) {
        unfinished.add(String.valueOf(why));
    }

    private record Row(int line, String wanted, String measured, boolean good) {}

    private List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        String number = Integer.toString(losses);
        rows.add(
                new Row(
                        line,
                        "no established call or subscription is lost",
                        establishedLost + " of " + established + " in " + number + " losses",
                        establishedLost == 0));
        rows.add(
                new Row(
                        line,
                        "ringing calls are answered, cancelled and ended well",
                        ringingLost + " of " + ringing + " went wrong",
                        ringingLost == 0));
        rows.add(
                new Row(
                        line,
                        "no call is counted as unprotected when its node goes",
                        unprotected + " were",
                        unprotected == 0));
        rows.add(
                new Row(
                        line,
                        "calls in set-up and those that begin later come about",
                        failed + " did not",
                        failed == 0));
        rows.addAll(answered());
        rows.addAll(owners());
        return rows;
    }

    private List<Row> answered() {
        return List.of(
                new Row(
                        line,
                        String.format(
                                Locale.ROOT,
                                "answered %.0f s after the loss or 0.2 s after it was sent, p99",
                                withinNanos / 1e9),
                        answers.inTime() ? "yes" : "no",
                        answers.inTime()),
                new Row(
                        line,
                        String.format(
                                Locale.ROOT,
                                "each is answered, none later than %.1f s",
                                answers.mostSeconds()),
                        String.format(Locale.ROOT, "max %.2f s", answers.maxSeconds()),
                        answers.bearable()));
    }

    private List<Row> owners() {
        return List.of(
                new Row(
                        2,
                        "no message of a call that others have, never two that both send",
                        strays + " strays, " + back + " calls came back",
                        strays + back == 0),
                new Row(
                        2,
                        "in the end one owner of each partition, the same for all",
                        agreed + " of " + losses,
                        agreed == losses),
                new Row(
                        3,
                        "every timer of an application fires once",
                        String.format(
                                Locale.ROOT,
                                "%d due, %d never, %d twice, %d explained",
                                timers.due(),
                                timers.never(),
                                timers.twice(),
                                timers.again()),
                        timers.never() + timers.twice() == 0));
    }

    /** Prints them; do all hold? */
    boolean print() {
        boolean good = unfinished.isEmpty() && losses > 0;
        System.out.printf(Locale.ROOT, "%n" + FORM, "LINE", "HAS TO BE SHOWN", "MEASURED", "HOLDS");
        if (losses > 0) {
            for (Row row : rows()) {
                good &= row.good();
                System.out.printf(
                        Locale.ROOT,
                        FORM,
                        row.line(),
                        row.wanted(),
                        row.measured(),
                        row.good() ? "yes" : "NO");
            }
        }
        unfinished.forEach(why -> System.out.println("NOT DONE: " + why));
        return good;
    }
}
