package io.carillon.lab.load;

/**
 * One second of a load, as a line of JSON in the file of {@code --json-lines}. Counts are of this
 * second alone, {@code held} is the number of calls that are up at its end. The warm-up is in it.
 *
 * @param second seconds since the first call was due
 * @param warmup whether calls begun in this second are left out of the summary
 * @param rate calls per second that are due
 * @param made calls begun
 * @param completed calls that ended well
 * @param failed calls that ended otherwise
 * @param held calls that are up
 * @param retransmissionsSent messages that the load had to send again
 * @param retransmissionsReceived messages that the server sent again
 * @param unexpected messages that no call had a place for
 * @param late answers later than 200 ms
 * @param p50Millis response time (INVITE due to 200 received, less the ringing), milliseconds
 * @param behindMillis 99 % of the calls were begun no later after their time than this
 * @param generatorCpu share of one CPU that the load itself used
 * @param generatorDrops datagrams that the kernel dropped on the load's own sockets
 * @param serverCpu share of one CPU that the server used; -1 without {@code --server-pid}
 * @param serverDrops datagrams that the kernel dropped on the server's port, where it is on this
 *     machine
 * @param inDialogP99Millis of requests within dialogs: sent to answered, or to given up
 * @param outcomes what became of calls at a server that may refuse them
 */
public record LoadSample(
        long second,
        boolean warmup,
        double rate,
        long made,
        long completed,
        long failed,
        long held,
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
        double generatorCpu,
        long generatorDrops,
        double serverCpu,
        long serverDrops,
        double inDialogP99Millis,
        Outcomes outcomes) {}
