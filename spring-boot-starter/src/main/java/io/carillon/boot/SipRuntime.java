package io.carillon.boot;

import io.carillon.servlet.ContainerStatus;
import io.carillon.servlet.app.ApplicationDescription;
import io.carillon.servlet.app.DeploymentException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Where the SIP application of a Spring Boot application runs: on the machine's ports, or in a test
 * without any. Started and stopped by one thread, asked from any.
 */
public interface SipRuntime {
    /**
     * Deploys the application and lets messages in.
     *
     * @throws DeploymentException naming what is wrong with the application
     * @throws IOException naming the port that cannot be bound, or the file that TLS cannot use
     */
    void start(ApplicationDescription application) throws DeploymentException, IOException;

    /** Where it listens, with the real ports; empty before the start. */
    List<String> listening();

    /** The files of our certificates, and when each expires. */
    default Map<String, Instant> certificates() {
        return Map.of();
    }

    /** Application sessions that there may be at a time. */
    default int mostCalls() {
        return Integer.MAX_VALUE;
    }

    /** What is counted of call records; empty where no place for them is named. */
    default Map<String, Long> callRecords() {
        return Map.of();
    }

    /** What there is now. */
    ContainerStatus status();

    /**
     * Refuses new calls, waits for the others, ends them and the application.
     *
     * @param drain how long it waits
     */
    void stop(Duration drain);
}
