package io.carillon.lab.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Calls per second over time: one rate, a rate that rises (or falls) evenly, or steps.
 *
 * @param from calls per second at the beginning
 * @param to calls per second of the last step; lasts until the end of the load
 * @param step calls per second between two steps, positive
 * @param stepNanos length of a step
 * @param steps one after the other, the last one without an end; empty: as the others say
 */
record RatePlan(double from, double to, double step, long stepNanos, List<Step> steps) {
    /** A rate that is kept for a while. */
    record Step(double rate, long nanos) {}

    private static final Pattern STEP = Pattern.compile("([0-9.]+)/([0-9.]+(?:ms|s|m|h)?)");

    RatePlan(double from, double to, double step, long stepNanos) {
        this(from, to, step, stepNanos, List.of());
    }

    private static final Pattern RAMP =
            Pattern.compile("([0-9.]+)\\.\\.([0-9.]+):([0-9.]+)/([0-9.]+(?:ms|s|m|h)?)");
    private static final String FORM =
            "a rate is a number of calls per second above 0, or a ramp FROM..TO:STEP/TIME as in"
                    + " 100..1000:100/30s, or steps RATE/TIME,... as in 100/10s,500/60s, not ";
    static final double MOST = 100_000;

    /** One rate for ever. */
    static RatePlan constant(double rate) {
        return new RatePlan(rate, rate, 1, Long.MAX_VALUE);
    }

    /**
     * Reads {@code 400}, {@code 100..1000:100/30s} or {@code 100/10s,500/60s}.
     *
     * @throws IllegalArgumentException with a sentence when it is none of them
     */
    static RatePlan parse(String text) {
        try {
            Matcher ramp = RAMP.matcher(text);
            if (!ramp.matches()) {
                return text.indexOf('/') > 0 ? steps(text) : constant(rate(text, text));
            }
            double step = rate(ramp.group(3), text);
            long stepNanos = TimeText.parse(ramp.group(4)).toNanos();
            if (stepNanos <= 0) {
                throw new IllegalArgumentException(FORM + text);
            }
            return new RatePlan(
                    rate(ramp.group(1), text), rate(ramp.group(2), text), step, stepNanos);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(FORM + text, e);
        }
    }

    private static RatePlan steps(String text) {
        List<Step> steps = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            Matcher step = STEP.matcher(one);
            if (!step.matches()) {
                throw new IllegalArgumentException(FORM + text);
            }
            long nanos = TimeText.parse(step.group(2)).toNanos();
            if (nanos <= 0) {
                throw new IllegalArgumentException(FORM + text);
            }
            steps.add(new Step(rate(step.group(1), text), nanos));
        }
        return new RatePlan(
                steps.getFirst().rate(), steps.getLast().rate(), 1, 1, List.copyOf(steps));
    }

    private static double rate(String digits, String whole) {
        double rate = Double.parseDouble(digits);
        if (!(rate > 0 && rate <= MOST)) {
            throw new IllegalArgumentException(FORM + whole);
        }
        return rate;
    }

    boolean ramp() {
        return from != to || !steps.isEmpty();
    }

    /** Time from the beginning to the end of the last step; 0 when the rate is one. */
    long rampNanos() {
        if (!steps.isEmpty()) {
            return steps.stream().mapToLong(Step::nanos).sum();
        }
        return ramp() ? ((long) Math.ceil(Math.abs(to - from) / step) + 1) * stepNanos : 0;
    }

    /** Calls per second so long after the beginning. */
    double at(long nanos) {
        if (!steps.isEmpty()) {
            return atStep(nanos);
        }
        if (!ramp()) {
            return from;
        }
        long passed = nanos / stepNanos;
        double change = step * passed;
        return to > from ? Math.min(to, from + change) : Math.max(to, from - change);
    }

    private double atStep(long nanos) {
        long end = 0;
        for (Step one : steps) {
            end += one.nanos();
            if (nanos < end) {
                return one.rate();
            }
        }
        return to;
    }

    @Override
    public String toString() {
        if (!steps.isEmpty()) {
            return steps.stream()
                    .map(one -> text(one.rate()) + "/" + text(one.nanos() / 1e9) + "s")
                    .collect(Collectors.joining(","));
        }
        return ramp()
                ? String.format(
                        Locale.ROOT,
                        "%s..%s:%s/%ss",
                        text(from),
                        text(to),
                        text(step),
                        text(stepNanos / 1e9))
                : text(from);
    }

    private static String text(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
