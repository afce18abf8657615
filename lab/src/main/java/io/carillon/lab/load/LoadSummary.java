package io.carillon.lab.load;

import java.util.Map;

/**
 * A whole load: the last line of the file of {@code --json-lines}, and what {@code --json} writes.
 *
 * @param workload its name
 * @param rate calls per second that were due
 * @param seconds length of the load, without the calls' ends
 * @param made calls begun
 * @param completed calls that ended well
 * @param failed calls that ended otherwise, by cause
 * @param retransmissionsSent messages that the load had to send again
 * @param retransmissionsReceived messages that the server sent again
 * @param late answers later than 200 ms
 * @param p50Millis response time (INVITE due to 200 received, less the ringing), milliseconds
 * @param generatorCpuMicrosPerCall CPU of the load itself, both sides
 * @param generatorDrops datagrams that the kernel dropped on the load's own sockets
 * @param generatorLimited whether the load itself, not the server, was the bottleneck
 * @param generatorReason why, in a sentence; empty when it was not
 */
public record LoadSummary(
        String workload,
        double rate,
        double seconds,
        long made,
        long completed,
        Map<String, Long> failed,
        long retransmissionsSent,
        long retransmissionsReceived,
        long late,
        double p50Millis,
        double p95Millis,
        double p99Millis,
        double p999Millis,
        double maxMillis,
        double generatorCpuMicrosPerCall,
        long generatorDrops,
        boolean generatorLimited,
        String generatorReason) {}
