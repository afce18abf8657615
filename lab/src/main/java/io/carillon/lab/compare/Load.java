package io.carillon.lab.compare;

import java.io.IOException;
import java.nio.file.Path;

/** What makes the calls of a window: both sides of them. */
interface Load {
    /**
     * Starts calls through a server.
     *
     * @param rate calls per second
     * @param seconds for so long calls are made
     * @param folder for its logs and counts
     */
    Running start(int serverPort, int rate, int seconds, Path folder) throws IOException;

    /** A load that has begun. */
    interface Running extends AutoCloseable {
        /** CPU nanoseconds (utime + stime) of both sides. */
        long cpuNanos() throws IOException;

        /** Waits until every call has ended, and counts. */
        Tally await() throws IOException;

        @Override
        void close() throws IOException;
    }

    /**
     * What it counted.
     *
     * @param calls calls begun
     * @param failed calls that were due and did not end well
     * @param retransmissions of both sides, sent and received
     * @param late answers later than 200 ms; -1 where it does not count them
     * @param p50Millis time from an INVITE to its 200; -1 where it does not tell
     * @param tls version and cipher suite of its connections; empty without TLS
     */
    record Tally(
            long calls,
            long failed,
            long retransmissions,
            long late,
            double p50Millis,
            double p99Millis,
            String tls) {}

    /** The load of that name for these trials. */
    static Load named(String name, ComparisonSetup trial) {
        return name.equals("carillon") ? new CarillonLoad(trial) : new SippLoad(trial);
    }
}
