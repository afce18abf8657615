package io.carillon.lab.overload;

import static io.carillon.lab.study.FigureText.format;

import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.report.Chart;
import io.carillon.lab.rig.RateSearch;
import io.carillon.lab.study.StudyProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the capacity of the server as it is shipped and of the same without control, then gives
 * both each multiple of it. Owner: one thread.
 */
final class FactorsPart implements AutoCloseable {
    private static final int MOST_ROUNDS = 4;
    private static final double WARM_SHARE = 0.8;

    /** A search that ends no higher than this above the last one has found the capacity. */
    private static final double SETTLED = 1.1;

    private static final double MOST_HEAP_GROWTH = 1.1;
    private static final long HEAP_NOISE = 8L << 20;

    private final OverloadStudy study;
    private final Path folder;
    private final StudyProgress progress;
    private final Loads loads;
    private final Map<Control, TestServer> servers = new EnumMap<>(Control.class);
    private final Map<Control, Double> capacities = new EnumMap<>(Control.class);
    private final List<Line> lines = new ArrayList<>();
    private final List<Chart> charts = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    FactorsPart(OverloadStudy study, Path folder, StudyProgress progress) {
        this.study = study;
        this.folder = folder;
        this.progress = progress;
        this.loads = new Loads(study, progress);
    }

    /** Starts the servers and finds the capacity, calls/s. */
    double capacity() throws IOException, WrongSetting {
        Servers starter = new Servers(study, folder);
        for (Control control : Control.values()) {
            if (control == Control.SHEDDING || study.contrast()) {
                TestServer server = starter.start(control);
                if (server == null) {
                    warnings.add(
                            "This build has no overload.shed to switch off: there is no contrast.");
                } else {
                    servers.put(control, server);
                    capacities.put(control, capacity(control, server));
                }
            }
        }
        return highest();
    }

    private double capacity(Control control, TestServer server) throws IOException {
        Path own = folder.resolve(control.folder());
        progress.step("warm-up of the server, " + control);
        loads.warm(server, study.firstRate(), study.warmup(), own.resolve("warm-up"));
        server.lower();
        if (study.capacity() > 0) {
            lines.add(
                    Line.told(
                            "capacity, as it was given", format("%,d calls/s", study.capacity())));
            return study.capacity();
        }
        progress.step("capacity of the server, " + control);
        RateSearch.Result result = settled(server, own.resolve("capacity"));
        if (result.limitedByLoad()) {
            warnings.add(
                    format(
                            "The load was at its end above %,d calls/s: the capacity (%s) may be higher. --compute or"
                                    + " --quota lowers it.",
                            result.rate(), control));
        }
        lines.add(Line.told("capacity, " + control, format("%,d calls/s", result.rate())));
        progress.say(lines.getLast().toString());
        return result.rate();
    }

    // A server gets faster while it is looked at: its code is compiled, with little CPU where that
    // is lowered. So the search is made again from where it ended until it ends there once more.
    private RateSearch.Result settled(TestServer server, Path own) throws IOException {
        RateSearch.Result result = loads.capacity(server, study.firstRate(), own.resolve("1"));
        for (int round = 2; round <= MOST_ROUNDS; round++) {
            if (result.rate() == 0) {
                throw new IOException(
                        "the server carried no rate, not even "
                                + study.firstRate()
                                + " calls/s; --first-rate names a lower one to begin with");
            }
            Path next = own.resolve(Integer.toString(round));
            int warm = (int) Math.max(1, Math.round(WARM_SHARE * result.rate()));
            loads.warm(server, warm, study.warmup(), next.resolve("warm-up"));
            RateSearch.Result again = loads.capacity(server, result.rate(), next);
            if (again.rate() <= SETTLED * result.rate()) {
                return again.rate() < result.rate() ? result : again;
            }
            result = again;
        }
        warnings.add("The capacity rose in each search: a longer --warmup is needed.");
        return result;
    }

    private double highest() {
        return capacities.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }

    /** Each factor at each server; {@link #capacity} has found what it multiplies. */
    PartResult run(String title, List<Integer> factors) throws IOException {
        double capacity = highest();
        Map<Control, TestServer.Level> before = levels();
        for (int factor : factors) {
            Map<String, LoadCourse> courses = new LinkedHashMap<>();
            for (Map.Entry<Control, TestServer> entry : servers.entrySet()) {
                courses.put(entry.getKey().toString(), course(entry, capacity, factor));
            }
            charts.addAll(CourseCharts.of(factor + " x", courses, capacity));
        }
        levelLines(before, levels());
        String text =
                format(
                        "%s; %s. %d s at each factor.",
                        study.application().description(), study.lowering(), study.seconds());
        return new PartResult(title, text, lines, charts, warnings);
    }

    private LoadCourse course(Map.Entry<Control, TestServer> entry, double capacity, int factor)
            throws IOException {
        Control control = entry.getKey();
        TestServer server = entry.getValue();
        progress.step(format("%d x %,.0f calls/s, %s", factor, capacity, control));
        server.process().awaitQuiet();
        Path own = folder.resolve(control.folder()).resolve(factor + "x");
        LoadCourse course = loads.course(server, Steps.of(study.seconds()), capacity, factor, own);
        server.process().checkAlive();
        String subject = format("%d x, %s", factor, control);
        OverloadFigures figures = OverloadFigures.of(course, capacity);
        if (!course.limited().isEmpty()) {
            warnings.add(subject + ": " + course.limited());
        }
        boolean judged = control == Control.SHEDDING;
        boolean datagrams = study.transport().equals("udp");
        for (Line line : FactorLines.of(subject, factor, figures, judged, datagrams)) {
            tell(line);
        }
        if (!Double.isNaN(figures.cpuPerRefusal())) {
            tell(
                    Line.told(
                            subject + ", CPU",
                            format(
                                    "%,.0f us per good call before, %,.0f us per refusal (what the good calls leave)",
                                    figures.cpuPerCall(), figures.cpuPerRefusal())));
        }
        return course;
    }

    private Map<Control, TestServer.Level> levels() throws IOException {
        Map<Control, TestServer.Level> levels = new EnumMap<>(Control.class);
        for (Map.Entry<Control, TestServer> entry : servers.entrySet()) {
            progress.step("what the server holds, " + entry.getKey());
            levels.put(entry.getKey(), entry.getValue().level());
        }
        return levels;
    }

    private void levelLines(
            Map<Control, TestServer.Level> before, Map<Control, TestServer.Level> after) {
        after.forEach((control, now) -> {
            TestServer.Level was = before.get(control);
            if (was != null) {
                Line line = level(control, was, now);
                tell(
                        control == Control.SHEDDING
                                ? line
                                : Line.told(line.subject(), line.measured()));
            }
        });
    }

    static Line level(Control control, TestServer.Level was, TestServer.Level now) {
        boolean kept =
                now.heap() <= was.heap() * MOST_HEAP_GROWTH + HEAP_NOISE
                        && now.sessions() <= was.sessions()
                        && now.transactions() <= was.transactions();
        return new Line(
                "held after all loads, " + control,
                format(
                        "heap %.1f MB (before %.1f), sessions %,d (%,d), transactions %,d (%,d)",
                        now.heap() / 1e6,
                        was.heap() / 1e6,
                        now.sessions(),
                        was.sessions(),
                        now.transactions(),
                        was.transactions()),
                "as before",
                kept);
    }

    private void tell(Line line) {
        lines.add(line);
        progress.say(line.toString());
    }

    @Override
    public void close() throws IOException {
        IOException failed = null;
        for (TestServer server : servers.values()) {
            failed = closed(server, failed);
        }
        servers.clear();
        if (failed != null) {
            throw failed;
        }
    }

    private static @Nullable IOException closed(TestServer server, @Nullable IOException earlier) {
        try {
            server.close();
            return earlier;
        } catch (IOException e) {
            return e;
        }
    }
}
