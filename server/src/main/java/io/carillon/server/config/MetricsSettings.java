package io.carillon.server.config;

/**
 * What /metrics has beyond counters.
 *
 * @param calls histograms of calls and handlers
 */
public record MetricsSettings(
        @Setting(
                        value =
                                "Histograms of calls and handlers in /metrics: time to ring and to answer, length,"
                                        + " waiting, time of handlers, by application and peer (docs/guides/metrics.md).",
                        standard = "false")
                boolean calls) {}
