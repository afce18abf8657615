package io.carillon.server.measure;

import io.carillon.net.tls.HandshakeOutcome;
import io.carillon.net.tls.HandshakeTimes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A histogram of the TLS handshakes of SIP. Any thread. Listeners are the operator's names; there
 * are as many series at most as of {@link CallMeters}.
 */
public final class HandshakeMeters implements HandshakeTimes {
    private record Series(String listener, String outcome) {}

    private final MeterRegistry registry;
    private final Map<Series, Timer> all = new ConcurrentHashMap<>();

    public HandshakeMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void took(String listener, HandshakeOutcome outcome, long nanos) {
        Series other = new Series(CallMeters.OTHER, outcome.text());
        CallMeters.of(all, new Series(listener, outcome.text()), other, this::timer)
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Series of) {
        return Timer.builder("carillon.tls.handshake")
                .description("TLS of SIP, from the connection to its end")
                .tag("listener", of.listener())
                .tag("outcome", of.outcome())
                .serviceLevelObjectives(CallMeters.SHORT)
                .register(registry);
    }
}
