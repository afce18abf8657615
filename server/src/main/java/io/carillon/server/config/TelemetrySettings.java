package io.carillon.server.config;

/**
 * What others see of calls.
 *
 * @param traces see {@link SpanSettings}
 */
public record TelemetrySettings(
        @Setting("Traces of calls for a collector of OpenTelemetry (docs/guides/telemetry.md).")
                SpanSettings traces) {}
