package io.carillon.lab.study;

import static io.carillon.lab.study.FigureText.format;

import io.carillon.lab.report.Chart;
import io.carillon.lab.report.Page;
import io.carillon.lab.rig.RateProbe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The page of a study of JVM settings. */
final class JvmReport {
    /**
     * What is on it; also the raw data beside it.
     *
     * @param results of the settings that are done
     * @param check the recommended setting's second hold; null when none was asked for
     */
    record Content(
            JvmStudy study,
            List<SettingResult> results,
            Recommendation recommendation,
            @Nullable SettingResult check) {}

    private final Content content;
    private final Page page;

    private JvmReport(Content content) {
        this.content = content;
        Path name = Path.of(content.study().application()).getFileName();
        this.page = new Page("JVM study: " + name + ", " + content.study().workload());
    }

    static void write(Content content, Path file) throws IOException {
        JvmReport report = new JvmReport(content);
        report.compose();
        report.page.write(file);
    }

    private void compose() {
        verdict();
        warnings();
        String length = seconds(content.study().timing().hold());
        String clean = " without a lost call, a retransmission or a dropped datagram.";
        if (content.study().isSearch()) {
            page.heading("Highest rate that was held");
            page.paragraph("Calls per second for " + length + clean);
        } else {
            page.heading(format("Who held %,d calls/s", content.study().fixedRate()));
            page.paragraph("For " + length + clean);
        }
        page.bars("Highest rate of each setting", bars());
        if (measured().isEmpty()) {
            failures();
        } else {
            page.heading("All figures");
            page.paragraph(
                    (content.study().isSearch()
                                    ? "Of the highest rate that each setting held; where it held none, of the lowest that"
                                            + " was tried."
                                    : "Every setting had the same rate.")
                            + " The best of a row is marked.");
            page.table(JvmTable.of(measured()));
            failures();
            overTime();
            page.heading("Each setting");
            measured().forEach(this::details);
        }
        page.heading("How this was measured");
        method();
    }

    private void verdict() {
        Recommendation recommendation = content.recommendation();
        String name = recommendation.setting();
        boolean whole = content.results().size() == content.study().settings().size();
        String heading = name == null ? "No recommendation" : "Use " + name;
        String soFar = whole ? heading : heading + " (so far)";
        if (name == null) {
            page.failedVerdict(soFar, recommendation.reason());
        } else {
            page.verdict(soFar, recommendation.reason());
        }
        SettingResult check = content.check();
        if (check != null && check.figures() != null) {
            String sentence = checked(check, check.figures());
            if (check.rate() > 0) {
                page.paragraph(sentence);
            } else {
                page.warning(sentence);
            }
        } else if (check != null) {
            page.warning("The check of the recommendation failed: " + check.failure());
        }
        content.results().stream()
                .filter(r -> r.name().equals(name))
                .findFirst()
                .ifPresent(r -> {
                    page.paragraph(
                            "Its JVM options; ./carillon run --jvm-options"
                                    + " recommended.jvm.options takes them from the file beside this page:");
                    page.code(String.join("\n", r.options()));
                });
    }

    private static String checked(SettingResult check, HoldFigures figures) {
        String found =
                check.rate() > 0
                        ? "held it again: 0 lost calls, 0 retransmissions, 0 drops"
                        : "did not hold it a second time: " + check.holds().getLast().reason();
        return format(
                "Checked: started anew at %,d calls/s for %s, it %s; p99 response time %.1f ms, longest pause %.2f ms.",
                check.holds().getLast().rate(),
                seconds((int) Math.round(figures.seconds())),
                found,
                figures.p99Millis(),
                figures.gc().maxPauseMillis());
    }

    private void warnings() {
        List<SettingResult> results = content.results();
        int missing = content.study().settings().size() - results.size();
        if (missing > 0) {
            page.warning(
                    missing
                            + " of "
                            + content.study().settings().size()
                            + " settings are not done yet.");
        }
        List<String> busy =
                measured().stream()
                        .filter(r -> figures(r).disturbance().isMuch())
                        .map(r -> r.name() + " (" + figures(r).disturbance() + ")")
                        .toList();
        if (!busy.isEmpty()) {
            page.warning(
                    "The machine had other work while these were held, so their figures say less: "
                            + String.join("; ", busy)
                            + ".");
        }
        List<String> limited =
                measured().stream()
                        .filter(SettingResult::limitedByLoad)
                        .map(SettingResult::name)
                        .toList();
        endOfSearch();
        if (!limited.isEmpty()) {
            page.warning(
                    (content.study().isSearch()
                                    ? "The load generator was at its end before the server, so the true rate is"
                                            + " higher: "
                                    : "The load generator was at its end, so these figures say less of the server: ")
                            + String.join(", ", limited)
                            + ".");
        }
    }

    /** Nothing of the server's ended the search. */
    private boolean isAtLeast(SettingResult result) {
        boolean atEnd = result.holds().size() == 1 && result.rate() == content.study().mostRate();
        return content.study().isSearch() && (result.limitedByLoad() || atEnd);
    }

    private void endOfSearch() {
        int most = content.study().mostRate();
        if (content.study().isSearch() && measured().stream().anyMatch(r -> r.rate() == most)) {
            page.warning(
                    format(
                            "The search ended at %,d calls/s (--most-rate), and not every setting at its end.",
                            most));
        }
    }

    private void failures() {
        for (SettingResult result : content.results()) {
            if (!result.failure().isEmpty()) {
                page.warning(result.name() + " could not be measured: " + result.failure());
            }
        }
    }

    private List<Page.Bar> bars() {
        List<Page.Bar> bars = new ArrayList<>();
        for (int i = 0; i < content.results().size(); i++) {
            SettingResult result = content.results().get(i);
            String text =
                    !result.failure().isEmpty()
                            ? "failed"
                            : result.rate() == 0
                                    ? content.study().isSearch() ? "none held" : "not clean"
                                    : format(
                                            "%s%,d/s",
                                            isAtLeast(result) ? "at least " : "", result.rate());
            boolean best = result.name().equals(content.recommendation().setting());
            bars.add(new Page.Bar(result.name(), result.rate(), text, i, best));
        }
        return bars;
    }

    private void overTime() {
        page.heading("Over time");
        page.paragraph(
                (content.study().isSearch()
                                ? "While each setting held its own highest rate."
                                : "While each setting had the same rate.")
                        + " Click a name below a chart to hide its line; drag to"
                        + " look closer, double-click to go back.");
        page.beginGrid();
        page.chart(overlay("CPU of the server, % of one CPU", false, s -> times(s.serverCpu())));
        page.chart(overlay("Heap in use, MiB", false, SecondSeries::heapMiB));
        page.chart(
                overlay(
                                "Longest GC pause of each second, ms (logarithmic)",
                                true,
                                SecondSeries::longestPauseMillis)
                        .withPoints());
        page.chart(overlay("Response time p99, ms (logarithmic)", true, SecondSeries::p99Millis));
        page.chart(overlay("Retransmissions of each second", false, SecondSeries::retransmissions));
        page.chart(
                overlay("CPU of the collector, % of one CPU", false, s -> times(s.collectorCpu())));
        page.endGrid();
    }

    private static List<Double> times(List<Double> shares) {
        return shares.stream().map(share -> share * 100).toList();
    }

    private Chart overlay(String title, boolean log, Function<SecondSeries, List<Double>> values) {
        List<Chart.Line> lines = new ArrayList<>();
        int longest = 0;
        for (SettingResult result : measured()) {
            List<Double> line = values.apply(result.series());
            longest = Math.max(longest, line.size());
            lines.add(new Chart.Line(result.name(), color(result), line));
        }
        return chart(title, log, longest, lines);
    }

    /** All lines as long as the longest, for they share their horizontal axis. */
    private static Chart chart(String title, boolean log, int seconds, List<Chart.Line> lines) {
        List<Chart.Line> padded = new ArrayList<>();
        for (Chart.Line line : lines) {
            List<@Nullable Double> values = new ArrayList<>(line.values());
            while (values.size() < seconds) {
                values.add(null);
            }
            padded.add(new Chart.Line(line.label(), line.color(), values.subList(0, seconds)));
        }
        List<Double> x = IntStream.rangeClosed(1, seconds).mapToObj(i -> (double) i).toList();
        return new Chart(title, "seconds", log, Chart.Style.LINE, x, padded, List.of());
    }

    private void details(SettingResult result) {
        HoldFigures figures = figures(result);
        SecondSeries series = result.series();
        int seconds = series.serverCpu().size();
        page.beginDetails(
                result.name()
                        + (result.rate() == 0
                                ? ": no rate held"
                                : format(": %,d calls/s", result.rate()))
                        + format(", %.0f us per call", figures.cpuMicrosPerCall()));
        page.beginGrid();
        page.chart(
                chart(
                        "CPU, % of one CPU",
                        false,
                        seconds,
                        List.of(
                                new Chart.Line("server", 0, List.copyOf(times(series.serverCpu()))),
                                new Chart.Line(
                                        "its collector",
                                        1,
                                        List.copyOf(times(series.collectorCpu()))))));
        page.chart(
                chart(
                        "Heap in use, MiB",
                        false,
                        seconds,
                        List.of(new Chart.Line("heap", 2, List.copyOf(series.heapMiB())))));
        page.chart(
                chart(
                        "Response times, ms (logarithmic), and pauses",
                        true,
                        seconds,
                        List.of(
                                new Chart.Line("p50", 0, List.copyOf(series.p50Millis())),
                                new Chart.Line("p99", 1, List.copyOf(series.p99Millis())),
                                new Chart.Line("slowest", 3, List.copyOf(series.maxMillis())),
                                new Chart.Line(
                                        "longest pause",
                                        4,
                                        List.copyOf(series.longestPauseMillis())))));
        page.chart(
                chart(
                        "Retransmissions and failed calls of each second",
                        false,
                        seconds,
                        List.of(
                                new Chart.Line(
                                        "retransmissions",
                                        3,
                                        List.copyOf(series.retransmissions())),
                                new Chart.Line("failed", 6, List.copyOf(series.failed())))));
        page.endGrid();
        page.paragraph("Trials of the search, in their order:");
        page.code(lines(result.probes()));
        page.paragraph("Rates that were held:");
        page.code(lines(result.holds()));
        page.paragraph("JVM options:");
        page.code(String.join("\n", result.options()));
        page.endDetails();
    }

    private static String lines(List<RateProbe> probes) {
        return String.join("\n", probes.stream().map(RateProbe::toString).toList());
    }

    private void method() {
        JvmStudy study = content.study();
        page.paragraph("Machine: " + study.machine() + ".");
        page.paragraph(
                format(
                        "Application %s under the workload %s of ./carillon load; server on CPU %s, load and probes on"
                                + " CPU %s; heap %s, all of it from the start.",
                        Path.of(study.application()).getFileName(),
                        study.workload(),
                        any(study.serverCpus()),
                        any(study.loadCpus()),
                        study.heap()));
        page.paragraph(study.isSearch() ? search(study) : comparison(study));
        page.paragraph(
                "The recommendation: the highest rate held clean; of those within 5 % of it the shortest p99 response"
                        + " time; of those within 10 % or 1 ms the shortest of the longest GC pauses; of those the"
                        + " least CPU per call. Every figure is in report.json; docs/guides/lab.md says what each one means.");
    }

    private static String search(JvmStudy study) {
        return format(
                "Each setting: %d s of warm-up; trials of %d s with calls of %.0f s, the rate doubled from %,d"
                        + " calls/s until a trial is not clean, then the gap halved down to %.0f %%; the rate"
                        + " found is held for %d s with calls of %.0f s (ringing %.0f s) after %d s of filling,"
                        + " and lowered by a tenth as long as it is not clean. Clean means: no call failed,"
                        + " nothing was sent twice by either side, the kernel dropped nothing.",
                study.timing().warmup(),
                study.timing().probe(),
                study.probeCalls().seconds(),
                study.firstRate(),
                study.resolution() * 100,
                study.timing().hold(),
                study.heldCalls().seconds(),
                study.heldCalls().ringSeconds(),
                study.timing().fill());
    }

    private static String comparison(JvmStudy study) {
        return format(
                "Each setting: %d s of warm-up, a trial of %d s, then %,d calls/s for %d s with calls of %.0f s (ringing"
                        + " %.0f s) after %d s of filling, to the end whether clean or not. Clean means: no call"
                        + " failed, nothing was sent twice by either side, the kernel dropped nothing.",
                study.timing().warmup(),
                study.timing().probe(),
                study.fixedRate(),
                study.timing().hold(),
                study.heldCalls().seconds(),
                study.heldCalls().ringSeconds(),
                study.timing().fill());
    }

    private static String any(String cpus) {
        return cpus.isEmpty() ? "any" : cpus;
    }

    private List<SettingResult> measured() {
        return content.results().stream().filter(r -> r.figures() != null).toList();
    }

    private int color(SettingResult result) {
        return content.results().indexOf(result);
    }

    static HoldFigures figures(SettingResult result) {
        HoldFigures figures = result.figures();
        if (figures == null) {
            throw new IllegalStateException(result.name() + " was not measured");
        }
        return figures;
    }

    private static String seconds(int seconds) {
        return seconds % 60 == 0 && seconds > 60 ? seconds / 60 + " minutes" : seconds + " s";
    }
}
