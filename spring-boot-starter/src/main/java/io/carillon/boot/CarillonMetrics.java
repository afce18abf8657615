package io.carillon.boot;

import io.carillon.servlet.ContainerStatus;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.function.ToDoubleFunction;

/** Meters of the container. Any thread; each reading asks the container anew. */
final class CarillonMetrics implements MeterBinder {
    private final SipRuntime runtime;

    CarillonMetrics(SipRuntime runtime) {
        this.runtime = runtime;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("carillon.calls.held", runtime, of(ContainerStatus::callsHeld))
                .description("Application sessions now")
                .register(registry);
        Gauge.builder("carillon.dialogs", runtime, of(ContainerStatus::dialogs))
                .description("Dialogs now")
                .register(registry);
        Gauge.builder("carillon.tls.certificate.left", runtime, CarillonMetrics::secondsLeft)
                .description("Until the first of our certificates expires; NaN without any")
                .baseUnit("seconds")
                .register(registry);
        counter(
                registry,
                "carillon.calls.started",
                "Initial INVITEs given to handlers",
                ContainerStatus::callsStarted);
        counter(
                registry,
                "carillon.sessions.expired",
                "Application sessions that ended by their expiry",
                ContainerStatus::sessionsExpired);
        counter(
                registry,
                "carillon.application.errors",
                "Exceptions of handlers",
                ContainerStatus::applicationErrors);
        counter(
                registry,
                "carillon.container.errors",
                "Failures of the container",
                ContainerStatus::containerErrors);
        counter(
                registry,
                "carillon.calls.refused",
                "Initial requests refused for want of room",
                ContainerStatus::refused);
        counter(
                registry,
                "carillon.acks.missing",
                "2xx that never got their ACK",
                ContainerStatus::acksMissing);
        callRecords(registry);
    }

    /** "Now" stands in the name of what goes down again. */
    private void callRecords(MeterRegistry registry) {
        for (String name : runtime.callRecords().keySet()) {
            ToDoubleFunction<SipRuntime> value =
                    of -> of.callRecords().getOrDefault(name, 0L).doubleValue();
            if (name.contains(".now_")) {
                Gauge.builder("carillon." + name, runtime, value)
                        .description("Call records")
                        .register(registry);
            } else {
                FunctionCounter.builder("carillon." + name, runtime, value)
                        .description("Call records")
                        .register(registry);
            }
        }
    }

    private void counter(
            MeterRegistry registry,
            String name,
            String description,
            ToDoubleFunction<ContainerStatus> value) {
        FunctionCounter.builder(name, runtime, of(value))
                .description(description)
                .register(registry);
    }

    private static double secondsLeft(SipRuntime runtime) {
        return runtime.certificates().values().stream()
                .min(Comparator.naturalOrder())
                .map(end -> (double) Duration.between(Instant.now(), end).toSeconds())
                .orElse(Double.NaN);
    }

    private static ToDoubleFunction<SipRuntime> of(ToDoubleFunction<ContainerStatus> value) {
        return runtime -> value.applyAsDouble(runtime.status());
    }
}
