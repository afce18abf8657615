package io.carillon.lab.study;

import io.carillon.lab.load.LoadSummary;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A line of the table.
 *
 * @param workload proxy200 or b2bua
 * @param pair as in udp-tls
 * @param failure why it could not be measured; empty when it was
 * @param summary what the load counted; null when it could not be measured
 */
record TransportResult(
        String workload, String pair, String failure, @Nullable LoadSummary summary) {
    static TransportResult of(String workload, TransportPair pair, LoadSummary summary) {
        return new TransportResult(workload, pair.toString(), "", summary);
    }

    static TransportResult failed(String workload, TransportPair pair, String failure) {
        return new TransportResult(workload, pair.toString(), failure, null);
    }

    /** Was everything there that it was read from? JSON knows null. */
    boolean whole() {
        return Stream.of(workload, pair, failure).allMatch(Objects::nonNull)
                && (summary != null || !failure.isEmpty());
    }

    /** All calls were made and ended well. */
    boolean clean() {
        return summary != null
                && summary.made() > 0
                && summary.made() == summary.completed()
                && summary.failed().isEmpty();
    }

    /** What is said when it is done. */
    String line() {
        if (summary == null) {
            return workload + " " + pair + ": not measured, " + failure;
        }
        return String.format(
                Locale.ROOT,
                "%s %s: %,d calls, %,d failed%s",
                workload,
                pair,
                summary.made(),
                summary.made() - summary.completed(),
                summary.failed().isEmpty() ? "" : " " + summary.failed());
    }

    private String row() {
        if (summary == null) {
            return "| %s | %s | not measured | | | | | %s |%n"
                    .formatted(workload, pair, failure.replace("|", "\\|"));
        }
        return String.format(
                Locale.ROOT,
                "| %s | %s | %,d | %,d | %,d | %.1f | %,.0f | %s |%n",
                workload,
                pair,
                summary.made(),
                summary.made() - summary.completed(),
                summary.retransmissionsSent() + summary.retransmissionsReceived(),
                summary.p99Millis(),
                summary.serverCpuMicrosPerCall(),
                summary.generatorReason());
    }

    static String table(List<TransportResult> results) {
        StringBuilder text =
                new StringBuilder(
                        """
                        | workload | pair | calls | failed | retransmissions | p99 ms | CPU per call, us | note |
                        | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |
                        """);
        for (TransportResult result : results) {
            text.append(result.row());
        }
        return text.toString();
    }
}
