package io.carillon.lab.load;

import io.carillon.sip.stack.Transport;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A load as the command line asks for it, checked.
 *
 * @param to Request-URI, or its user part, or empty for the workload's own
 * @param local address to bind
 * @param callerPort 0: the system chooses
 * @param calls most calls
 * @param maxHeld calls that may be up at once
 * @param json null: none
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
        InetSocketAddress server,
        String to,
        String local,
        int callerPort,
        int calleePort,
        List<Long> serverPids,
        @Nullable Path json,
        @Nullable Path jsonLines) {

    /** The server's port for datagrams, where it is on this machine. */
    List<Integer> serverPorts() {
        return transport == Transport.UDP && server.getAddress().isLoopbackAddress()
                ? List.of(server.getPort())
                : List.of();
    }

    /** What each call is like, once the callee's address is known. */
    CallPlan callPlan(Places places) {
        String user = to.isEmpty() ? "callee" : to;
        String uri =
                user.indexOf(':') >= 0
                        ? user
                        : "sip:"
                                + user
                                + "@"
                                + Places.print(workload.callee() ? places.callee() : server)
                                + places.uriParameter();
        return new CallPlan(uri, ring.toNanos(), hold.toNanos(), maxHeld, 200_000_000L);
    }
}
