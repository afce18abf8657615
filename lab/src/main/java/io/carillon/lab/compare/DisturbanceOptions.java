package io.carillon.lab.compare;

import picocli.CommandLine.Option;

/** Options for a machine that is not ours alone. */
final class DisturbanceOptions {
    @Option(
            names = "--busy-limit",
            defaultValue = "5",
            paramLabel = "PERCENT",
            description =
                    "a window does not count when other processes and the host took more of the machine's CPU time"
                            + " (${DEFAULT-VALUE})")
    private double busyLimit;

    @Option(
            names = "--attempts",
            defaultValue = "3",
            description = "tries of a window until the machine is quiet (${DEFAULT-VALUE})")
    private int attempts;

    /**
     * What was asked for.
     *
     * @throws IllegalArgumentException in a sentence, for a value that cannot be
     */
    DisturbanceLimits limits() {
        return new DisturbanceLimits(busyLimit, attempts);
    }
}
