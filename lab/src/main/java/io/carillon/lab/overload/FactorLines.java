package io.carillon.lab.overload;

import static io.carillon.lab.study.FigureText.format;

import java.util.ArrayList;
import java.util.List;

/** What is asked of a server at a multiple of its capacity. Stateless. */
final class FactorLines {
    /** Of the calls that were accepted so many may fail. */
    static final double MOST_ACCEPTED_FAILED = 0.001;

    /** One request within a dialog in a hundred may take longer than 50 ms. */
    static final double MOST_IN_DIALOG_SLOW = 0.01;

    /** Up to this factor the kernel drops nothing. */
    private static final int NO_DROPS_UP_TO = 5;

    /** More than the capacity cannot be carried: above this share it was not found. */
    static final double MOST_GOODPUT = 1.1;

    private static final int MOST_RECOVERY_SECONDS = 10;

    private FactorLines() {}

    /** Least goodput at a factor. */
    static double leastGoodput(int factor) {
        return factor <= 2 ? 0.95 : factor <= 5 ? 0.90 : 0.80;
    }

    /**
     * The lines.
     *
     * @param judged false for the contrast, of which nothing is asked
     * @param datagrams whether the kernel can drop any
     */
    static List<Line> of(
            String subject, int factor, OverloadFigures f, boolean judged, boolean datagrams) {
        List<Line> lines = new ArrayList<>();
        goodput(lines, subject, factor, f);
        if (f.goodput() > MOST_GOODPUT) {
            lines.add(
                    new Line(
                            subject + ", above the capacity",
                            "it carries more than the capacity that was found",
                            "a longer --warmup or --trial finds a higher one",
                            false));
        }
        accepted(lines, subject, f);
        if (datagrams) {
            lines.add(drops(subject, factor, f));
        }
        refused(lines, subject, f);
        lines.add(
                new Line(
                        subject + ", as before after the load's fall",
                        format(
                                "%d s; %d s after the rate's fall",
                                f.recoverySeconds(), f.fallSeconds() + f.recoverySeconds()),
                        "within 10 s",
                        f.recoverySeconds() <= MOST_RECOVERY_SECONDS));
        return judged ? lines : lines.stream().map(FactorLines::contrast).toList();
    }

    private static void goodput(List<Line> lines, String subject, int factor, OverloadFigures f) {
        double least = leastGoodput(factor);
        lines.add(
                new Line(
                        subject + ", goodput",
                        format(
                                "%.1f %% of %,.0f calls/s at %,.0f attempts/s",
                                f.goodput() * 100, f.capacity(), f.offered()),
                        format("at least %.0f %%", least * 100),
                        f.goodput() >= least));
        lines.add(
                Line.told(
                        subject + ", worst 5 s after the first 5",
                        Double.isNaN(f.worstGoodput())
                                ? "too short to tell"
                                : format("%.1f %%", f.worstGoodput() * 100)));
    }

    private static void accepted(List<Line> lines, String subject, OverloadFigures f) {
        lines.add(
                new Line(
                        subject + ", accepted calls that failed",
                        format(
                                "%,d of %,d (%.3f %%)",
                                f.acceptedFailed(), f.accepted(), f.acceptedFailedShare() * 100),
                        "at most 0.1 %",
                        f.acceptedFailedShare() <= MOST_ACCEPTED_FAILED && f.accepted() > 0));
        lines.add(
                new Line(
                        subject + ", requests within dialogs",
                        format(
                                "%.2f %% later than 50 ms, p99 of the worst second %.1f ms",
                                f.inDialogSlow() * 100, f.inDialogP99Millis()),
                        "p99 at most 50 ms",
                        f.inDialogSlow() <= MOST_IN_DIALOG_SLOW && f.accepted() > 0));
    }

    private static Line drops(String subject, int factor, OverloadFigures f) {
        String what = subject + ", dropped by the kernel";
        String drops = format("%,d datagrams", f.drops());
        return factor <= NO_DROPS_UP_TO
                ? new Line(what, drops, "none", f.drops() == 0)
                : Line.told(what, drops);
    }

    private static void refused(List<Line> lines, String subject, OverloadFigures f) {
        lines.add(
                Line.told(
                        subject + ", refused",
                        format(
                                "%,.0f/s, %,.0f/s without any answer; server CPU %.0f %%",
                                f.refused(), f.silent(), f.serverCpu() * 100)));
        lines.add(
                new Line(
                        subject + ", refused calls that were served all the same",
                        format("%,d", f.ghosts()),
                        "none",
                        f.ghosts() == 0));
    }

    private static Line contrast(Line line) {
        return Line.told(line.subject(), line.measured());
    }
}
