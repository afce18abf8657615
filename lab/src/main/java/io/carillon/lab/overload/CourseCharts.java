package io.carillon.lab.overload;

import io.carillon.lab.load.LoadSample;
import io.carillon.lab.report.Chart;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Loads over time, those of two servers in one chart. Stateless. */
final class CourseCharts {
    private CourseCharts() {}

    /**
     * The charts of a load.
     *
     * @param courses by the name of what was under load, in the order of their colours
     * @param capacity a horizontal line
     */
    static List<Chart> of(String title, Map<String, LoadCourse> courses, double capacity) {
        List<Chart.Mark> limit =
                capacity > 0 ? List.of(new Chart.Mark(capacity, "capacity")) : List.of();
        List<Chart.Mark> prompt = List.of(new Chart.Mark(200, "200 ms"));
        return List.of(
                chart(title + ": offered, calls/s", false, courses, LoadSample::made, limit),
                chart(
                        title + ": goodput, calls/s",
                        false,
                        courses,
                        s -> s.outcomes().good(),
                        limit),
                chart(
                        title + ": refused, calls/s",
                        false,
                        courses,
                        s -> s.outcomes().refused(),
                        List.of()),
                chart(
                        title + ": answered after, p99 ms (logarithmic)",
                        true,
                        courses,
                        LoadSample::p99Millis,
                        prompt),
                chart(
                        title + ": failures of accepted calls, and calls without any answer",
                        false,
                        courses,
                        s -> s.outcomes().acceptedFailed() + s.outcomes().silent(),
                        List.of()),
                chart(
                        title + ": CPU of the server, % of one CPU",
                        false,
                        courses,
                        s -> Math.max(0, s.serverCpu()) * 100,
                        List.of()));
    }

    private static Chart chart(
            String title,
            boolean log,
            Map<String, LoadCourse> courses,
            ToDoubleFunction<LoadSample> value,
            List<Chart.Mark> marks) {
        int longest = courses.values().stream().mapToInt(c -> c.seconds().size()).max().orElse(0);
        List<Double> x = new ArrayList<>();
        for (int second = 1; second <= longest; second++) {
            x.add((double) second);
        }
        List<Chart.Line> lines = new ArrayList<>();
        courses.forEach((name, course) ->
                lines.add(new Chart.Line(name, lines.size(), values(course, value, longest))));
        return new Chart(title, "s", log, Chart.Style.LINE, x, lines, marks);
    }

    private static List<@Nullable Double> values(
            LoadCourse course, ToDoubleFunction<LoadSample> value, int longest) {
        List<@Nullable Double> values = new ArrayList<>();
        for (LoadSample second : course.seconds()) {
            values.add(value.applyAsDouble(second));
        }
        while (values.size() < longest) {
            values.add(null);
        }
        return values;
    }
}
