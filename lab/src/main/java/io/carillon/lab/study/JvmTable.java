package io.carillon.lab.study;

import io.carillon.lab.report.Table;
import io.carillon.lab.report.Table.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** All figures of a study, a column for each setting. */
final class JvmTable {
    private static final double MIB = 1 << 20;

    private final List<SettingResult> results;
    private final List<Row> rows = new ArrayList<>();

    private JvmTable(List<SettingResult> results) {
        this.results = results;
    }

    static Table of(List<SettingResult> results) {
        JvmTable table = new JvmTable(results);
        table.rate();
        table.calls();
        table.times();
        table.collector();
        table.memory();
        table.outside();
        List<String> head = new ArrayList<>(List.of(""));
        results.forEach(r -> head.add(r.name()));
        return new Table(head, table.rows);
    }

    private void rate() {
        rows.add(
                Row.of(
                        "Highest rate held, calls/s",
                        results.stream()
                                .map(r -> r.rate() == 0 ? "none" : format("%,.0f", r.rate()))
                                .toList(),
                        results.stream().mapToDouble(SettingResult::rate).toArray(),
                        false));
        rows.add(
                Row.plain(
                        "figures measured at, calls/s",
                        results.stream()
                                .map(r -> format("%,.0f", r.holds().getLast().rate()))
                                .toList()));
        row("CPU per call, us", "%,.0f", true, HoldFigures::cpuMicrosPerCall);
        row("CPU of the server, % of one", "%.0f", f -> f.serverCpu() * 100);
        row("part of the collector, %", "%.1f", true, f -> f.collectorCpu() * 100);
        row("part of the JIT compilers, %", "%.1f", f -> f.compilersCpu() * 100);
    }

    private void calls() {
        group("Calls in the measured time");
        row("succeeded", "%,.0f", f -> f.completed());
        row("failed", "%,.0f", true, f -> f.failed());
        row("sent again by the load", "%,.0f", true, f -> f.retransmissionsSent());
        row("sent again by the server", "%,.0f", true, f -> f.retransmissionsReceived());
        row("answers later than 200 ms", "%,.0f", true, f -> f.late());
        row("kernel drops, server", "%,.0f", true, f -> f.serverDrops());
        row("kernel drops, load", "%,.0f", true, f -> f.loadDrops());
    }

    private void times() {
        group("Response time, ms");
        row("p50", "%,.2f", true, HoldFigures::p50Millis);
        row("p95", "%,.2f", true, HoldFigures::p95Millis);
        row("p99", "%,.2f", true, HoldFigures::p99Millis);
        row("p99.9", "%,.2f", true, HoldFigures::p999Millis);
        row("slowest", "%,.1f", true, HoldFigures::maxMillis);
    }

    private void collector() {
        group("Garbage collector");
        row("longest pause, ms", "%,.2f", true, f -> f.gc().maxPauseMillis());
        row("p99 of pauses, ms", "%,.2f", true, f -> f.gc().p99PauseMillis());
        row("pauses together, ms", "%,.0f", true, f -> f.gc().totalPauseMillis());
        row("pauses", "%,.0f", f -> f.gc().pauses());
        row("collections", "%,.0f", f -> f.gc().collections());
        row("waits for memory (ZGC)", "%,.0f", true, f -> f.gc().stalls());
        row("allocated, MiB/s", "%,.1f", f -> f.gc().allocatedBytesPerSecond() / MIB);
        row("allocated per call, KiB", "%,.1f", true, JvmTable::allocatedPerCall);
    }

    private static double allocatedPerCall(HoldFigures figures) {
        double callsPerSecond = figures.completed() / figures.seconds();
        return callsPerSecond == 0
                ? Double.NaN
                : figures.gc().allocatedBytesPerSecond() / callsPerSecond / 1024;
    }

    private void memory() {
        group("Memory");
        row("heap after collections, MiB", "%,.0f", true, JvmTable::heapAfter);
        row("calls held", "%,.0f", f -> f.held());
        row("live heap per held call, KiB", "%,.1f", true, JvmTable::livePerCall);
        row("process, MiB", "%,.0f", true, f -> f.residentBytes() / MIB);
    }

    /** Nothing is known of it where nothing was collected. */
    private static double heapAfter(HoldFigures figures) {
        return figures.gc().collections() == 0 ? Double.NaN : figures.gc().heapAfterGcBytes() / MIB;
    }

    private static double livePerCall(HoldFigures figures) {
        return figures.liveBytesPerHeldCall() == 0
                ? Double.NaN
                : figures.liveBytesPerHeldCall() / 1024.0;
    }

    private void outside() {
        group("Outside probe, every 10 ms");
        row("longest wait without the seconds left out, ms", "%,.1f", true, JvmTable::longestWait);
        row("p99 of all waits, ms", "%,.2f", true, f -> f.probe().p99Millis());
        row("unanswered", "%,.0f", true, f -> f.probe().lost());
        row("longest wait at a bare echo, ms", "%,.1f", f -> f.probe().controlLongestMillis());
        row("seconds left out for that", "%,.0f", f -> f.probe().secondsLeftOut());
        row("taken by the host (steal), %", "%.1f", f -> f.disturbance().steal() * 100);
        row("other processes, %", "%.1f", f -> f.disturbance().others() * 100);
    }

    /** Where the machine itself stood still in every second, nothing is known of the server. */
    private static double longestWait(HoldFigures figures) {
        return figures.probe().secondsLeftOut() >= Math.round(figures.seconds())
                ? Double.NaN
                : figures.probe().longestMillis();
    }

    private void group(String name) {
        rows.add(Row.group(name));
    }

    private void row(String name, String form, ToDoubleFunction<HoldFigures> value) {
        rows.add(Row.plain(name, cells(form, values(value))));
    }

    private void row(String name, String form, boolean least, ToDoubleFunction<HoldFigures> value) {
        double[] values = values(value);
        rows.add(Row.of(name, cells(form, values), values, least));
    }

    private double[] values(ToDoubleFunction<HoldFigures> value) {
        return results.stream().map(JvmReport::figures).mapToDouble(value).toArray();
    }

    private static List<String> cells(String form, double[] values) {
        List<String> cells = new ArrayList<>();
        for (double value : values) {
            cells.add(Double.isNaN(value) ? "-" : format(form, value));
        }
        return cells;
    }

    private static String format(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }
}
