package io.carillon.server.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Traces of calls for a collector of OpenTelemetry. Off while it names none.
 *
 * @param otlp URL of the collector
 * @param headersFile lines that it wants in each request
 * @param service name of this server among others
 * @param sample calls that are kept, whatever becomes of them
 * @param keepFailed keep all that failed
 * @param maxSpans spans of calls that go on
 */
public record SpanSettings(
        @Setting(
                        value =
                                "URL of the collector that gets traces of calls by OTLP over HTTP, as in"
                                        + " http://127.0.0.1:4318/v1/traces.",
                        standardText = "none")
                @Nullable String otlp,
        @Setting(
                        value =
                                "File of headers that the collector asks for, as in Authorization: Bearer KEY; one"
                                        + " in each line.",
                        standardText = "none")
                @Nullable Path headersFile,
        @Setting(
                        value = "The name of this server among the services of the collector.",
                        standard = "carillon")
                String service,
        @Setting(
                        value =
                                "Share of calls whose trace is kept whatever becomes of them; those that a peer"
                                        + " of the configuration keeps are kept too.",
                        standard = "1 %")
                Share sample,
        @Setting(value = "Whether the trace of every call that failed is kept.", standard = "true")
                boolean keepFailed,
        @Setting(
                        value =
                                "Spans of calls that go on; a call counts as 4. Beyond it the oldest call's"
                                        + " give way.",
                        standard = "200000",
                        min = "1000",
                        max = "100000000",
                        metrics = {"telemetry.spans_given_up", "telemetry.calls_not_followed"})
                int maxSpans) {}
