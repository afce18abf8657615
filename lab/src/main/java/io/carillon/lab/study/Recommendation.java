package io.carillon.lab.study;

import static io.carillon.lab.study.FigureText.format;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which setting to use, and why. The rule, in stages, each of which keeps the settings that are as
 * good as the best by what it looks at:
 *
 * <ol>
 *   <li>the highest rate that was held clean, and those within 5 % of it;
 *   <li>of these the shortest p99 of the response times, and those within 10 % or 1 ms of it;
 *   <li>of these the shortest of the longest GC pauses, and those within 10 % or 1 ms;
 *   <li>of these the least CPU per call.
 * </ol>
 *
 * @param setting its name; null when no setting held any rate
 * @param reason a sentence
 */
public record Recommendation(@Nullable String setting, String reason) {
    private static final double AS_HIGH = 0.95;
    private static final double AS_SHORT = 1.10;
    private static final double AS_SHORT_MILLIS = 1;

    static Recommendation of(List<SettingResult> results) {
        List<SettingResult> held =
                results.stream().filter(r -> r.rate() > 0 && r.figures() != null).toList();
        if (held.isEmpty()) {
            return new Recommendation(
                    null, "No setting held any rate without a lost call or a retransmission.");
        }
        int highest = held.stream().mapToInt(SettingResult::rate).max().orElseThrow();
        List<SettingResult> high =
                held.stream().filter(r -> r.rate() >= AS_HIGH * highest).toList();
        List<SettingResult> quick = shortest(high, Recommendation::p99);
        List<SettingResult> even = shortest(quick, Recommendation::pause);
        SettingResult best =
                even.stream().min(Comparator.comparingDouble(Recommendation::cpu)).orElseThrow();
        return new Recommendation(
                best.name(), sentence(best, held, high, quick, even) + doubt(high));
    }

    /** What a reader has to know when the load and not the server ended a search. */
    private static String doubt(List<SettingResult> high) {
        List<String> limited =
                high.stream()
                        .filter(SettingResult::limitedByLoad)
                        .map(SettingResult::name)
                        .toList();
        return limited.isEmpty()
                ? ""
                : " The load was at its end before the server with "
                        + String.join(", ", limited)
                        + ": rates may be higher there, and response times have the load's own waiting in them.";
    }

    private static List<SettingResult> shortest(
            List<SettingResult> results, ToDoubleFunction<SettingResult> millis) {
        double least = results.stream().mapToDouble(millis).min().orElseThrow();
        double most = Math.max(least * AS_SHORT, least + AS_SHORT_MILLIS);
        return results.stream().filter(r -> millis.applyAsDouble(r) <= most).toList();
    }

    private static String sentence(
            SettingResult best,
            List<SettingResult> held,
            List<SettingResult> high,
            List<SettingResult> quick,
            List<SettingResult> even) {
        StringBuilder text = new StringBuilder();
        text.append(
                format(
                        "%s held %,d calls/s without a lost call or a retransmission",
                        best.name(), best.rate()));
        if (held.size() == 1) {
            return text.append("; no other setting held any rate.").toString();
        }
        if (high.size() == 1) {
            return text.append(", more than 5 % above every other setting.").toString();
        }
        text.append(", as high as any within 5 %");
        if (quick.size() == 1) {
            text.append(format(", with the shortest p99 response time, %.1f ms", p99(best)));
        } else if (even.size() == 1) {
            text.append(
                    format(
                            ", and of those with the shortest response times it has the shortest longest GC pause,"
                                    + " %.1f ms",
                            pause(best)));
        } else {
            text.append(
                    format(
                            ", and of those with the shortest response times and pauses it takes the least CPU,"
                                    + " %.0f us per call",
                            cpu(best)));
        }
        return text.append(others(best, high)).append('.').toString();
    }

    private static String others(SettingResult best, List<SettingResult> high) {
        StringBuilder text = new StringBuilder();
        for (SettingResult other : high) {
            if (!other.name().equals(best.name())) {
                text.append(text.isEmpty() ? " (" : "; ")
                        .append(
                                format(
                                        "%s: %,d calls/s, p99 %.1f ms, longest pause %.1f ms, %.0f us per call",
                                        other.name(),
                                        other.rate(),
                                        p99(other),
                                        pause(other),
                                        cpu(other)));
            }
        }
        return text.append(')').toString();
    }

    private static double p99(SettingResult result) {
        return figures(result).p99Millis();
    }

    private static double pause(SettingResult result) {
        return figures(result).gc().maxPauseMillis();
    }

    private static double cpu(SettingResult result) {
        return figures(result).cpuMicrosPerCall();
    }

    private static HoldFigures figures(SettingResult result) {
        HoldFigures figures = result.figures();
        if (figures == null) {
            throw new IllegalStateException(result.name() + " was not measured");
        }
        return figures;
    }
}
