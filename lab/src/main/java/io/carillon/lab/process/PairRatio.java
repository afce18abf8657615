package io.carillon.lab.process;

import java.util.List;
import java.util.Locale;

/**
 * What pairs of windows say of two servers: the median of the pairs' ratios, their range, and the
 * 95 % interval of their geometric mean (Student's t on the logarithms).
 */
public record PairRatio(
        int pairs, double median, double least, double most, double lower, double upper) {
    /** Two-sided 95 % quantiles of Student's t for 1, 2, ... degrees of freedom. */
    private static final double[] T = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
        2.052, 2.048, 2.045
    };

    public static PairRatio of(List<Double> ratios) {
        double[] sorted = ratios.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int n = sorted.length;
        double mean = ratios.stream().mapToDouble(Math::log).sum() / n;
        double squares = ratios.stream().mapToDouble(r -> Math.pow(Math.log(r) - mean, 2)).sum();
        // One pair has no spread: its interval is everything.
        double half =
                n < 2
                        ? Double.POSITIVE_INFINITY
                        : T[Math.min(n - 2, T.length - 1)] * Math.sqrt(squares / (n - 1) / n);
        double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
        return new PairRatio(
                n, median, sorted[0], sorted[n - 1], Math.exp(mean - half), Math.exp(mean + half));
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "median %.2f of %d pairs (%.2f to %.2f), 95 %% interval of the mean %.3f to %.3f",
                median,
                pairs,
                least,
                most,
                lower,
                upper);
    }
}
