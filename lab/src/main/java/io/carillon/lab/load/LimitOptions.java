package io.carillon.lab.load;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code ./carillon load} that say what is allowed to go wrong. */
final class LimitOptions {
    @Option(
            names = "--max-failed",
            paramLabel = "N",
            description = "exit with 1 when more calls fail")
    private @Nullable Long maxFailed;

    @Option(
            names = "--max-retransmissions",
            paramLabel = "N",
            description = "exit with 1 when more messages are sent again, by either side")
    private @Nullable Long maxRetransmissions;

    @Option(
            names = "--max-late",
            paramLabel = "N",
            description = "exit with 1 when more answers come later than 200 ms")
    private @Nullable Long maxLate;

    @Option(
            names = "--max-p99",
            paramLabel = "TIME",
            description = "exit with 1 when the 99th percentile of the response time is longer")
    private @Nullable String maxP99;

    FailureLimits limits() {
        return new FailureLimits(
                limit("--max-failed", maxFailed),
                limit("--max-retransmissions", maxRetransmissions),
                limit("--max-late", maxLate),
                maxP99 == null ? -1 : TimeText.parse(maxP99).toNanos() / 1e6);
    }

    private static long limit(String option, @Nullable Long value) {
        if (value == null) {
            return -1;
        }
        if (value < 0) {
            throw new IllegalArgumentException(option + " is at least 0, not " + value);
        }
        return value;
    }
}
