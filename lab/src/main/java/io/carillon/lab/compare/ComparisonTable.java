package io.carillon.lab.compare;

import io.carillon.lab.process.PairRatio;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a comparison as one Markdown table, a line per rate and server: medians of its clean
 * windows, and the first server's CPU per call divided by its, pair by pair.
 */
final class ComparisonTable {
    private final LoadShape shape;
    private final List<String> servers;
    private final List<StoredWindow> rows;
    private final String latency;

    /** Of these servers, the one first that the others are compared with. */
    ComparisonTable(LoadShape shape, List<String> servers, List<StoredWindow> rows) {
        this(shape, servers, rows, "Added latency");
    }

    /**
     * The same.
     *
     * @param latency what the times of the windows are
     */
    ComparisonTable(
            LoadShape shape, List<String> servers, List<StoredWindow> rows, String latency) {
        this.latency = latency;
        this.shape = shape;
        this.servers = servers;
        this.rows = rows;
    }

    /**
     * The whole page.
     *
     * @param title what was measured, and where
     * @param descriptions of the servers, by name
     */
    String page(List<String> title, Map<String, String> descriptions) {
        StringBuilder text = new StringBuilder();
        title.forEach(line -> text.append(line).append("\n\n"));
        text.append(markdown()).append('\n');
        for (String server : servers) {
            text.append("- ").append(server).append(": ");
            text.append(descriptions.getOrDefault(server, "")).append(".\n");
        }
        text.append(
                        "- A window counts with 0 failed calls, 0 retransmissions (both sides of the load,")
                .append(" sent and received) and 0 kernel drops.\n")
                .append("- Ratio: CPU per call of ")
                .append(servers.getFirst())
                .append(
                        " divided by that of the line's server, median of the pairs (range; 95 % interval of the mean).\n")
                .append(
                        "- Memory: resident (proportional set size) of the process tree at the end of a window.\n");
        return text.toString();
    }

    /** The table alone, in columns that line up on a terminal too. */
    String markdown() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(
                List.of(
                        "Calls/s",
                        "Server",
                        "CPU per call",
                        "Ratio to it",
                        latency + " p50 / p99",
                        "Memory",
                        "Clean windows"));
        for (int rate : shape.rates()) {
            for (String server : servers) {
                lines.add(line(rate, server));
            }
        }
        return aligned(lines);
    }

    private List<String> line(int rate, String server) {
        List<MeasuredWindow> all =
                rows.stream()
                        .filter(StoredWindow::counted)
                        .map(StoredWindow::window)
                        .filter(w -> w.server().equals(server) && w.rate() == rate)
                        .toList();
        List<MeasuredWindow> clean = all.stream().filter(MeasuredWindow::clean).toList();
        if (clean.isEmpty()) {
            return List.of(
                    String.format(Locale.ROOT, "%,d", rate),
                    server,
                    all.isEmpty() ? "not measured" : "not clean",
                    "",
                    "",
                    "",
                    counts(all, clean));
        }
        return List.of(
                String.format(Locale.ROOT, "%,d", rate),
                server,
                format("%.0f us", median(clean, MeasuredWindow::cpuMicrosPerCall)),
                ratio(rate, server),
                format("%.3f", median(clean, MeasuredWindow::p50Millis))
                        + " / "
                        + format("%.2f ms", median(clean, MeasuredWindow::p99Millis)),
                format("%.0f MB", median(clean, w -> w.memoryBytes() / 1e6)),
                counts(all, clean));
    }

    /** How many windows there were, and what was wrong in the others. */
    private static String counts(List<MeasuredWindow> all, List<MeasuredWindow> clean) {
        long calls = clean.stream().mapToLong(MeasuredWindow::calls).sum();
        String text =
                String.format(Locale.ROOT, "%d of %d, %,d calls", clean.size(), all.size(), calls);
        if (clean.size() == all.size()) {
            return text;
        }
        long opened = all.stream().mapToLong(MeasuredWindow::opened).sum();
        return text
                + String.format(
                        Locale.ROOT,
                        "; elsewhere %,d failed, %,d retransmissions, %,d drops%s",
                        all.stream().mapToLong(MeasuredWindow::failed).sum(),
                        all.stream().mapToLong(MeasuredWindow::retransmissions).sum(),
                        all.stream().mapToLong(MeasuredWindow::drops).sum(),
                        opened == 0 ? "" : ", " + opened + " connections came or went");
    }

    private String ratio(int rate, String server) {
        List<Double> ratios = ratios(rate, server);
        if (ratios.isEmpty()) {
            return server.equals(servers.getFirst()) ? "1" : "";
        }
        PairRatio ratio = PairRatio.of(ratios);
        String interval =
                ratio.pairs() < 2
                        ? ""
                        : format("; %.2f", ratio.lower()) + format(" to %.2f", ratio.upper());
        return format("%.2f", ratio.median())
                + format(" (%.2f", ratio.least())
                + format(" to %.2f", ratio.most())
                + interval
                + "), "
                + ratio.pairs()
                + (ratio.pairs() == 1 ? " pair" : " pairs");
    }

    /** The first server's CPU per call by another one's, of each pair with two usable windows. */
    List<Double> ratios(int rate, String server) {
        String first = servers.getFirst();
        List<Double> ratios = new ArrayList<>();
        if (server.equals(first)) {
            return ratios;
        }
        for (int pair = 0; pair < shape.pairs(); pair++) {
            MeasuredWindow ours = last(rate, pair, server, first);
            MeasuredWindow theirs = last(rate, pair, server, server);
            if (ours != null && theirs != null && ours.clean() && theirs.clean()) {
                ratios.add(ours.cpuMicrosPerCall() / theirs.cpuMicrosPerCall());
            }
        }
        return ratios;
    }

    private @Nullable MeasuredWindow last(int rate, int pair, String against, String server) {
        return rows.reversed().stream()
                .filter(row -> row.counted() && row.pair() == pair)
                .filter(row -> row.of(servers.getFirst(), against, rate))
                .map(StoredWindow::window)
                .filter(window -> window.server().equals(server))
                .findFirst()
                .orElse(null);
    }

    private static double median(
            List<MeasuredWindow> windows, ToDoubleFunction<MeasuredWindow> figure) {
        double[] sorted = windows.stream().mapToDouble(figure).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static String format(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }

    static String aligned(List<List<String>> lines) {
        int columns = lines.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> line : lines) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < lines.size(); row++) {
            append(text, lines.get(row), widths);
            if (row == 0) {
                List<String> rule = new ArrayList<>();
                for (int width : widths) {
                    rule.add("-".repeat(width));
                }
                append(text, rule, widths);
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, List<String> cells, int[] widths) {
        for (int i = 0; i < widths.length; i++) {
            String cell = cells.get(i);
            text.append("| ").append(cell).append(" ".repeat(widths[i] - cell.length() + 1));
        }
        text.append("|\n");
    }
}
