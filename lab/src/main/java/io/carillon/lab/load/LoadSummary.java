package io.carillon.lab.load;

import java.util.List;
import java.util.Map;

/**
 * A whole load, without its warm-up: the last line of the file of {@code --json-lines}, and what
 * {@code --json} writes.
 *
 * @param workload its name
 * @param rate calls per second that were due; of a ramp the last one
 * @param seconds time in which calls were made
 * @param made calls begun
 * @param completed calls that ended well
 * @param failed calls that ended otherwise, by cause; a cause that begins with {@code callee:} was
 *     seen at the callee and may belong to a call that is counted already
 * @param heldMax most calls that were up at the end of a second
 * @param retransmissionsSent messages that the load had to send again
 * @param retransmissionsReceived messages that the server sent again
 * @param unexpected messages that no call had a place for
 * @param late answers later than 200 ms
 * @param p50Millis response time (INVITE due to 200 received, less the ringing), milliseconds
 * @param behindMillis 99 % of the calls were begun no later after their time than this
 * @param behindMaxMillis the same of all calls
 * @param generatorCpuMicrosPerCall CPU of the load itself, both sides
 * @param generatorGcMillis time in garbage collections of the load itself
 * @param generatorDrops datagrams that the kernel dropped on the load's own sockets
 * @param generatorLimited whether the load itself, not the server, was the bottleneck
 * @param generatorReason why, in a sentence; empty when it was not
 * @param serverCpuMicrosPerCall CPU of the server; -1 without {@code --server-pid}
 * @param serverDrops datagrams that the kernel dropped on the server's port, where it is on this
 *     machine
 * @param tls versions and cipher suites of its connections, those between its own sides at the
 *     beginning included; empty without TLS
 * @param broken the limits of the command line that were broken, a sentence each
 */
public record LoadSummary(
        String workload,
        double rate,
        double seconds,
        long made,
        long completed,
        Map<String, Long> failed,
        long heldMax,
        long retransmissionsSent,
        long retransmissionsReceived,
        long unexpected,
        long late,
        double p50Millis,
        double p95Millis,
        double p99Millis,
        double p999Millis,
        double maxMillis,
        double behindMillis,
        double behindMaxMillis,
        double generatorCpuMicrosPerCall,
        double generatorGcMillis,
        long generatorDrops,
        boolean generatorLimited,
        String generatorReason,
        double serverCpuMicrosPerCall,
        long serverDrops,
        String tls,
        List<String> broken) {}
