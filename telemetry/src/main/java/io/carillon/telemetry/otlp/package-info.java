/** Traces on their way to a collector of OpenTelemetry: the one place that knows its library. */
@NullMarked
package io.carillon.telemetry.otlp;

import org.jspecify.annotations.NullMarked;
