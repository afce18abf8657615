package io.carillon.lab.load;

import io.carillon.net.address.HostLiteral;
import io.carillon.sip.hop.Transport;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A load as the command line asks for it, checked.
 *
 * @param calls most calls
 * @param maxHeld calls that may be up at once
 * @param transport of the callers' side
 * @param calleeTransport of the callees' side
 * @param to Request-URI, or its user part, or empty for the workload's own
 * @param local address to bind
 * @param callerPort 0: the system chooses
 * @param pages null for workloads without
 * @param selfWarmUp length of the calls between our own sides
 * @param habits what callers do beside calling
 */
record LoadSettings(
        Workload workload,
        RatePlan rate,
        boolean poisson,
        Duration duration,
        Duration warmup,
        long calls,
        Duration hold,
        Duration ring,
        long maxHeld,
        Transport transport,
        Transport calleeTransport,
        InetSocketAddress server,
        String to,
        String local,
        int callerPort,
        int calleePort,
        List<RegisteredUser> users,
        int expiresSeconds,
        @Nullable Pages pages,
        List<Long> serverPids,
        Duration selfWarmUp,
        CallerHabits habits,
        FailureLimits limits,
        Files files,
        boolean live) {

    /**
     * URLs of the application of the web voice mail.
     *
     * @param page what a user looks at first; null: nothing
     * @param events the event stream that a user's page keeps open; null: none
     * @param times file that is told how long the requests took; null: none
     */
    record Pages(
            @Nullable String page,
            @Nullable String events,
            String call,
            String hangUp,
            @Nullable Path times) {}

    /** Files to write; null for those not wanted. */
    record Files(@Nullable Path json, @Nullable Path jsonLines, @Nullable Path histogramLog) {}

    /** The server's port for datagrams, where it is on this machine. */
    List<Integer> serverPorts() {
        return transport == Transport.UDP && server.getAddress().isLoopbackAddress()
                ? List.of(server.getPort())
                : List.of();
    }

    /** What each call is like, once the callee's address is known. */
    CallPlan callPlan(LoadAddresses places) {
        return new CallPlan(
                workload,
                requestUri(places),
                ring.toNanos(),
                hold.toNanos(),
                maxHeld,
                LATE_NANOS,
                users,
                expiresSeconds,
                habits);
    }

    /** Response time of a server that has to be under 200 ms. */
    static final long LATE_NANOS = 200_000_000L;

    private String requestUri(LoadAddresses places) {
        if (to.indexOf(':') >= 0) {
            return to;
        }
        if (workload == Workload.REGISTER) {
            return "sip:" + (to.isEmpty() ? HostLiteral.print(server.getAddress()) : to);
        }
        return "sip:"
                + (to.isEmpty() ? workload.user() : to)
                + "@"
                + LoadAddresses.print(workload.callee() ? places.callee() : server)
                + (workload.callee() ? places.calleeUriParameter() : places.uriParameter());
    }

    /** Seconds until the last call is made; 0 when only {@code --calls} ends it. */
    long seconds() {
        Duration whole = duration.plus(warmup);
        return whole.compareTo(Duration.ofDays(300)) > 0 ? 0 : whole.toSeconds();
    }

    String title() {
        return workload.text()
                + " at "
                + rate
                + " calls/s"
                + (poisson ? " (Poisson)" : "")
                + " through "
                + transport.parameter()
                + ":"
                + LoadAddresses.print(server)
                + (calleeTransport == transport
                        ? ""
                        : " to callees by " + calleeTransport.parameter())
                + ", ring "
                + ring.toMillis() / 1e3
                + " s, hold "
                + hold.toMillis() / 1e3
                + " s";
    }
}
