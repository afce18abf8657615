package io.carillon.lab.study;

import static io.carillon.lab.study.FigureText.format;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Up to which rate a server holds the limits, and where each of them is crossed.
 *
 * @param server its name
 * @param highest highest rate below which, it included, every step held the limits; 0: none did
 * @param sentence what to say of it
 */
public record RampVerdict(String server, int highest, String sentence) {
    static RampVerdict of(String server, List<RampStep> all) {
        List<RampStep> steps = all.stream().filter(step -> step.server().equals(server)).toList();
        int highest = 0;
        RampStep broken = null;
        for (RampStep step : steps) {
            if (!step.holdsTheLimits()) {
                broken = step;
                break;
            }
            highest = step.rate();
        }
        String limits = "50 % of the calls within 25 ms and 95 % within 50 ms, none failed";
        String sentence =
                highest == 0
                        ? server + " held the limits (" + limits + ") at no rate"
                        : format(
                                "%s held the limits (%s) up to %,d calls/s",
                                server, limits, highest);
        if (broken == null) {
            return new RampVerdict(
                    server, highest, sentence + (steps.isEmpty() ? "." : ", the end of the ramp."));
        }
        return new RampVerdict(
                server,
                highest,
                sentence
                        + format("; at %,d calls/s ", broken.rate())
                        + what(broken)
                        + "."
                        + crossed(steps, "p50", RampStep.HALF_WITHIN_MILLIS, RampStep::p50Millis)
                        + crossed(steps, "p95", RampStep.MOST_WITHIN_MILLIS, RampStep::p95Millis));
    }

    /** Where a percentile was over its limit first, whatever else was broken before. */
    private static String crossed(
            List<RampStep> steps, String name, double limit, ToDoubleFunction<RampStep> value) {
        for (RampStep step : steps) {
            if (value.applyAsDouble(step) > limit) {
                return format(" %s crossed %.0f ms at %,d calls/s.", name, limit, step.rate());
            }
        }
        return format(" %s stayed within %.0f ms.", name, limit);
    }

    private static String what(RampStep step) {
        if (step.failed() > 0) {
            return format(
                    "%,d of %,d calls failed%s",
                    step.failed(),
                    step.made(),
                    step.timeouts() > 0 ? format(", %,d by time-out", step.timeouts()) : "");
        }
        if (step.completed() == 0) {
            return "no call was completed";
        }
        if (step.p50Millis() > RampStep.HALF_WITHIN_MILLIS) {
            return format("p50 was %.1f ms", step.p50Millis());
        }
        return format("p95 was %.1f ms", step.p95Millis());
    }
}
