package io.carillon.boot;

import io.carillon.servlet.ContainerStatus;
import java.time.Instant;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Up while calls are taken; out of service while they are drained, or there are as many as there
 * may be. Any thread.
 */
final class CarillonHealthIndicator extends AbstractHealthIndicator {
    private final SipRuntime runtime;

    CarillonHealthIndicator(SipRuntime runtime) {
        this.runtime = runtime;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        ContainerStatus status = runtime.status();
        boolean full = status.callsHeld() >= runtime.mostCalls();
        (status.draining() || full ? builder.outOfService() : builder.up())
                .withDetail("listening", runtime.listening())
                .withDetail("callsHeld", status.callsHeld())
                .withDetail("callsStarted", status.callsStarted())
                .withDetail("slowHandlers", status.slowHandlers().size());
        Map<String, Instant> certificates = runtime.certificates();
        if (!certificates.isEmpty()) {
            builder.withDetail("certificatesUntil", certificates);
        }
    }
}
