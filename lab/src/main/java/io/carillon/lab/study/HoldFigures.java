package io.carillon.lab.study;

import io.carillon.lab.process.Disturbance;

/**
 * What was measured while a rate was held.
 *
 * @param seconds length of the measured time
 * @param completed calls that ended well in it
 * @param failed calls that did not
 * @param retransmissionsSent messages that the load had to send again
 * @param retransmissionsReceived messages that the server sent again
 * @param late answers later than 200 ms
 * @param serverDrops datagrams that the kernel dropped at the server's sockets
 * @param loadDrops the same at the load's
 * @param p50Millis response time: INVITE due to 200 received, less the ringing
 * @param cpuMicrosPerCall CPU of the server's process per call
 * @param serverCpu share of one CPU that it used
 * @param collectorCpu the collector's part of the CPU used, 0 to 1
 * @param compilersCpu the JIT compilers' part of it
 * @param held calls that were up at the end
 * @param liveBytesPerHeldCall heap that is reachable, beyond that of the idle server, per held
 *     call; lingering transactions are in it; 0: no calls were held
 * @param residentBytes memory of the process
 * @param probe the outside probe's waits
 * @param disturbance what the machine did beside the study
 * @param gc the collector
 */
public record HoldFigures(
        double seconds,
        long completed,
        long failed,
        long retransmissionsSent,
        long retransmissionsReceived,
        long late,
        long serverDrops,
        long loadDrops,
        double p50Millis,
        double p95Millis,
        double p99Millis,
        double p999Millis,
        double maxMillis,
        double cpuMicrosPerCall,
        double serverCpu,
        double collectorCpu,
        double compilersCpu,
        long held,
        long liveBytesPerHeldCall,
        long residentBytes,
        ProbeWaits probe,
        Disturbance disturbance,
        GcFigures gc) {
    /** Nothing failed, was sent twice or was dropped. */
    boolean clean() {
        return failed == 0
                && retransmissionsSent + retransmissionsReceived == 0
                && serverDrops + loadDrops == 0;
    }

    /** The same with what the flight recorder said. */
    HoldFigures with(GcFigures recorded) {
        return new HoldFigures(
                seconds,
                completed,
                failed,
                retransmissionsSent,
                retransmissionsReceived,
                late,
                serverDrops,
                loadDrops,
                p50Millis,
                p95Millis,
                p99Millis,
                p999Millis,
                maxMillis,
                cpuMicrosPerCall,
                serverCpu,
                collectorCpu,
                compilersCpu,
                held,
                liveBytesPerHeldCall,
                residentBytes,
                probe,
                disturbance,
                recorded);
    }

    /**
     * The outside probe: OPTIONS every 10 ms, and the same at a bare echo on the server's CPU.
     *
     * @param longestMillis longest wait, without the seconds left out
     * @param p99Millis 99 of 100 waits were not longer
     * @param lost questions without an answer within 2 s
     * @param controlLongestMillis longest wait at the echo
     * @param secondsLeftOut seconds in which the echo waited over 5 ms too: the machine's stalls
     */
    public record ProbeWaits(
            double longestMillis,
            double p99Millis,
            long lost,
            double controlLongestMillis,
            int secondsLeftOut) {}
}
