package io.carillon.boot;

import io.carillon.sip.address.AddressRanges;
import io.carillon.telemetry.spans.SpanConfig;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code carillon.telemetry} properties of an application.
 *
 * @param traces traces of calls for a collector of OpenTelemetry
 */
@ConfigurationProperties("carillon.telemetry")
public record TelemetryProperties(@DefaultValue Traces traces) {
    private static final int PARTS_OF_A_PERCENT = 100;

    /**
     * Traces of calls. Off while they name no collector; the libraries of OpenTelemetry are the
     * application's to add.
     *
     * @param otlp URL of the collector that gets them by OTLP over HTTP, as {@code
     *     http://127.0.0.1:4318/v1/traces}
     * @param headers that the collector asks for, by name
     * @param samplePercent share of calls whose trace is kept whatever becomes of them, from 0 to
     *     100
     * @param keepFailed whether the trace of every call that failed is kept
     * @param maxSpans spans of calls that go on; beyond it those of the oldest call that goes well
     *     give way
     * @param peers addresses whose {@code traceparent} counts, and that are told ours, as {@code
     *     192.0.2.0/24}; nobody else's does, and nobody else is
     */
    public record Traces(
            @Nullable String otlp,
            @DefaultValue({}) Map<String, String> headers,
            @DefaultValue("1") double samplePercent,
            @DefaultValue("true") boolean keepFailed,
            @DefaultValue("50000") int maxSpans,
            @DefaultValue({}) List<String> peers) {

        public Traces {
            if (!(samplePercent >= 0 && samplePercent <= PARTS_OF_A_PERCENT)) {
                throw new IllegalArgumentException(
                        "carillon.telemetry.traces.sample-percent: 0 to 100, not " + samplePercent);
            }
            if (maxSpans < 1_000) {
                throw new IllegalArgumentException(
                        "carillon.telemetry.traces.max-spans: 1000 or more, not " + maxSpans);
            }
            try {
                AddressRanges.of(peers);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "carillon.telemetry.traces.peers: " + e.getMessage(), e);
            }
        }

        SpanConfig config() {
            return new SpanConfig(
                    (int) Math.round(samplePercent * PARTS_OF_A_PERCENT), keepFailed, maxSpans);
        }
    }
}
