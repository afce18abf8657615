package io.carillon.servlet.config;

import io.carillon.sip.token.RandomSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/**
 * What a container is told when it is made. Immutable.
 *
 * @param maxSessions most application sessions at a time; a new call beyond it gets 503
 * @param noApplicationStatus answer to an initial request that no application wants, 400-699; 0: it
 *     is proxied on by its Route and Request-URI
 * @param contextParams context parameters by application name; they win over those of the archive
 * @param router which application router to take
 * @param millis the wall clock in milliseconds since 1970: creation times, expiry
 * @param random for ids and waits; the same numbers for the same seed in simulations
 * @param listeningPoints what applications see as their outbound interfaces, as SIP URIs
 * @param workFolder where archives are unpacked; made when it is not there
 */
public record ContainerConfig(
        int maxSessions,
        int noApplicationStatus,
        Map<String, Map<String, String>> contextParams,
        RouterConfig router,
        LongSupplier millis,
        RandomSource random,
        List<String> listeningPoints,
        Path workFolder) {

    public static final int DEFAULT_APPLICATION_SESSIONS = 200_000;

    /** As many SIP sessions as the bytes of an application session hold. */
    public static final int DEFAULT_SESSIONS_OF_ONE = 10_000;

    public ContainerConfig {
        if (maxSessions <= 0) {
            throw new IllegalArgumentException("maxSessions must be positive: " + maxSessions);
        }
        if (noApplicationStatus != 0 && (noApplicationStatus < 400 || noApplicationStatus > 699)) {
            throw new IllegalArgumentException(
                    "noApplicationStatus must be 0 or 400-699: " + noApplicationStatus);
        }
        contextParams = Map.copyOf(contextParams);
        listeningPoints = List.copyOf(listeningPoints);
        Objects.requireNonNull(router, "router");
        Objects.requireNonNull(millis, "millis");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(workFolder, "workFolder");
    }

    /**
     * 200,000 application sessions, 404 without an application, deployment order, the system's
     * clock.
     */
    public static ContainerConfig defaults() {
        return new ContainerConfig(
                DEFAULT_APPLICATION_SESSIONS,
                404,
                Map.of(),
                RouterConfig.DEPLOYMENT_ORDER,
                System::currentTimeMillis,
                RandomSource.secure(),
                List.of(),
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "carillon-" + ProcessHandle.current().pid()));
    }

    /** Answer to a request that cannot be routed on either; never 0. */
    public int refusalStatus() {
        return noApplicationStatus == 0 ? 404 : noApplicationStatus;
    }

    public ContainerConfig withMaxSessions(int cap) {
        return new ContainerConfig(
                cap,
                noApplicationStatus,
                contextParams,
                router,
                millis,
                random,
                listeningPoints,
                workFolder);
    }

    public ContainerConfig withNoApplicationStatus(int status) {
        return new ContainerConfig(
                maxSessions,
                status,
                contextParams,
                router,
                millis,
                random,
                listeningPoints,
                workFolder);
    }

    public ContainerConfig withContextParams(Map<String, Map<String, String>> params) {
        return new ContainerConfig(
                maxSessions,
                noApplicationStatus,
                params,
                router,
                millis,
                random,
                listeningPoints,
                workFolder);
    }

    public ContainerConfig withRouter(RouterConfig chosen) {
        return new ContainerConfig(
                maxSessions,
                noApplicationStatus,
                contextParams,
                chosen,
                millis,
                random,
                listeningPoints,
                workFolder);
    }

    public ContainerConfig withMillis(LongSupplier clock) {
        return new ContainerConfig(
                maxSessions,
                noApplicationStatus,
                contextParams,
                router,
                clock,
                random,
                listeningPoints,
                workFolder);
    }

    public ContainerConfig withRandom(RandomSource source) {
        return new ContainerConfig(
                maxSessions,
                noApplicationStatus,
                contextParams,
                router,
                millis,
                source,
                listeningPoints,
                workFolder);
    }

    public ContainerConfig withListeningPoints(List<String> uris) {
        return new ContainerConfig(
                maxSessions,
                noApplicationStatus,
                contextParams,
                router,
                millis,
                random,
                uris,
                workFolder);
    }

    public ContainerConfig withWorkFolder(Path folder) {
        return new ContainerConfig(
                maxSessions,
                noApplicationStatus,
                contextParams,
                router,
                millis,
                random,
                listeningPoints,
                folder);
    }
}
