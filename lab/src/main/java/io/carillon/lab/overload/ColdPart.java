package io.carillon.lab.overload;

import static io.carillon.lab.study.FigureText.format;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.process.WrongSetting;
import io.carillon.lab.study.StudyProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A server that has just started and is given three times its capacity at once, beside another
 * start of it that is given its capacity. Owner: one thread.
 */
final class ColdPart {
    private static final int FACTOR = 3;

    /** From this second on goodput is compared. */
    static final int FROM_SECOND = 5;

    /** Of what the server carries cold at its capacity, in the same second. */
    static final double LEAST = 0.8;

    private static final int MOST_SECONDS = 60;

    private final OverloadStudy study;
    private final Path folder;
    private final StudyProgress progress;
    private final Loads loads;
    private final double capacity;

    ColdPart(OverloadStudy study, Path folder, StudyProgress progress, double capacity) {
        this.study = study;
        this.folder = folder;
        this.progress = progress;
        this.capacity = capacity;
        this.loads = new Loads(study, progress);
    }

    PartResult run() throws IOException, WrongSetting {
        Map<String, LoadCourse> courses = new LinkedHashMap<>();
        List<String> warnings = new ArrayList<>();
        for (int factor : List.of(1, FACTOR)) {
            LoadCourse course = cold(factor);
            courses.put(factor + " x from the first second", course);
            if (!course.limited().isEmpty()) {
                warnings.add(format("Cold at %d x: %s", factor, course.limited()));
            }
        }
        List<LoadCourse> both = List.copyOf(courses.values());
        Line line = line(both.getFirst().above(), both.getLast().above());
        progress.say(line.toString());
        return new PartResult(
                "A cold start straight into three times the capacity",
                "Two starts of the server, one with its capacity from the first second, one with three times of it. Compared"
                        + " second by second, each as the mean of itself and its neighbours.",
                List.of(line),
                CourseCharts.of("Cold start", courses, capacity),
                warnings);
    }

    private LoadCourse cold(int factor) throws IOException, WrongSetting {
        progress.step(format("cold start into %d x", factor));
        int seconds = Math.min(MOST_SECONDS, study.seconds());
        Path own = folder.resolve(factor + "x");
        Servers servers = new Servers(study, own);
        try (TestServer server = servers.start("server", "")) {
            server.lower();
            Loads.Callers callers = Loads.Callers.from("127.0.0.1", factor * capacity).redialing();
            return loads.finish(
                    loads.start(server, callers, seconds, own.resolve("load")), 0, seconds, 0);
        }
    }

    /** The second with the least share. */
    static Line line(List<LoadSample> alone, List<LoadSample> above) {
        double worst = Double.NaN;
        long at = 0;
        for (int i = FROM_SECOND - 1; i < Math.min(alone.size(), above.size()); i++) {
            double share = mean(above, i) / Math.max(1, mean(alone, i));
            if (Double.isNaN(worst) || share < worst) {
                worst = share;
                at = above.get(i).second();
            }
        }
        return new Line(
                "goodput of the cold server at 3 x, worst second from the fifth on",
                Double.isNaN(worst)
                        ? "too short to tell"
                        : format("%.0f %% of that at its capacity, in second %d", worst * 100, at),
                "at least 80 %",
                worst >= LEAST);
    }

    private static double mean(List<LoadSample> seconds, int at) {
        List<LoadSample> around =
                seconds.subList(Math.max(0, at - 1), Math.min(seconds.size(), at + 2));
        return (double) OverloadFigures.sum(around).good() / around.size();
    }
}
