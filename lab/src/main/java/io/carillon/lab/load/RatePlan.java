package io.carillon.lab.load;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Calls per second over time: one rate, or a rate that rises (or falls) in steps.
 *
 * @param from calls per second at the beginning
 * @param to calls per second of the last step; lasts until the end of the load
 * @param step calls per second between two steps, positive
 * @param stepNanos length of a step
 */
record RatePlan(double from, double to, double step, long stepNanos) {
    private static final Pattern RAMP =
            Pattern.compile("([0-9.]+)\\.\\.([0-9.]+):([0-9.]+)/([0-9.]+(?:ms|s|m|h)?)");
    private static final String FORM =
            "a rate is a number of calls per second above 0, or a ramp FROM..TO:STEP/TIME as in"
                    + " 100..1000:100/30s, not ";
    static final double MOST = 100_000;

    /** One rate for ever. */
    static RatePlan constant(double rate) {
        return new RatePlan(rate, rate, 1, Long.MAX_VALUE);
    }

    /**
     * Reads {@code 400} or {@code 100..1000:100/30s}.
     *
     * @throws IllegalArgumentException with a sentence when it is neither
     */
    static RatePlan parse(String text) {
        try {
            Matcher ramp = RAMP.matcher(text);
            if (!ramp.matches()) {
                return constant(rate(text, text));
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

    private static double rate(String digits, String whole) {
        double rate = Double.parseDouble(digits);
        if (!(rate > 0 && rate <= MOST)) {
            throw new IllegalArgumentException(FORM + whole);
        }
        return rate;
    }

    boolean ramp() {
        return from != to;
    }

    /** Time from the beginning to the end of the last step; 0 when the rate is one. */
    long rampNanos() {
        return ramp() ? ((long) Math.ceil(Math.abs(to - from) / step) + 1) * stepNanos : 0;
    }

    /** Calls per second so long after the beginning. */
    double at(long nanos) {
        if (!ramp()) {
            return from;
        }
        long steps = nanos / stepNanos;
        double change = step * steps;
        return to > from ? Math.min(to, from + change) : Math.max(to, from - change);
    }

    @Override
    public String toString() {
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
