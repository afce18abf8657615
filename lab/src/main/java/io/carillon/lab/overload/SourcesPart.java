package io.carillon.lab.overload;

import static io.carillon.lab.study.FigureText.format;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.load.Outcomes;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.rig.LoadProcess;
import io.carillon.lab.study.StudyProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Several sources at one server at once, each an address of 127.0.0.0/8 and a load of its own.
 * Owner: one thread.
 */
final class SourcesPart {
    private static final String PLAIN = "127.0.0.1";
    private static final String TRUSTED = "127.0.0.2";
    private static final String STRANGER = "127.0.0.3";
    private static final String MARK = "Resource-Priority: esnet.0";

    /** Nobody is outside of the guard, so that each address is a source with its share. */
    private static final String SOURCES = "guard:\n  trusted: []\n";

    private static final int SLOW_CAPACITY = 250;

    private final OverloadStudy study;
    private final Path folder;
    private final StudyProgress progress;
    private final Loads loads;
    private final double capacity;
    private final List<String> warnings = new ArrayList<>();

    SourcesPart(OverloadStudy study, Path folder, StudyProgress progress, double capacity) {
        this.study = study;
        this.folder = folder;
        this.progress = progress;
        this.capacity = capacity;
        this.loads = new Loads(study, progress);
    }

    /** Emergency calls at five times the capacity. */
    PartResult emergency() throws IOException, WrongSetting {
        Map<String, Loads.Callers> callers = new LinkedHashMap<>();
        callers.put("others", Loads.Callers.from(PLAIN, 1.5 * capacity).redialing());
        callers.put(
                "the mark of a stranger",
                Loads.Callers.from(STRANGER, 1.5 * capacity, "--header", MARK).redialing());
        callers.put("the trusted peer's others", Loads.Callers.from(TRUSTED, 2 * capacity));
        callers.put("emergency", Loads.Callers.from(TRUSTED, 0.1 * capacity, "--header", MARK));
        String yaml = SOURCES + "identity:\n  boundary: true\n  trusted-peers: [" + TRUSTED + "]\n";
        Map<String, LoadCourse> courses =
                together("emergency", new Servers(study, folder).start("server", yaml), callers);
        List<Line> lines = emergencyLines(courses);
        return result(
                "Emergency calls at five times the capacity",
                "Marked calls (Resource-Priority, RFC 4412 and 7135) of a trusted peer at a tenth of the capacity, beside"
                        + " its other calls (2 x), those of another source (1.5 x), and marked ones of one that nobody trusts"
                        + " (1.5 x).",
                lines,
                courses);
    }

    static List<Line> emergencyLines(Map<String, LoadCourse> courses) {
        double marked = share(course(courses, "the mark of a stranger"));
        double others = share(course(courses, "others"));
        double emergency = share(course(courses, "emergency"));
        return List.of(
                new Line(
                        "emergency calls of the trusted peer that succeeded",
                        percent(emergency),
                        "at least 99 %",
                        emergency >= 0.99),
                new Line(
                        "calls with the same mark that nobody trusts",
                        percent(marked) + " were good, of those without it " + percent(others),
                        "no more than a fifth above",
                        marked <= 1.2 * others + 0.01));
    }

    /** A source with a tenth of the capacity beside one with ten times of it. */
    PartResult polite() throws IOException, WrongSetting {
        Map<String, Loads.Callers> callers = new LinkedHashMap<>();
        callers.put("loud", Loads.Callers.from(PLAIN, 10 * capacity).redialing());
        callers.put("polite", Loads.Callers.from(TRUSTED, 0.1 * capacity));
        Map<String, LoadCourse> courses =
                together("polite", new Servers(study, folder).start("server", SOURCES), callers);
        double kept = share(course(courses, "polite"));
        List<Line> lines =
                List.of(
                        new Line(
                                "calls of the polite source that were good",
                                percent(kept),
                                "at least 95 %",
                                kept >= 0.95),
                        Line.told(
                                "calls of the loud source that were good",
                                percent(share(course(courses, "loud")))));
        return result(
                "A polite source beside a loud one",
                "One source calls at a tenth of the capacity, the other at ten times of it (guard.trusted: []).",
                lines,
                courses);
    }

    /** An application of slow handlers beside another. */
    PartResult slow() throws IOException, WrongSetting {
        Map<String, Loads.Callers> callers = new LinkedHashMap<>();
        callers.put(
                "slow",
                new Loads.Callers(
                        "uas",
                        Loads.Callers.perSecond(3.0 * SLOW_CAPACITY),
                        true,
                        List.of("--to", "slow")));
        callers.put("other", Loads.Callers.from(PLAIN, 0.3 * capacity));
        Map<String, LoadCourse> courses =
                together("slow", new Servers(study, folder).startWithSlow("server", ""), callers);
        return result(
                "An application whose handlers are slow",
                format(
                        "Each INVITE of the one application holds one of 50 connections for 200 ms, so that it carries %d"
                                + " calls/s; it gets three times as many. The other one gets 0.3 of the capacity.",
                        SLOW_CAPACITY),
                slowLines(courses),
                courses);
    }

    static List<Line> slowLines(Map<String, LoadCourse> courses) {
        LoadCourse other = course(courses, "other");
        Outcomes others = OverloadFigures.sum(other.seconds());
        long failed = (long) OverloadFigures.total(other.seconds(), LoadSample::failed);
        Outcomes slow = OverloadFigures.sum(course(courses, "slow").seconds());
        return List.of(
                new Line(
                        "calls of the other application that failed",
                        format("%,d of %,d", failed, others.accepted() + others.refused()),
                        "none",
                        failed == 0 && others.good() > 0),
                new Line(
                        "calls of the slow application that were refused",
                        format("%,d, accepted %,d", slow.refused(), slow.accepted()),
                        "some",
                        slow.refused() > 0),
                Line.told(
                        "calls that the slow application accepted and failed",
                        format(
                                "%,d, without any answer %,d",
                                slow.acceptedFailed(), slow.silent())));
    }

    private Map<String, LoadCourse> together(
            String name, TestServer started, Map<String, Loads.Callers> callers)
            throws IOException {
        try (TestServer server = started) {
            int warm = (int) Math.max(1, Math.round(capacity * Steps.LOW));
            loads.warm(server, warm, study.warmup(), folder.resolve("warm-up"));
            server.lower();
            progress.step(name + ": " + String.join(", ", callers.keySet()));
            return finished(server, callers);
        }
    }

    private Map<String, LoadCourse> finished(TestServer server, Map<String, Loads.Callers> callers)
            throws IOException {
        Map<String, LoadProcess> running = new LinkedHashMap<>();
        Map<String, LoadCourse> courses = new LinkedHashMap<>();
        try {
            for (Map.Entry<String, Loads.Callers> each : callers.entrySet()) {
                Path own = folder.resolve(each.getKey().replace(' ', '-'));
                running.put(
                        each.getKey(), loads.start(server, each.getValue(), study.seconds(), own));
            }
            for (Map.Entry<String, LoadProcess> each : running.entrySet()) {
                LoadCourse course = loads.finish(each.getValue(), 0, study.seconds(), 0);
                courses.put(each.getKey(), course);
                if (!course.limited().isEmpty()) {
                    warnings.add(each.getKey() + ": " + course.limited());
                }
            }
        } finally {
            for (LoadProcess load : running.values()) {
                load.close();
            }
        }
        server.process().checkAlive();
        return courses;
    }

    private PartResult result(
            String title, String text, List<Line> lines, Map<String, LoadCourse> courses) {
        lines.forEach(line -> progress.say(line.toString()));
        return new PartResult(
                title, text, lines, CourseCharts.of(title, courses, capacity), warnings);
    }

    private static LoadCourse course(Map<String, LoadCourse> courses, String name) {
        LoadCourse course = courses.get(name);
        if (course == null) {
            throw new IllegalStateException("no load is called " + name);
        }
        return course;
    }

    /** Good calls among all attempts. */
    private static double share(LoadCourse course) {
        double made = OverloadFigures.total(course.seconds(), LoadSample::made);
        return made == 0 ? 0 : OverloadFigures.sum(course.seconds()).good() / made;
    }

    private static String percent(double share) {
        return format("%.1f %%", share * 100);
    }
}
