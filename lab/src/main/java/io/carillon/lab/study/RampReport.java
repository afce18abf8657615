package io.carillon.lab.study;

import static io.carillon.lab.study.FigureText.format;

import io.carillon.lab.process.Json;
import io.carillon.lab.report.Chart;
import io.carillon.lab.report.Page;
import io.carillon.lab.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The page of a ramp. */
final class RampReport {
    /** What is on it; also the raw data beside it. */
    record Content(RampStudy study, List<RampStep> steps) {}

    private final RampStudy study;
    private final List<RampStep> steps;
    private final List<Double> rates;
    private final Page page;

    private RampReport(Content content) {
        this.study = content.study();
        this.steps = content.steps();
        this.rates = study.rates().stream().map(Integer::doubleValue).toList();
        this.page =
                new Page(
                        format(
                                "Ramp from %,d to %,d calls/s: %s",
                                study.from(), study.to(), study.workload()));
    }

    /** Writes report.html and report.json. */
    static void write(Content content, Path folder) throws IOException {
        Json.write(folder.resolve("report.json"), content);
        RampReport report = new RampReport(content);
        report.compose();
        report.page.write(page(folder));
    }

    static Path page(Path folder) {
        return folder.resolve("report.html");
    }

    private void compose() {
        for (String server : study.servers()) {
            RampVerdict verdict = RampVerdict.of(server, steps);
            if (verdict.highest() == 0) {
                page.failedVerdict(server + ": no rate held", verdict.sentence());
            } else {
                page.verdict(
                        format("%s: %,d calls/s", server, verdict.highest()), verdict.sentence());
            }
        }
        warnings();
        page.heading("By rate");
        page.paragraph(
                "Response time: from the moment when the INVITE was due to its 200, less the ringing. Dashed: the"
                        + " limits, 25 ms for half of the calls and 50 ms for 95 %.");
        page.beginGrid();
        List<Chart.Mark> limits =
                List.of(
                        new Chart.Mark(RampStep.HALF_WITHIN_MILLIS, "25 ms for 50 %"),
                        new Chart.Mark(RampStep.MOST_WITHIN_MILLIS, "50 ms for 95 %"));
        page.chart(chart("p50, ms (logarithmic)", true, limits.subList(0, 1), RampStep::p50Millis));
        page.chart(chart("p95, ms (logarithmic)", true, limits.subList(1, 2), RampStep::p95Millis));
        page.chart(chart("p99, ms (logarithmic)", true, List.of(), RampStep::p99Millis));
        page.chart(chart("p99.9, ms (logarithmic)", true, List.of(), RampStep::p999Millis));
        page.chart(chart("CPU of the server, % of one CPU", false, List.of(), s -> s.cpu() * 100));
        page.chart(chart("CPU per call, us", false, List.of(), RampStep::cpuMicrosPerCall));
        page.chart(chart("Failed calls, % of those made", false, List.of(), RampReport::failed));
        page.chart(chart("Calls that timed out", false, List.of(), RampStep::timeouts));
        page.chart(chart("Retransmissions", false, List.of(), RampStep::retransmissions));
        page.endGrid();
        page.heading("All figures");
        study.servers().forEach(this::table);
        page.heading("How this was measured");
        page.paragraph("Machine: " + study.machine() + ".");
        page.paragraph(
                format(
                        "Workload %s of ./carillon load, calls of %.0f s, %d s at each rate; servers on CPU %s, load on CPU"
                                + " %s. All servers run all the time; at each rate they get the load in turn, the order"
                                + " changing from rate to rate. A server that fails more calls than it completes gets"
                                + " no higher rates.",
                        study.workload(),
                        study.calls().seconds(),
                        study.seconds(),
                        any(study.serverCpus()),
                        any(study.loadCpus())));
    }

    private void warnings() {
        warn("The machine had other work: ", steps.stream().filter(RampStep::disturbed).toList());
        warn(
                "The load generator was at its end, so these say little of the server: ",
                steps.stream().filter(RampStep::limitedByLoad).toList());
    }

    private void warn(String what, List<RampStep> these) {
        if (!these.isEmpty()) {
            List<String> names =
                    these.stream().map(s -> format("%s at %,d", s.server(), s.rate())).toList();
            page.warning(what + String.join(", ", names) + " calls/s.");
        }
    }

    private static double failed(RampStep step) {
        return step.made() == 0 ? 0 : 100.0 * step.failed() / step.made();
    }

    private Chart chart(
            String title, boolean log, List<Chart.Mark> marks, ToDoubleFunction<RampStep> value) {
        List<Chart.Line> lines = new ArrayList<>();
        for (int i = 0; i < study.servers().size(); i++) {
            String server = study.servers().get(i);
            lines.add(new Chart.Line(server, i, values(server, value)));
        }
        return new Chart(title, "calls/s", log, Chart.Style.LINE_AND_POINTS, rates, lines, marks);
    }

    private List<@Nullable Double> values(String server, ToDoubleFunction<RampStep> value) {
        List<@Nullable Double> values = new ArrayList<>(Collections.nCopies(rates.size(), null));
        for (RampStep step : steps) {
            double number = value.applyAsDouble(step);
            if (step.server().equals(server) && !Double.isNaN(number)) {
                values.set(rates.indexOf((double) step.rate()), number);
            }
        }
        return values;
    }

    private void table(String server) {
        List<Table.Row> rows = new ArrayList<>();
        for (RampStep step : steps) {
            if (step.server().equals(server)) {
                rows.add(Table.Row.plain(format("%,d", step.rate()), cells(step)));
            }
        }
        List<String> head =
                List.of(
                        server + ", calls/s",
                        "limits",
                        "p50 ms",
                        "p95 ms",
                        "p99 ms",
                        "p99.9 ms",
                        "slowest ms",
                        "CPU %",
                        "us per call",
                        "made",
                        "failed",
                        "timed out",
                        "sent again",
                        "over 200 ms",
                        "drops");
        page.table(new Table(head, rows));
    }

    private static List<String> cells(RampStep step) {
        return List.of(
                step.holdsTheLimits() ? "held" : "broken",
                format("%.2f", step.p50Millis()),
                format("%.2f", step.p95Millis()),
                format("%.2f", step.p99Millis()),
                format("%.2f", step.p999Millis()),
                format("%.1f", step.maxMillis()),
                Double.isNaN(step.cpu()) ? "-" : format("%.0f", step.cpu() * 100),
                Double.isNaN(step.cpu()) ? "-" : format("%.0f", step.cpuMicrosPerCall()),
                format("%,d", step.made()),
                format("%,d", step.failed()),
                format("%,d", step.timeouts()),
                format("%,d", step.retransmissions()),
                format("%,d", step.late()),
                format("%,d", step.drops()));
    }

    /** A step as a line of the terminal. */
    static String line(RampStep step) {
        return format(
                "%-10s p50 %.2f  p95 %.2f  p99 %.2f  p99.9 %.2f ms  CPU %s  %,d of %,d failed, %,d timed out, %,d sent again",
                step.server(),
                step.p50Millis(),
                step.p95Millis(),
                step.p99Millis(),
                step.p999Millis(),
                Double.isNaN(step.cpu()) ? "-" : format("%.0f %%", step.cpu() * 100),
                step.failed(),
                step.made(),
                step.timeouts(),
                step.retransmissions());
    }

    private static String any(String cpus) {
        return cpus.isEmpty() ? "any" : cpus;
    }
}
