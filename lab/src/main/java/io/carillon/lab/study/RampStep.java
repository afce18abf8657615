package io.carillon.lab.study;

/**
 * One server at one rate of a ramp.
 *
 * @param server its name
 * @param rate calls per second that were due
 * @param made calls that were begun
 * @param completed calls that ended well
 * @param failed calls that did not, whatever the cause
 * @param timeouts those of them that waited in vain: 408, or no answer at all
 * @param retransmissions messages that were sent again by either side
 * @param late answers later than 200 ms
 * @param p50Millis response time: INVITE due to 200 received, less the ringing
 * @param cpu share of one CPU that the server used; NaN where its process is not known
 * @param cpuMicrosPerCall the same per call
 * @param drops datagrams that the kernel dropped at the server's sockets
 * @param limitedByLoad the load, not the server, was at its end
 * @param disturbed the machine had other work
 */
public record RampStep(
        String server,
        int rate,
        long made,
        long completed,
        long failed,
        long timeouts,
        long retransmissions,
        long late,
        double p50Millis,
        double p95Millis,
        double p99Millis,
        double p999Millis,
        double maxMillis,
        double cpu,
        double cpuMicrosPerCall,
        long drops,
        boolean limitedByLoad,
        boolean disturbed) {
    /** A predecessor's limits: half of the calls within 25 ms, 95 of 100 within 50 ms. */
    static final double HALF_WITHIN_MILLIS = 25;

    static final double MOST_WITHIN_MILLIS = 50;

    boolean holdsTheLimits() {
        return failed == 0
                && completed > 0
                && p50Millis <= HALF_WITHIN_MILLIS
                && p95Millis <= MOST_WITHIN_MILLIS;
    }

    /** More fails than succeeds: a higher rate says nothing more. */
    boolean isCollapsed() {
        return failed > completed;
    }
}
