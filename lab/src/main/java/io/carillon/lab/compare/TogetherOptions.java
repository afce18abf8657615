package io.carillon.lab.compare;

import picocli.CommandLine.Option;

/** Options for two servers that have the load at the same time. */
final class TogetherOptions {
    @Option(
            names = "--together",
            description =
                    "both servers have the load at the same time on the same CPU, and each pair is read over the same"
                            + " seconds: for differences of a few percent")
    private boolean together;

    @Option(
            names = "--limit",
            paramLabel = "RATIO",
            defaultValue = "0",
            description =
                    "with --together: exit code 1 when the median of the first server's CPU per call by the second's"
                            + " is above it, as in 1.05")
    private double limit;

    /** Do they? */
    boolean wanted() {
        return together;
    }

    /** The ratio above which the command fails; 0 for none. */
    double limit() {
        return limit;
    }
}
